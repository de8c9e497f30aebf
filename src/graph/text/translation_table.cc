// SPDX-License-Identifier: Apache-2.0
#include "graph/text/translation_table.h"

#include <array>

namespace culprit::graph::text {
namespace {

constexpr std::array<Translation, 1> kRows = {{
    {"prims::convert_element_type", "a, dtype", "", "return aten._to_copy.default(a, dtype=dtype)"},
}};

}  // namespace

std::span<const Translation> AllTranslations() {
  return kRows;
}

}  // namespace culprit::graph::text
