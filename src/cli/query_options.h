// SPDX-License-Identifier: Apache-2.0
//
// Options of commands that put a graph through a compiler: which compiler, with which bug, within which
// limits, and when a failure is the same.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "backend/failure/failure_kinds.h"
#include "backend/failure/match.h"
#include "base/result.h"
#include "isolate/query/limits.h"
#include "repro/repro.h"

namespace culprit::cli {

struct QueryOptions {
  /// Nothing: what the file says.
  std::optional<std::string> backend;
  std::vector<std::string> faults;
  /// What the file names is used, whatever it is.
  bool trust = false;
  std::optional<std::string> freeze;
  /// Kinds of failures that are set aside.
  backend::FailureKinds ignored;
  std::optional<uint64_t> timeout_seconds;
  std::optional<uint64_t> memory_mib;
  std::optional<uint64_t> cpu_seconds;
  std::optional<uint64_t> output_kib;

  /// The options keep pointing here.
  void Declare(CLI::App& app);

  /// What is given here holds exactly; the others may grow (check/query/query_limits.h).
  isolate::Limits limits() const;
  /// With those that a file records, where nobody says otherwise.
  isolate::Limits limits(const repro::Header& header) const;
  /// Takes over limits and ignored kinds that a file records, where nobody says otherwise.
  void TakeRecorded(const repro::Header& header);
  /// Writes down, among the settings, what a failure may depend on.
  void Remember(repro::Header& header) const;
  /// What was given here wins over what the file says. An error if the file names what only the user may name
  /// (backends/trust.h).
  base::Status Apply(repro::Header& header, const std::string& file) const;

 private:
  base::Status CheckRecorded(const repro::Header& header) const;
};

/// Whether the header names a compiler other than plain eager.
bool NamesCompiler(const repro::Header& header);

/// If the backend of the header freezes parameters: says which placeholders are parameters, in the graph and
/// on standard error.
base::Status ChooseFrozen(repro::Repro& repro, const QueryOptions& options);

/// Says on standard error which faults of the header are for no operator of the graph.
base::Status NoteIdleFaults(const repro::Repro& repro);

struct MatchOptions {
  backend::MatchMode match = backend::kDefaultMatchMode;

  void Declare(CLI::App& app);
};

}  // namespace culprit::cli
