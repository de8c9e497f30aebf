// SPDX-License-Identifier: Apache-2.0
#include "minify/search.h"

#include <algorithm>

#include "minify/look_ahead.h"

namespace culprit::minify {
namespace {

/// Of one strategy.
constexpr size_t kMostNeighbours = 4;
/// A search may look ahead at so many operators, however few the program has.
constexpr size_t kFewOperators = 8;

class Search {
 public:
  Search(Subject subject, FailureCheck& check, const SearchOptions& options)
      : options_(options),
        memory_(options.remembered),
        asker_(check, options.jobs),
        ahead_(
            asker_, [this](const graph::Hash128& hash) { return Known(hash); },
            std::max(subject.operators(), kFewOperators)),
        now_(std::make_unique<Fork>(
            Walk(std::make_shared<const Subject>(std::move(subject)), options.strategies, options.first))) {}
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  SearchResult Run() {
    while (now_->candidate()) {
      const std::optional<Reply> reply = AnswerTo(*now_);
      if (!reply) break;
      GoOn(*reply);
    }
    result_.program = now_->walk().subject().program();
    result_.ended = ended_.value_or(Ended::kMinimal);
    result_.asked_in_vain = asker_.asked() - std::min(asker_.asked(), result_.questions);
    return std::move(result_);
  }

 private:
  std::optional<Reply> Known(const graph::Hash128& hash) const {
    const auto found = memory_.find(hash);
    return found == memory_.end() ? asker_.AnswerTo(hash) : std::optional(found->second);
  }

  /// Nothing if the search has to end.
  std::optional<Reply> AnswerTo(Fork& fork) {
    const Candidate& candidate = *fork.candidate();
    BeginStrategies(fork.walk().turn());
    if (const auto found = memory_.find(candidate.hash); found != memory_.end()) {
      ++result_.remembered;
      return found->second;
    }
    if (!MayAsk()) return std::nullopt;
    while (!asker_.has_room() && !asker_.WasAsked(candidate.hash)) asker_.WaitForAnAnswer();
    asker_.Ask(candidate);
    std::optional<Reply> reply;
    // What it will be decides better than a guess what to ask ahead.
    asker_.WaitIfDue(candidate.hash);
    while (!(reply = asker_.AnswerTo(candidate.hash))) {
      ahead_.AskFrom(fork, QuestionsLeft() - 1);
      asker_.WaitForAnAnswer();
    }
    return Remember(candidate, *reply);
  }

  size_t QuestionsLeft() const {
    return options_.max_questions ? *options_.max_questions - result_.questions : SIZE_MAX;
  }

  bool MayAsk() {
    if (QuestionsLeft() == 0) ended_ = Ended::kQuestions;
    if (options_.deadline && std::chrono::steady_clock::now() >= *options_.deadline) ended_ = Ended::kTime;
    if (options_.stop()) ended_ = Ended::kStopped;
    return !ended_;
  }

  std::optional<Reply> Remember(const Candidate& candidate, const Reply& reply) {
    if (!reply.is_answer) {
      ended_ = Ended::kStopped;
      return std::nullopt;
    }
    ++result_.questions;
    memory_.emplace(candidate.hash, reply);
    options_.on_answer({candidate.hash, *candidate.program, reply, candidate.strategy, candidate.edit.what});
    ahead_.Learn(candidate, reply.fails());
    now_->walk().subject().recording().Unload();
    return reply;
  }

  void GoOn(const Reply& reply) {
    const Candidate candidate = *now_->candidate();
    const std::shared_ptr<const Subject> before = now_->walk().shared_subject();
    now_ = now_->TakeBehind(reply);
    if (now_->walk().shared_subject() == before) return CountTry(candidate, reply);
    result_.tried.clear();
    result_.passing.clear();
    options_.on_smaller({now_->walk().subject().program(), reply, candidate.strategy});
  }

  /// What a strategy tried before, it tries again.
  void BeginStrategies(size_t turn) {
    for (; turns_begun_ <= turn; ++turns_begun_) {
      const std::string_view name = options_.strategies[turns_begun_ % options_.strategies.size()].name;
      const auto is_its = [&](const auto& each) { return each.strategy == name; };
      std::erase_if(result_.tried, is_its);
      std::erase_if(result_.passing, is_its);
    }
  }

  /// The program stays as it is.
  void CountTry(const Candidate& candidate, const Reply& reply) {
    if (result_.tried.empty() || result_.tried.back().strategy != candidate.strategy)
      result_.tried.push_back({candidate.strategy});
    Tried& tried = result_.tried.back();
    switch (reply.verdict.answer) {
      case Answer::kSameFailure:
        ++tried.not_smaller;
        break;
      case Answer::kOtherFailure:
        ++tried.other_failures;
        break;
      case Answer::kInvalid:
        ++tried.invalid;
        break;
      case Answer::kPasses:
        if (++tried.passes <= kMostNeighbours && candidate.edit.acceptance != Acceptance::kNever)
          result_.passing.push_back({*candidate.program, candidate.edit.what, candidate.strategy});
        break;
    }
  }

  const SearchOptions& options_;
  KnownReplies memory_;
  Asker asker_;
  LookAhead ahead_;
  /// The question that the search has come to.
  std::unique_ptr<Fork> now_;
  size_t turns_begun_ = 0;
  std::optional<Ended> ended_;
  SearchResult result_;
};

}  // namespace

base::Result<SearchResult> Minimize(Program program, FailureCheck& check, const SearchOptions& options) {
  return Search(CULPRIT_TRY(Subject::Make(std::move(program), options.costs, options.recording_limits)),
                check, options)
      .Run();
}

}  // namespace culprit::minify
