// SPDX-License-Identifier: Apache-2.0
//
// How the table (table.cc) makes strategies; each is described at the top of its file.
#pragma once

#include <memory>

#include "minify/strategy.h"

namespace culprit::minify::strategies {

std::unique_ptr<Strategy> MakeHoist();
std::unique_ptr<Strategy> MakeInstrument();
std::unique_ptr<Strategy> MakeExplode();
std::unique_ptr<Strategy> MakePrefix();
std::unique_ptr<Strategy> MakeSuffix();
std::unique_ptr<Strategy> MakeGallop();
std::unique_ptr<Strategy> MakeQuickXplain();
std::unique_ptr<Strategy> MakeDrop();
std::unique_ptr<Strategy> MakeBypass();
std::unique_ptr<Strategy> MakeOutputs();
std::unique_ptr<Strategy> MakeInputs();
std::unique_ptr<Strategy> MakeSimplifyOperators();
std::unique_ptr<Strategy> MakeFold();
std::unique_ptr<Strategy> MakeUnfreeze();
std::unique_ptr<Strategy> MakeNumbers();
std::unique_ptr<Strategy> MakeShapes();
std::unique_ptr<Strategy> MakeAttributes();
std::unique_ptr<Strategy> MakeDtypes();
std::unique_ptr<Strategy> MakeValues();

}  // namespace culprit::minify::strategies
