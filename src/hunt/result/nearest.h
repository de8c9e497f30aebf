// SPDX-License-Identifier: Apache-2.0
//
// Beside a program that fails, the most similar one that passes shows what the failure hangs on:
//
//   change 20 to 16
//   -    reader.tensor(buf0, (1, 20, 2, 2))  # x
//   +    reader.tensor(buf0, (1, 16, 2, 2))  # x
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "minify/search.h"

namespace culprit::hunt {

struct NearestPassing {
  /// What makes it of the failing one, in words.
  std::string edit;
  /// Lines of the failing program with "-" in front, of the passing one with "+", with one line around.
  std::string difference;
};

/// The one that differs in the fewest lines. Nothing if there is none, or if they cannot be printed.
std::optional<NearestPassing> FindNearest(const minify::Program& failing,
                                          const std::vector<minify::Neighbour>& passing);

}  // namespace culprit::hunt
