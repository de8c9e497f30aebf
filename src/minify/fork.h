// SPDX-License-Identifier: Apache-2.0
//
// Where a search asks a question: which way it goes from there depends on the answer. Ways are made before
// the answer is known, to see what will be asked on them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "minify/walk.h"

namespace culprit::minify {

class Fork {
 public:
  explicit Fork(Walk walk) : walk_(std::move(walk)), candidate_(walk_.Next()) {}

  const Walk& walk() const { return walk_; }
  /// Nothing: the search has come to its end.
  const std::optional<Candidate>& candidate() const { return candidate_; }

  /// The fork behind this answer, if it was made.
  Fork* Behind(const Reply& reply) const;
  Fork& MakeBehind(const Reply& reply);
  /// This fork is of no use afterwards.
  std::unique_ptr<Fork> TakeBehind(const Reply& reply);

  /// Operators of the programs that were arrived at behind it, for a measure of what they hold in memory.
  size_t OperatorsBehind() const;

 private:
  /// What of a reply decides about the way.
  struct Sign {
    bool fails = false;
    std::vector<size_t> wrong_outputs = {};
    bool operator==(const Sign&) const = default;
  };
  struct Way {
    Sign sign;
    std::unique_ptr<Fork> fork;
  };
  Sign SignOf(const Reply& reply) const;

  Walk walk_;
  std::optional<Candidate> candidate_;
  std::vector<Way> ways_;
};

}  // namespace culprit::minify
