// SPDX-License-Identifier: Apache-2.0
#include "graph/text/script/problems.h"

#include <fmt/format.h>

namespace culprit::graph::text {

void Problems::Add(base::Diagnostic problem) {
  constexpr size_t kTold = 20;
  if (problem.message.empty() || messages_.contains(problem.message)) return;
  if (notes_.size() == kTold) {
    ++untold_;
    return;
  }
  messages_.insert(problem.message);
  if (first_) {
    notes_.push_back(fmt::format("line {}: {}", problem.place.line, problem.message));
    if (first_->help.empty()) first_->help = std::move(problem.help);
  } else {
    first_ = std::move(problem);
  }
}

base::Diagnostic Problems::Take() && {
  first_->notes.insert(first_->notes.end(), notes_.begin(), notes_.end());
  if (untold_ > 0) first_->notes.push_back(fmt::format("... and {} more", untold_));
  return *std::move(first_);
}

}  // namespace culprit::graph::text
