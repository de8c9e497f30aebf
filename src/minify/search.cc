// SPDX-License-Identifier: Apache-2.0
#include "minify/search.h"

#include <algorithm>
#include <future>

#include "minify/size.h"

namespace culprit::minify {
namespace {

struct Candidate {
  Edit edit;
  std::optional<Program> program;
  graph::Hash128 hash;
  Reply reply = {Answer::kInvalid};
};

class Search {
 public:
  Search(Subject subject, FailureCheck& check, const SearchOptions& options)
      : subject_(std::move(subject)), check_(check), options_(options), memory_(options.remembered) {}

  SearchResult Run() {
    bool first_round = true;
    do {
      moved_ = false;
      for (const StrategyEntry& entry : options_.strategies) {
        if (ended_) break;
        if (first_round || !entry.once) RunStrategy(entry);
      }
      first_round = false;
    } while (moved_ && !ended_);
    result_.program = subject_.program();
    result_.ended = ended_.value_or(Ended::kMinimal);
    return std::move(result_);
  }

 private:
  void RunStrategy(const StrategyEntry& entry) {
    strategy_name_ = entry.name;
    const std::unique_ptr<Strategy> strategy = entry.make();
    while (!ended_) {
      std::vector<Candidate> candidates;
      for (Edit& edit : strategy->Propose(subject_, options_.jobs))
        candidates.push_back(Apply(std::move(edit)));
      if (candidates.empty()) return;
      AskAll(candidates);
      if (ended_) return;
      std::vector<Learned> learned = Accept(candidates);
      strategy->Learn(learned);
    }
  }

  Candidate Apply(Edit edit) const {
    Candidate candidate{std::move(edit)};
    base::Result<Program> program = candidate.edit.apply(subject_);
    if (!program.ok()) return candidate;
    candidate.program = *std::move(program);
    candidate.hash = graph::StructuralHash(candidate.program->graph, candidate.program->inputs);
    return candidate;
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
    std::vector<std::future<Reply>> replies;
    for (size_t i = 1; i < open.size(); ++i) {
      replies.push_back(std::async(std::launch::async, [&, i] { return check_.Ask(*open[i]->program); }));
    }
    if (!open.empty()) Remember(*open[0], check_.Ask(*open[0]->program));
    for (size_t i = 1; i < open.size(); ++i) Remember(*open[i], replies[i - 1].get());
    for (Candidate& candidate : candidates) {
      if (candidate.program) candidate.reply = memory_.at(candidate.hash);
    }
    result_.questions += open.size();
    result_.remembered += candidates.size() - open.size();
  }

  bool MayAsk() {
    if (options_.stop()) ended_ = Ended::kStopped;
    if (options_.max_questions && result_.questions >= *options_.max_questions) ended_ = Ended::kQuestions;
    if (options_.deadline && std::chrono::steady_clock::now() >= *options_.deadline) ended_ = Ended::kTime;
    return !ended_;
  }

  void Remember(const Candidate& candidate, Reply reply) {
    const Reply& kept = memory_.emplace(candidate.hash, std::move(reply)).first->second;
    options_.on_answer({candidate.hash, *candidate.program, kept, strategy_name_, candidate.edit.what});
    if (kept.answer != Answer::kPasses) return;
    const bool smallest = !result_.passing || SizeOf(*candidate.program) < SizeOf(*result_.passing);
    if (smallest) result_.passing = *candidate.program;
  }

  /// All edits that keep the failure together, if that works; otherwise the one that leaves least.
  std::vector<Learned> Accept(std::vector<Candidate>& candidates) {
    std::vector<Learned> learned;
    for (const Candidate& candidate : candidates) learned.push_back({candidate.reply});
    std::vector<size_t> good;
    for (size_t i = 0; i < candidates.size(); ++i) {
      const Candidate& candidate = candidates[i];
      const bool fails = candidate.program && candidate.reply.answer == Answer::kSameFailure;
      if (fails && SizeOf(*candidate.program) < SizeOf(subject_.program())) good.push_back(i);
    }
    if (good.empty()) return learned;
    if (good.size() > 1 && MoveToAll(candidates, good)) {
      for (const size_t i : good) learned[i].accepted = true;
      return learned;
    }
    const size_t best =
        *std::ranges::min_element(good, {}, [&](size_t i) { return SizeOf(*candidates[i].program); });
    learned[best].accepted = MoveTo(*std::move(candidates[best].program));
    return learned;
  }

  bool MoveToAll(const std::vector<Candidate>& candidates, const std::vector<size_t>& good) {
    std::optional<Subject> subject = subject_;
    for (const size_t i : good) {
      base::Result<Program> program = candidates[i].edit.apply(*subject);
      if (!program.ok()) return false;
      base::Result<Subject> next = Subject::Make(*std::move(program));
      if (!next.ok()) return false;
      subject = *std::move(next);
    }
    std::vector<Candidate> merged(1);
    merged[0].edit.what = "several edits at once";
    merged[0].program = subject->program();
    merged[0].hash = graph::StructuralHash(subject->graph(), subject->program().inputs);
    AskAll(merged);
    if (ended_ || merged[0].reply.answer != Answer::kSameFailure) return false;
    return MoveTo(*std::move(merged[0].program));
  }

  bool MoveTo(Program program) {
    base::Result<Subject> next = Subject::Make(std::move(program));
    if (!next.ok()) return false;
    subject_ = *std::move(next);
    moved_ = true;
    options_.on_smaller(subject_.program(), strategy_name_);
    return true;
  }

  Subject subject_;
  FailureCheck& check_;
  const SearchOptions& options_;
  Memory memory_;
  std::string_view strategy_name_;
  bool moved_ = false;
  std::optional<Ended> ended_;
  SearchResult result_;
};

}  // namespace

base::Result<SearchResult> Minimize(Program program, FailureCheck& check, const SearchOptions& options) {
  return Search(CULPRIT_TRY(Subject::Make(std::move(program))), check, options).Run();
}

}  // namespace culprit::minify
