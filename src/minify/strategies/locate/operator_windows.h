// SPDX-License-Identifier: Apache-2.0
//
// Windows that end at an operator: it alone, then with its nearest producers, 2, 4, 8 ... operators in all.
// The producer of an operand is who made it or, where somebody wrote into it since, who wrote last.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "minify/rewrite/edit.h"

namespace culprit::minify::strategies {

class OperatorWindows {
 public:
  /// No window has more than `limit` operators.
  OperatorWindows(const Subject& subject, graph::NodeId last, size_t limit);

  /// The next larger one, as an edit that keeps just that; nothing behind the window that holds all operators
  /// which the last one depends on, or `limit` of them.
  std::optional<Edit> Next();

 private:
  /// Nearest first.
  std::vector<std::string> names_;
  size_t size_ = 1;
};

}  // namespace culprit::minify::strategies
