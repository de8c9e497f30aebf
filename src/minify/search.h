// SPDX-License-Identifier: Apache-2.0
//
// The search: takes the strategies in order, asks about what they propose, and goes on from whatever still
// fails in the same way and is smaller (size.h), until no strategy finds anything more. It depends on nothing
// but the answers, so a search that is repeated with the same answers goes the same way; that is how an
// interrupted one is taken up again. With several questions at a time it goes the same way, too: the others
// are asked ahead (look_ahead.h).
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/analysis/structural_hash.h"
#include "minify/failure_check.h"
#include "minify/program/program.h"
#include "minify/strategy.h"

namespace culprit::minify {

using KnownReplies = std::map<graph::Hash128, Reply>;

/// A question that was put to the check.
struct Asked {
  graph::Hash128 hash;
  const Program& program;
  const Reply& reply;
  std::string_view strategy;
  const std::string& edit;
};

/// Where the search has arrived.
struct Smaller {
  const Program& program;
  const Reply& reply;
  std::string_view strategy;
};

struct SearchOptions {
  /// In the order in which they are tried.
  std::vector<StrategyEntry> strategies;
  /// How many questions are asked at a time.
  size_t jobs = 1;
  std::optional<size_t> max_questions;
  std::optional<std::chrono::steady_clock::time_point> deadline;
  /// Asked between questions; the search ends with what it has.
  std::function<bool()> stop = [] { return false; };
  /// Answers from an earlier search. They cost nothing.
  KnownReplies remembered = {};
  /// Without them all operators cost the same.
  std::shared_ptr<const Costs> costs = nullptr;
  /// Of the values that are recorded in eager runs. Without them all is kept in memory.
  std::optional<graph::RecordingLimits> recording_limits = std::nullopt;
  /// What the check says of the program itself: that it fails, and where.
  Reply first = {{Answer::kSameFailure}};
  /// In the order in which a search with one question at a time asks.
  std::function<void(const Asked&)> on_answer = [](const Asked&) {};
  /// A smaller program that fails in the same way, also when that was remembered.
  std::function<void(const Smaller&)> on_smaller = [](const Smaller&) {};
};

enum class Ended : uint8_t { kMinimal, kQuestions, kTime, kStopped };

/// What a strategy has tried on the program that is left, and how often that gave which answer.
struct Tried {
  std::string_view strategy;
  size_t passes = 0;
  size_t other_failures = 0;
  /// Does not run in eager.
  size_t invalid = 0;
  /// Fails in the same way and is not smaller.
  size_t not_smaller = 0;
};

/// A program that passes, and the edit that makes it of the one that fails.
struct Neighbour {
  Program program;
  std::string edit;
  std::string_view strategy;
};

struct SearchResult {
  Program program;
  Ended ended = Ended::kMinimal;
  /// Questions that were put to the check, and those that were answered from memory.
  size_t questions = 0;
  size_t remembered = 0;
  /// Questions beside these, which were asked ahead and did not arise.
  size_t asked_in_vain = 0;
  /// About the program that is left: complete if the search ended with kMinimal.
  std::vector<Tried> tried;
  /// Of the program that is left; the first ones of each strategy.
  std::vector<Neighbour> passing;
};

/// The program is known to fail. Refused with the reason if it does not run in eager.
base::Result<SearchResult> Minimize(Program program, FailureCheck& check, const SearchOptions& options);

}  // namespace culprit::minify
