// SPDX-License-Identifier: Apache-2.0
//
// Several problems of one file, told in one error: the first is the error, those in other lines are notes
// of it. The first help is that of the error.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace culprit::graph::text {

class Problems {
 public:
  /// Nothing without a message: it follows from another problem. The same message counts once.
  void Add(base::Diagnostic problem);

  bool empty() const { return !first_; }
  base::Diagnostic Take() &&;

 private:
  std::optional<base::Diagnostic> first_;
  std::set<std::string> messages_;
  std::vector<std::string> notes_;
  size_t untold_ = 0;
};

}  // namespace culprit::graph::text
