// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/generalise/verdicts.h"

#include <mutex>

namespace culprit::graph::sizes {

std::optional<std::string> Verdicts::Find(const Hints& sizes) const {
  const std::shared_lock lock(mutex_);
  const auto verdict = verdicts_.find(sizes);
  return verdict == verdicts_.end() ? std::nullopt : std::optional(verdict->second);
}

void Verdicts::Note(const Hints& sizes, std::string difference) {
  const std::unique_lock lock(mutex_);
  if (verdicts_.size() >= kMost) verdicts_.clear();
  verdicts_.insert_or_assign(sizes, std::move(difference));
}

}  // namespace culprit::graph::sizes
