// SPDX-License-Identifier: Apache-2.0
//
// A repro is made smaller, and every step is on disk before the next one begins: whoever is interrupted has
// the smallest repro so far, and can go on.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "base/result.h"
#include "hunt/report.h"
#include "hunt/trace.h"
#include "minify/search.h"
#include "repro/repro.h"
#include "repro/run_folder.h"

namespace culprit::hunt {

struct Progress {
  size_t operators_before = 0;
  size_t operators = 0;
  /// With those before an interruption.
  size_t questions = 0;
  std::string_view strategy;
};

/// Without `resumed` it begins.
struct MinifyRepro {
  /// The original; its header names the compiler.
  repro::Repro repro;
  repro::RunFolder folder;
  Plan plan;
  std::optional<ReadTrace> resumed = std::nullopt;
  std::optional<size_t> max_questions = std::nullopt;
  std::optional<std::chrono::nanoseconds> max_time = std::nullopt;
  /// Beyond so many bytes, values that were recorded go to a file in the folder.
  std::optional<uint64_t> memory_bytes = std::nullopt;
  std::function<bool()> stop = [] { return false; };
  std::function<void(const Progress&)> on_progress = [](const Progress&) {};
  /// Whether the file fails in the same way in a process that is started for it. An error if nobody can be
  /// asked.
  std::function<base::Result<Verification>(const std::string& path)> verify;
  /// One query about any program, for what the report says of it; nothing if a judge answers.
  std::function<base::Result<check::Finding>(const repro::Repro&)> ask = nullptr;
  /// Whether the report says which switch of the compiler makes it pass.
  bool try_switches = true;
  /// Words that every command about the repro needs.
  std::string options = {};
  /// What a user sees who runs the file, as text.
  std::function<std::string(const std::string& path)> show = [](const std::string&) { return ""; };
};

/// An error if the original does not run in eager, or the strategies of the plan do not exist, or something
/// cannot be written: the disk is full. Then it stops at once; what is on disk is whole.
base::Result<Report> Minify(const MinifyRepro& job, minify::FailureCheck& check);

/// The plan's strategies, from the table. The error names the nearest that exists.
base::Result<std::vector<minify::StrategyEntry>> StrategiesNamed(const std::vector<std::string>& names);

}  // namespace culprit::hunt
