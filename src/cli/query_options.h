// SPDX-License-Identifier: Apache-2.0
//
// Options of commands that put a graph through a compiler: which compiler, with which bug, within which
// limits, and when a failure is the same.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "backend/match.h"
#include "base/result.h"
#include "isolate/limits.h"
#include "repro/repro.h"

namespace culprit::cli {

struct QueryOptions {
  /// Nothing: what the file says.
  std::optional<std::string> backend;
  std::vector<std::string> faults;
  std::string freeze = "auto";
  std::optional<uint64_t> timeout_seconds;
  std::optional<uint64_t> memory_mib;

  /// The options keep pointing here.
  void Declare(CLI::App& app);

  isolate::Limits limits() const;
  /// What was given here wins over what the file says.
  void Apply(repro::Header& header) const;
};

/// Whether the header names a compiler other than plain eager.
bool NamesCompiler(const repro::Header& header);

/// If the backend of the header freezes parameters: says which placeholders are parameters, in the graph and
/// on standard error.
base::Status ChooseFrozen(repro::Repro& repro, const std::string& freeze);

/// Says on standard error which faults of the header are for no operator of the graph.
base::Status NoteIdleFaults(const repro::Repro& repro);

struct MatchOptions {
  backend::MatchMode match = backend::kDefaultMatchMode;

  void Declare(CLI::App& app);
};

}  // namespace culprit::cli
