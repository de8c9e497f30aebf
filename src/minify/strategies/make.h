// SPDX-License-Identifier: Apache-2.0
//
// How the table (table.cc) makes strategies; each is described at the top of its file.
#pragma once

#include <memory>

#include "minify/strategy.h"

namespace culprit::minify::strategies {

std::unique_ptr<Strategy> MakePrefix();
std::unique_ptr<Strategy> MakeSuffix();
std::unique_ptr<Strategy> MakeGallop();
std::unique_ptr<Strategy> MakeQuickXplain();
std::unique_ptr<Strategy> MakeDrop();
std::unique_ptr<Strategy> MakeBypass();
std::unique_ptr<Strategy> MakeOutputs();
std::unique_ptr<Strategy> MakeInputs();

}  // namespace culprit::minify::strategies
