// SPDX-License-Identifier: Apache-2.0
#include "minify/search.h"

#include <algorithm>
#include <future>

#include "minify/order/size.h"

namespace culprit::minify {
namespace {

/// Of one strategy.
constexpr size_t kMostNeighbours = 4;

struct Candidate {
  Edit edit;
  std::optional<Program> program = std::nullopt;
  graph::Hash128 hash = {};
  Reply reply = {{Answer::kInvalid}};
};

bool IsWorthIt(Use use, bool first_round, const Reply& first) {
  if (use == Use::kAlways) return true;
  return first_round && (use == Use::kOnce || !first.wrong_outputs.empty());
}

class Search {
 public:
  Search(Subject subject, FailureCheck& check, const SearchOptions& options)
      : subject_(std::move(subject)), check_(check), options_(options), memory_(options.remembered) {}
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  SearchResult Run() {
    const std::vector<StrategyEntry>& strategies = options_.strategies;
    // Ends when every strategy in turn found nothing to do on the same program.
    for (size_t turn = 0; !ended_ && turn - last_move_ < strategies.size(); ++turn) {
      const StrategyEntry& entry = strategies[turn % strategies.size()];
      turn_ = turn;
      if (IsWorthIt(entry.use, turn < strategies.size(), options_.first)) RunStrategy(entry);
    }
    result_.program = subject_.program();
    result_.ended = ended_.value_or(Ended::kMinimal);
    return std::move(result_);
  }

 private:
  void RunStrategy(const StrategyEntry& entry) {
    strategy_name_ = entry.name;
    const auto is_its = [&](const auto& each) { return each.strategy == entry.name; };
    std::erase_if(result_.tried, is_its);
    std::erase_if(result_.passing, is_its);
    const std::unique_ptr<Strategy> strategy = entry.make();
    while (!ended_) {
      std::vector<Candidate> candidates;
      for (Edit& edit : strategy->Propose(subject_, options_.jobs))
        candidates.push_back(Apply(std::move(edit)));
      if (candidates.empty()) return;
      AskAll(candidates);
      if (ended_) return;
      const std::vector<Learned> learned = Accept(candidates);
      strategy->Learn(learned);
    }
  }

  Candidate Apply(Edit edit) const {
    Candidate candidate{std::move(edit)};
    base::Result<Program> program = candidate.edit.apply(subject_);
    if (program.ok()) SetProgram(candidate, *std::move(program));
    return candidate;
  }

  static void SetProgram(Candidate& candidate, Program program) {
    candidate.program = std::move(program);
    candidate.hash = graph::StructuralHash(candidate.program->graph, candidate.program->inputs);
  }

  /// From memory, or all others at once.
  void AskAll(std::vector<Candidate>& candidates) {
    std::vector<Candidate*> open;
    for (Candidate& candidate : candidates) {
      if (!candidate.program) continue;
      const bool twice =
          std::ranges::any_of(open, [&](Candidate* other) { return other->hash == candidate.hash; });
      if (!twice && !memory_.contains(candidate.hash)) open.push_back(&candidate);
    }
    if (!open.empty() && !MayAsk()) return;
    const bool too_many = options_.max_questions && open.size() > *options_.max_questions - result_.questions;
    if (too_many) open.resize(*options_.max_questions - result_.questions);
    std::vector<std::future<Reply>> replies;
    for (size_t i = 1; i < open.size(); ++i) {
      replies.push_back(std::async(std::launch::async, [&, i] { return check_.Ask(*open[i]->program); }));
    }
    if (!open.empty()) Remember(*open[0], check_.Ask(*open[0]->program));
    for (size_t i = 1; i < open.size(); ++i) Remember(*open[i], replies[i - 1].get());
    result_.questions += open.size();
    subject_.recording().Unload();
    if (too_many && !ended_) ended_ = Ended::kQuestions;
    if (ended_) return;
    const auto runnable =
        std::ranges::count_if(candidates, [](auto& each) { return each.program.has_value(); });
    result_.remembered += runnable - open.size();
    for (Candidate& candidate : candidates) {
      if (candidate.program) candidate.reply = memory_.at(candidate.hash);
    }
  }

  bool MayAsk() {
    if (options_.max_questions && result_.questions >= *options_.max_questions) ended_ = Ended::kQuestions;
    if (options_.deadline && std::chrono::steady_clock::now() >= *options_.deadline) ended_ = Ended::kTime;
    if (options_.stop()) ended_ = Ended::kStopped;
    return !ended_;
  }

  void Remember(const Candidate& candidate, Reply reply) {
    if (!reply.is_answer) {
      ended_ = Ended::kStopped;
      return;
    }
    const Reply& kept = memory_.emplace(candidate.hash, std::move(reply)).first->second;
    options_.on_answer({candidate.hash, *candidate.program, kept, strategy_name_, candidate.edit.what});
  }

  /// All edits that keep the failure together, if that works; otherwise the one that leaves least.
  std::vector<Learned> Accept(std::vector<Candidate>& candidates) {
    std::vector<Learned> learned;
    std::vector<size_t> good;
    for (size_t i = 0; i < candidates.size(); ++i) {
      learned.push_back({candidates[i].reply});
      if (IsProgress(candidates[i])) good.push_back(i);
    }
    if (good.size() > 1 && MoveToAll(candidates, good)) {
      for (const size_t i : good) learned[i].accepted = true;
      return learned;
    }
    if (!good.empty()) {
      const size_t best =
          *std::ranges::min_element(good, {}, [&](size_t i) { return SizeOf(*candidates[i].program); });
      learned[best].accepted = MoveTo(candidates[best]);
      if (learned[best].accepted) return learned;
    }
    for (Candidate& candidate : candidates) CountTry(candidate);
    return learned;
  }

  bool IsProgress(const Candidate& candidate) const {
    if (!candidate.program || !candidate.reply.fails()) return false;
    if (candidate.edit.acceptance != Acceptance::kIfSmaller)
      return candidate.edit.acceptance == Acceptance::kIfItFails;
    return SizeOf(*candidate.program) < SizeOf(subject_.program());
  }

  bool MoveToAll(const std::vector<Candidate>& candidates, const std::vector<size_t>& good) {
    std::optional<Subject> subject = subject_;
    for (const size_t i : good) {
      base::Result<Program> program = candidates[i].edit.apply(*subject);
      if (!program.ok()) return false;
      base::Result<Subject> next = subject_.With(*std::move(program));
      if (!next.ok()) return false;
      subject = *std::move(next);
    }
    std::vector<Candidate> merged(1);
    merged[0].edit.what = "several edits at once";
    SetProgram(merged[0], subject->program());
    AskAll(merged);
    return !ended_ && IsProgress(merged[0]) && MoveTo(merged[0]);
  }

  bool MoveTo(const Candidate& candidate) {
    base::Result<Subject> next = subject_.With(*candidate.program);
    if (!next.ok()) return false;
    subject_ = *std::move(next);
    last_move_ = turn_ + 1;
    result_.tried.clear();
    result_.passing.clear();
    options_.on_smaller({subject_.program(), candidate.reply, strategy_name_});
    return true;
  }

  /// The subject stays as it is.
  void CountTry(Candidate& candidate) {
    if (!candidate.program) return;
    if (result_.tried.empty() || result_.tried.back().strategy != strategy_name_)
      result_.tried.push_back({strategy_name_});
    Tried& tried = result_.tried.back();
    switch (candidate.reply.verdict.answer) {
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
          result_.passing.push_back({*std::move(candidate.program), candidate.edit.what, strategy_name_});
        break;
    }
  }

  Subject subject_;
  FailureCheck& check_;
  const SearchOptions& options_;
  KnownReplies memory_;
  std::string_view strategy_name_;
  size_t turn_ = 0;
  /// The turn behind the one that made the program what it is.
  size_t last_move_ = 0;
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
