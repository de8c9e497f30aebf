// SPDX-License-Identifier: Apache-2.0
//
// Options that say how a graph is run and when its numbers are wrong.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <vector>

#include "repro/header/header.h"

namespace culprit::cli {

/// What the file says, unless these say otherwise.
struct JudgeOptions {
  std::optional<uint64_t> seed;
  std::optional<repro::Accuracy> accuracy;
  std::optional<double> tolerance;
  std::optional<uint64_t> calls;
  std::optional<repro::Autocast> autocast;
  bool only_forward = false;

  /// The options keep pointing here. Gives those of which only one can be given.
  std::vector<CLI::Option*> Declare(CLI::App& app);

  void Apply(repro::Header& header) const;
};

/// Of these only one can be given.
void Exclude(const std::vector<CLI::Option*>& options);

}  // namespace culprit::cli
