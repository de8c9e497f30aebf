// SPDX-License-Identifier: Apache-2.0
//
// The parts that AllTranslations() is put together from, one file each.
#pragma once

#include <span>

#include "graph/translate/table.h"

namespace culprit::graph::translate {

std::span<const Translation> PrimsTranslations();
std::span<const Translation> ElementwisePrimsTranslations();

}  // namespace culprit::graph::translate
