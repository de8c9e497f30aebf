// SPDX-License-Identifier: Apache-2.0
//
// The one question: does this graph still fail in the same way?
//
//   Characterize   what is the failure, and how often does it come?      once, at the beginning
//   Question       same failure, other failure, passes, invalid          for every candidate
//
// A compiler that fails only sometimes is asked again before "passes" is believed: so often that a failure
// would have shown with a probability of 99 %.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "backend/failure/failure_signature.h"
#include "backend/failure/match.h"
#include "backend/failure/question_verdict.h"
#include "base/result.h"
#include "check/verdict/sign.h"
#include "repro/repro.h"

namespace culprit::check {

/// Runs one query; in this process or another one. By several threads at once, if several are asked at a
/// time.
using AskOnce = std::function<base::Result<Finding>(const repro::Repro&)>;

/// A failure that is held fixed.
struct Expectation {
  backend::FailureSignature signature;
  backend::MatchMode match = backend::kDefaultMatchMode;
  /// How many queries it takes until the failure has shown with a probability of 99 %.
  int repeats = 1;
  /// It is far beyond the noise, so that what is not is no smaller form of it: a search for it would drift to
  /// rounding.
  bool is_clear = false;
};

/// ceil(log(0.01) / log(1 - probability)), at most kMostRepeats.
int RepeatsFor(double probability);
using repro::kMostRepeats;

/// The verdict on one finding. If the finding shows several signatures, the verdict has the expected one. A failure that is not
/// always the same (non-deterministic) is any difference in the results.
backend::QuestionVerdict Judge(const Finding& finding, const Expectation& expected);

struct QuestionReply {
  backend::QuestionVerdict verdict;
  /// Of the query that decided.
  Finding finding;
  int queries = 0;
};

/// The same failure as soon as it shows; otherwise what the last query has shown.
base::Result<QuestionReply> AskRepeatedly(const AskOnce& ask, const repro::Repro& repro,
                                          const Expectation& expected);

struct Character {
  /// Nothing if no query failed.
  std::optional<Expectation> expectation;
  /// Why there is no question to ask; empty if there is one.
  std::string invalid;
  /// Of the finding that says why.
  std::string help = {};
  int failures = 0;
  int queries = 0;
  /// Other failures that showed on the way, each once.
  std::vector<backend::FailureSignature> others;
  /// Those of kinds that were set aside, the first of each kind.
  std::vector<backend::FailureSignature> ignored = {};
  std::vector<std::string> warnings;

  bool is_flaky() const { return failures > 0 && failures < queries; }
};

struct CharacterizeOptions {
  backend::MatchMode match = backend::kDefaultMatchMode;
  /// Queries before a graph counts as passing or as failing always.
  int queries = 3;
  /// Queries to estimate how often a flaky failure shows.
  int queries_if_flaky = 20;
  /// But the first one is alone: what makes no sense is not asked again.
  int at_a_time = 1;
  /// As the queries ignore them. Only here it shows that a failure is non-deterministic.
  backend::FailureKinds ignored = {};
  /// Hears of each query before it is asked: which one it is, of how many as far as is known.
  std::function<void(int query, int queries)> on_query = [](int, int) {};
};

/// The first failure becomes the signature. If results are sometimes right, or wrong in another way, and
/// sometimes not, its kind is non-deterministic, and every wrong result counts.
base::Result<Character> Characterize(const AskOnce& ask, const repro::Repro& repro,
                                     const CharacterizeOptions& options = {});

}  // namespace culprit::check
