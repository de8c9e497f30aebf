// SPDX-License-Identifier: Apache-2.0
//
// Makes a repro smaller. Every step is on disk before the next one begins, so an interrupted run leaves the smallest
// repro so far, and can be resumed.
#pragma once

#include <chrono>
#include <optional>

#include "base/result.h"
#include "hunt/oracle/oracle.h"
#include "hunt/request/hunt_request.h"
#include "hunt/request/listener.h"
#include "hunt/result/report.h"
#include "hunt/run/trace.h"
#include "minify/search.h"
#include "repro/repro.h"
#include "repro/run_folder.h"

namespace culprit::hunt {

/// Without `resumed` it begins.
struct MinifyRepro {
  /// The original; its header names the compiler.
  repro::Repro repro;
  repro::RunFolder folder;
  Plan plan;
  std::optional<ReadTrace> resumed = std::nullopt;
  /// How many questions are asked at a time; the search goes the same way with any number.
  size_t jobs = 1;
  std::optional<size_t> max_questions = std::nullopt;
  std::optional<std::chrono::nanoseconds> max_time = std::nullopt;
  /// Beyond so many bytes, values that were recorded go to a file in the folder.
  std::optional<uint64_t> memory_bytes = std::nullopt;
  /// Whether the report says which switch of the compiler makes it pass.
  bool try_switches = true;
  /// Words that every command about the repro needs.
  std::string options = {};
  /// Those of a command that goes on with the workers.
  std::string worker_options = {};
};

/// An error if the original does not run in eager, or the strategies of the plan do not exist, or something
/// cannot be written: the disk is full. Then it stops at once; what is on disk is whole.
base::Result<Report> Minify(const MinifyRepro& job, Oracle& oracle, Listener& listener);

/// The user wants to, or nobody can be asked any more.
bool HasToStop(const Oracle& oracle, const Listener& listener);

}  // namespace culprit::hunt
