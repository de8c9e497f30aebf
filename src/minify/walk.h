// SPDX-License-Identifier: Apache-2.0
//
// Where a search is: on which program, in which strategy. It proposes what to ask next and goes on with the
// answer; who gets the answer is not its matter. A copy goes its own way from there: that is how the search
// looks ahead (look_ahead.h).
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "graph/analysis/structural_hash.h"
#include "minify/failure_check.h"
#include "minify/strategy.h"

namespace culprit::minify {

/// A program that somebody has to be asked about.
struct Candidate {
  Edit edit;
  std::shared_ptr<const Program> program;
  graph::Hash128 hash;
  std::string_view strategy;
  Likely likely = Likely::kPasses;
  /// Where the search goes on if it fails in the same way.
  bool would_be_progress = false;
};

class Walk {
 public:
  /// The strategies and the reply to the program itself have to outlive it.
  Walk(std::shared_ptr<const Subject> subject, const std::vector<StrategyEntry>& strategies,
       const Reply& first)
      : subject_(std::move(subject)), strategies_(&strategies), first_(&first) {}
  Walk(const Walk& other);
  Walk(Walk&&) = default;
  Walk& operator=(const Walk&) = delete;

  const Subject& subject() const { return *subject_; }
  const std::shared_ptr<const Subject>& shared_subject() const { return subject_; }
  /// Strategies are taken in turn: the n-th turn is that of the n-th one, counted on and on.
  size_t turn() const { return turn_; }

  /// Nothing when every strategy in turn has found nothing to do on the same program.
  std::optional<Candidate> Next();
  /// What the answer to the last candidate leads to. True: to its program.
  bool GoOn(const Candidate& candidate, const Reply& reply);

 private:
  bool IsWorthIt(Use use) const;

  std::shared_ptr<const Subject> subject_;
  const std::vector<StrategyEntry>* strategies_;
  const Reply* first_;
  std::unique_ptr<Strategy> strategy_;
  size_t turn_ = 0;
  /// The turn behind the one that made the program what it is.
  size_t last_move_ = 0;
};

}  // namespace culprit::minify
