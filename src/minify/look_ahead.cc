// SPDX-License-Identifier: Apache-2.0
#include "minify/look_ahead.h"

namespace culprit::minify {
namespace {

/// Less probable ones are left to their time.
constexpr double kWorthAsking = 0.02;
/// What is believed before a strategy has been asked counts as much as so many answers.
constexpr double kBelief = 2;

/// As counted in hunts.
double BelievedFailure(Likely likely) {
  switch (likely) {
    case Likely::kPasses:
      return 0.15;
    case Likely::kEither:
      return 0.5;
    case Likely::kFails:
      return 0.65;
  }
  return 0.5;
}

const Reply kFails = {{Answer::kSameFailure}};
const Reply kPasses = {{Answer::kPasses}};

}  // namespace

double LookAhead::ProbabilityOfFailure(const Candidate& candidate) const {
  const auto found = counts_.find(candidate.strategy);
  const Counts counts = found == counts_.end() ? Counts{} : found->second;
  return (static_cast<double>(counts.failing) + kBelief * BelievedFailure(candidate.likely)) /
         (static_cast<double>(counts.all) + kBelief);
}

void LookAhead::Learn(const Candidate& candidate, bool fails) {
  Counts& counts = counts_[candidate.strategy];
  ++counts.all;
  if (fails) ++counts.failing;
}

void LookAhead::Consider(Fork& fork, const Reply& reply, double probability, Place& best) {
  if (probability <= best.probability) return;
  if (Fork* behind = fork.Behind(reply)) return Find(*behind, probability, best);
  const bool arrives = reply.fails() && fork.candidate()->would_be_progress;
  if (arrives && operators_ + fork.candidate()->program->graph.nodes().size() > most_operators_) return;
  best = {probability, &fork, reply};
}

void LookAhead::Find(Fork& fork, double probability, Place& best) {
  if (!fork.candidate()) return;
  if (const std::optional<Reply> reply = known_(fork.candidate()->hash))
    return Consider(fork, *reply, probability, best);
  const double failure = ProbabilityOfFailure(*fork.candidate());
  Consider(fork, kPasses, probability * (1 - failure), best);
  // Where the numbers would be wrong decides what comes next, and nobody knows it.
  if (fork.candidate()->edit.acceptance != Acceptance::kNever)
    Consider(fork, kFails, probability * failure, best);
}

void LookAhead::AskFrom(Fork& root, size_t at_most) {
  operators_ = root.OperatorsBehind();
  while (at_most > 0 && asker_.has_room()) {
    Place best{.probability = kWorthAsking};
    Find(root, 1, best);
    if (best.fork == nullptr) return;
    const Fork& next = best.fork->MakeBehind(best.reply);
    operators_ = root.OperatorsBehind();
    if (!next.candidate() || known_(next.candidate()->hash)) continue;
    if (asker_.WasAsked(next.candidate()->hash)) continue;
    asker_.Ask(*next.candidate());
    --at_most;
  }
}

}  // namespace culprit::minify
