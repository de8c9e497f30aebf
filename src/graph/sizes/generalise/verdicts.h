// SPDX-License-Identifier: Apache-2.0
//
// What was found out by samples (graph/sizes/worlds/numbers.h) is used for no sizes for which it was not
// compared with the program itself. Here is written down for which it was, and what came of it.
#pragma once

#include <c10/util/hash.h>

#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>

#include "graph/sizes/worlds/numbers.h"

namespace culprit::graph::sizes {

/// Several threads may use it.
class Verdicts {
 public:
  /// Nothing if they were not compared for these sizes; empty if they do the same; otherwise what differs.
  std::optional<std::string> Find(const Hints& sizes) const;
  void Note(const Hints& sizes, std::string difference);

 private:
  /// Whoever has more sizes than that has some compared again.
  static constexpr size_t kMost = 8192;

  mutable std::shared_mutex mutex_;
  std::unordered_map<Hints, std::string, c10::hash<Hints>> verdicts_;
};

}  // namespace culprit::graph::sizes
