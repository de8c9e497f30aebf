// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace culprit::hunt {

struct LineDifference {
  /// Lines that only one of the two has.
  size_t changed = 0;
  /// Lines of the first with "-" in front, of the second with "+", and with a blank the ones around them;
  /// "..." where others are left out.
  std::string text;
};

/// By the longest common subsequence, in time and memory of the product of their lengths: for short texts.
LineDifference Difference(const std::vector<std::string>& first, const std::vector<std::string>& second);

}  // namespace culprit::hunt
