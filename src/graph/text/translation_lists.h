// SPDX-License-Identifier: Apache-2.0
//
// The parts that AllTranslations() is put together from, one file each.
#pragma once

#include <span>

#include "graph/text/translation_table.h"

namespace culprit::graph::text {

std::span<const Translation> PrimsTranslations();
std::span<const Translation> ElementwisePrimsTranslations();
std::span<const Translation> NormalizationTranslations();
std::span<const Translation> AtenTranslations();

}  // namespace culprit::graph::text
