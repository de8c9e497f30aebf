// SPDX-License-Identifier: Apache-2.0
#include "check/question/question.h"

#include <algorithm>
#include <cmath>
#include <future>

namespace culprit::check {
namespace {

using backend::Answer;
using backend::FailureKind;
using backend::FailurePhase;
using backend::FailureSignature;
using backend::QuestionVerdict;

constexpr double kAcceptedMisses = 0.01;

bool IsSame(const FailureSignature& expected, const FailureSignature& met, backend::MatchMode match) {
  // Each run of a non-deterministic graph shows one of many faces, and it takes two runs to know it as one.
  const bool are_differences =
      expected.phase == FailurePhase::kCompare && met.phase == FailurePhase::kCompare;
  const bool is_any_difference =
      expected.kind == FailureKind::kNonDeterministic ||
      (met.kind == FailureKind::kNonDeterministic && IsAboutNumbers(expected.kind));
  return (are_differences && is_any_difference) || SameFailure(expected, met, match);
}

void AddOnce(std::vector<FailureSignature>& list, const FailureSignature& signature) {
  if (std::ranges::count(list, signature) == 0) list.push_back(signature);
}

void AddIgnored(const std::vector<FailureSignature>& ignored, Character& character) {
  for (const FailureSignature& signature : ignored) {
    if (std::ranges::count(character.ignored, signature.kind, &FailureSignature::kind) == 0)
      character.ignored.push_back(signature);
  }
}

/// Of what was met, what is the expected failure, and what is another.
void CountFailures(const std::vector<Finding>& met, Character& character) {
  character.failures = 0;
  character.others.clear();
  for (const Finding& finding : met) {
    const bool same = Judge(finding, *character.expectation).answer == Answer::kSameFailure;
    if (same) ++character.failures;
    if (!same) AddOnce(character.others, *finding.failure);
  }
}

/// At a time.
std::vector<base::Result<Finding>> AskSeveral(const AskOnce& ask, const repro::Repro& repro, int count) {
  std::vector<std::future<base::Result<Finding>>> others;
  for (int i = 1; i < count; ++i)
    others.push_back(std::async(std::launch::async, [&] { return ask(repro); }));
  std::vector<base::Result<Finding>> findings = {ask(repro)};
  for (auto& other : others) findings.push_back(other.get());
  return findings;
}

/// False: there is no question to ask.
bool AddFinding(const Finding& finding, backend::MatchMode match, std::vector<Finding>& met,
                Character& character) {
  character.warnings = finding.warnings;
  AddIgnored(finding.ignored, character);
  character.invalid = finding.invalid;
  if (!finding.invalid.empty()) character.help = finding.help;
  if (!finding.failure || !finding.invalid.empty()) return finding.invalid.empty();
  met.push_back(finding);
  if (!character.expectation) character.expectation = {*finding.failure, match, 1, !finding.is_near_noise};
  CountFailures(met, character);
  return true;
}

}  // namespace

int RepeatsFor(double probability) {
  if (probability >= 1) return 1;
  if (probability <= 0) return kMostRepeats;
  const double repeats = std::ceil(std::log(kAcceptedMisses) / std::log1p(-probability));
  return static_cast<int>(std::min<double>(repeats, kMostRepeats));
}

QuestionVerdict Judge(const Finding& finding, const Expectation& expected) {
  if (!finding.invalid.empty()) return {Answer::kInvalid, std::nullopt, finding.invalid};
  if (!finding.failure) return {Answer::kPasses};
  if (finding.is_near_noise && expected.is_clear)
    return {Answer::kPasses, std::nullopt, "what differs is not far beyond the noise"};
  if (IsSame(expected.signature, *finding.failure, expected.match))
    return {Answer::kSameFailure, finding.failure};
  for (const FailureSignature& also : finding.also) {
    if (IsSame(expected.signature, also, expected.match)) return {Answer::kSameFailure, also};
  }
  return {Answer::kOtherFailure, finding.failure,
          FirstDifference(expected.signature, *finding.failure, expected.match).value_or("")};
}

base::Result<QuestionReply> AskRepeatedly(const AskOnce& ask, const repro::Repro& repro,
                                          const Expectation& expected) {
  QuestionReply reply;
  while (reply.queries < expected.repeats) {
    ++reply.queries;
    reply.finding = CULPRIT_TRY(ask(repro));
    reply.verdict = Judge(reply.finding, expected);
    const Answer answer = reply.verdict.answer;
    if (answer == Answer::kSameFailure || answer == Answer::kInvalid) break;
  }
  return reply;
}

base::Result<Character> Characterize(const AskOnce& ask, const repro::Repro& repro,
                                     const CharacterizeOptions& options) {
  Character character;
  std::vector<Finding> met;
  int wanted = options.queries;
  while (character.queries < wanted) {
    const int count = character.queries == 0 ? 1 : std::min(options.at_a_time, wanted - character.queries);
    for (int i = 1; i <= count; ++i) options.on_query(character.queries + i, wanted);
    for (const base::Result<Finding>& asked : AskSeveral(ask, repro, count)) {
      const Finding finding = CULPRIT_TRY(asked);
      ++character.queries;
      if (!AddFinding(finding, options.match, met, character)) return character;
    }
    if (character.is_flaky()) wanted = options.queries_if_flaky;
  }
  if (!character.is_flaky()) return character;
  Expectation& expectation = *character.expectation;
  if (expectation.signature.phase == FailurePhase::kCompare)
    expectation.signature.kind = FailureKind::kNonDeterministic;
  CountFailures(met, character);
  if (options.ignored.contains(expectation.signature.kind)) {
    AddIgnored({expectation.signature}, character);
    character.expectation.reset();
    character.failures = 0;
    return character;
  }
  expectation.repeats = RepeatsFor(static_cast<double>(character.failures) / character.queries);
  return character;
}

}  // namespace culprit::check
