// SPDX-License-Identifier: Apache-2.0
#include "minify/walk.h"

#include "minify/order/size.h"

namespace culprit::minify {
namespace {

bool IsProgress(const Edit& edit, const Program& program, const Subject& subject) {
  if (edit.acceptance != Acceptance::kIfSmaller) return edit.acceptance == Acceptance::kIfItFails;
  return SizeOf(program) < SizeOf(subject.program());
}

}  // namespace

Walk::Walk(const Walk& other)
    : subject_(other.subject_),
      strategies_(other.strategies_),
      first_(other.first_),
      strategy_(other.strategy_ ? other.strategy_->Clone() : nullptr),
      turn_(other.turn_),
      last_move_(other.last_move_) {}

bool Walk::IsWorthIt(Use use) const {
  if (use == Use::kAlways) return true;
  return turn_ < strategies_->size() && (use == Use::kOnce || !first_->wrong_outputs.empty());
}

std::optional<Candidate> Walk::Next() {
  for (; turn_ < last_move_ + strategies_->size(); ++turn_, strategy_.reset()) {
    const StrategyEntry& entry = (*strategies_)[turn_ % strategies_->size()];
    if (!IsWorthIt(entry.use)) continue;
    if (!strategy_) strategy_ = entry.make();
    while (std::optional<Edit> edit = strategy_->Propose(*subject_)) {
      base::Result<Program> program = edit->apply(*subject_);
      if (!program.ok()) {
        strategy_->Learn({});
        continue;
      }
      Candidate candidate{*std::move(edit), std::make_shared<const Program>(*std::move(program))};
      candidate.hash = graph::StructuralHash(candidate.program->graph, candidate.program->inputs);
      candidate.strategy = entry.name;
      candidate.likely = entry.likely;
      candidate.would_be_progress = IsProgress(candidate.edit, *candidate.program, *subject_);
      return candidate;
    }
  }
  return std::nullopt;
}

bool Walk::GoOn(const Candidate& candidate, const Reply& reply) {
  Learned learned{.fails = reply.fails()};
  if (candidate.edit.acceptance == Acceptance::kNever) learned.wrong_outputs = reply.wrong_outputs;
  if (learned.fails && candidate.would_be_progress) {
    base::Result<Subject> next = subject_->With(*candidate.program);
    learned.accepted = next.ok();
    if (next.ok()) subject_ = std::make_shared<const Subject>(*std::move(next));
  }
  if (learned.accepted) last_move_ = turn_ + 1;
  strategy_->Learn(learned);
  return learned.accepted;
}

}  // namespace culprit::minify
