// SPDX-License-Identifier: Apache-2.0
//
// Which compiler a graph is put through, with which bug, and within which limits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backend/failure/failure_kinds.h"
#include "base/result.h"
#include "isolate/query/limits.h"
#include "repro/repro.h"

namespace culprit::open {

struct CompilerRequest {
  /// Nothing: what the file says.
  std::optional<std::string> backend = std::nullopt;
  std::vector<std::string> faults = {};
  /// What the file names is used, whatever it is.
  bool trust = false;
  std::optional<std::string> freeze = std::nullopt;
  /// Kinds of failures that are set aside.
  backend::FailureKinds ignored = {};
  std::optional<uint64_t> timeout_seconds = std::nullopt;
  std::optional<uint64_t> memory_mib = std::nullopt;
  std::optional<uint64_t> cpu_seconds = std::nullopt;
  std::optional<uint64_t> output_kib = std::nullopt;

  /// What is set here holds exactly; the others may grow (check/query/query_limits.h).
  isolate::Limits limits() const;
  /// With those that a file records, where nobody says otherwise.
  isolate::Limits limits(const repro::Header& header) const;
  /// Takes over limits and ignored kinds that a file records, where nobody says otherwise.
  void TakeRecorded(const repro::Header& header);
  /// Writes down, among the settings, what a failure may depend on.
  void Remember(repro::Header& header) const;
  /// What is set here wins over what the file says. An error if the file names what only the user may name
  /// (backends/trust.h).
  base::Status Apply(repro::Header& header, const std::string& file) const;

 private:
  base::Status CheckRecorded(const repro::Header& header) const;
};

/// Whether the header names a compiler other than plain eager.
bool NamesCompiler(const repro::Header& header);

}  // namespace culprit::open
