// SPDX-License-Identifier: Apache-2.0
//
// Runs the graph of a file once: with a compiler if the file or the user names one, else in eager. What
// `culprit run` shows.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "check/one_run/compiled_run.h"
#include "check/one_run/eager_run.h"
#include "tasks/read_task.h"

namespace culprit::tasks {

struct RunRequest {
  LoadRequest load;
  /// In eager: how far outputs are from float64, and no verdict.
  bool fp64 = false;
  /// Where a failure is written down; nowhere if empty.
  std::string record = {};
  /// Whether the answer has what the compiler shows of its work.
  bool wants_insight = false;
  /// Nothing is called, so that a compiler can show its work on what ends the process.
  bool only_compiles = false;
};

/// One of them.
struct RunAnswer {
  std::optional<check::EagerRun> eager;
  /// Eager against float64.
  std::optional<check::Judgement> judged;
  std::optional<check::CompiledRun> compiled;
  /// Why the failure could not be written down.
  std::optional<base::Diagnostic> record_error = std::nullopt;
  /// Texts of the compiler by the name of a file (backend/insight.h).
  std::map<std::string, std::string> insight = {};
};

/// An error with cause kReference if eager fails.
base::Result<RunAnswer> RunFile(const RunRequest& request, open::Notes& notes);
inline constexpr TypedTask<RunRequest, RunAnswer> kRunTask = {"run"};

/// Writes a failure down that a process died of, or that several runs have shown.
struct RecordRequest {
  LoadRequest load;
  /// As JSON.
  std::string signature;
  /// How many queries it takes until it shows.
  int repeats = 1;
  std::string path;
};
struct RecordAnswer {};

base::Result<RecordAnswer> RecordFailure(const RecordRequest& request, open::Notes& notes);
inline constexpr TypedTask<RecordRequest, RecordAnswer> kRecordTask = {"record"};

}  // namespace culprit::tasks
