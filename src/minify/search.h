// SPDX-License-Identifier: Apache-2.0
//
// The search: takes the strategies in order, asks about what they propose, and goes on from whatever still
// fails in the same way, until no strategy finds anything more. It depends on nothing but the answers, so a
// search that is repeated with the same answers goes the same way; that is how an interrupted one is taken up
// again.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/structural_hash.h"
#include "minify/failure_check.h"
#include "minify/program.h"
#include "minify/strategy.h"

namespace culprit::minify {

using Memory = std::map<graph::Hash128, Reply>;

struct Asked {
  graph::Hash128 hash;
  const Program& program;
  const Reply& reply;
  std::string_view strategy;
  std::string_view edit;
};

struct SearchOptions {
  /// In the order in which they are tried.
  std::span<const StrategyEntry> strategies;
  size_t jobs = 1;
  std::optional<size_t> max_questions;
  std::optional<std::chrono::steady_clock::time_point> deadline;
  /// Asked between questions; the search ends with what it has.
  std::function<bool()> stop = [] { return false; };
  /// Answers from an earlier search. They cost nothing.
  Memory remembered = {};
  std::function<void(const Asked&)> on_answer = [](const Asked&) {};
  /// A smaller program that fails in the same way.
  std::function<void(const Program&, std::string_view strategy)> on_smaller = [](const Program&,
                                                                                 std::string_view) {};
};

enum class Ended : uint8_t { kMinimal, kQuestions, kTime, kStopped };

struct SearchResult {
  Program program;
  Ended ended = Ended::kMinimal;
  /// Questions that were put to the check, and those that were answered from memory.
  size_t questions = 0;
  size_t remembered = 0;
  /// The smallest program that was asked about and passes, if there is one.
  std::optional<Program> passing = std::nullopt;
};

/// The program is known to fail. Refused with the reason if it does not run in eager.
base::Result<SearchResult> Minimize(Program program, FailureCheck& check, const SearchOptions& options);

}  // namespace culprit::minify
