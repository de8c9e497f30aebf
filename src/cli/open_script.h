// SPDX-License-Identifier: Apache-2.0
//
// Opening a graph's file from the command line: options, warnings, and the error text.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "base/result.h"
#include "graph/text/script.h"
#include "repro/read_repro.h"

namespace culprit::cli {

struct ScriptOptions {
  std::string file;
  std::optional<size_t> which;
  std::string device;

  void Declare(CLI::App& app);
};

/// Reads the file, checks the graph, maps devices if asked to. Warnings go to standard error.
base::Result<graph::text::Script> OpenScript(const ScriptOptions& options);

/// The same with everything that running it needs: inputs, and what a header says. The header names
/// those that hold random numbers.
base::Result<repro::Repro> OpenRepro(const ScriptOptions& options);

}  // namespace culprit::cli
