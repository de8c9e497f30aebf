// SPDX-License-Identifier: Apache-2.0
//
// Opening a graph's file from the command line: options, warnings, and the error text.
#pragma once

#include <c10/core/Device.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "repro/read_repro.h"

namespace culprit::cli {

struct ScriptOptions {
  /// "-" is standard input.
  std::string file;
  std::optional<size_t> which;
  std::optional<at::Device> device;
  std::string store;
  /// Loaded before the file is read: they bring operators.
  std::vector<std::string> libraries;
  bool allow_file_operators = false;

  /// For a command that takes models, too: the number or name of a graph, in the place of `which`.
  std::string which_name;

  enum class Which : uint8_t { kNumber, kNumberOrName };
  /// The options keep pointing here.
  void Declare(CLI::App& app, Which graphs = Which::kNumber);
  /// The file as errors name it.
  std::string shown_file() const { return file == "-" ? "<stdin>" : file; }
  /// Options that every command needs about a file with this graph.
  std::vector<std::string> words_for_reading() const;
};

/// Loads the libraries, reads the file, checks the graph, maps devices if asked to. Warnings go to standard
/// error. With `trust` all of the configuration that a script of PyTorch's has is used.
base::Result<repro::ReadRepro> OpenScript(const ScriptOptions& options, bool trust = false);

/// Makes the inputs of a script that can be run here. A note on standard error says which of them are random;
/// the header names them too.
base::Result<repro::Repro> LoadInputs(repro::ReadRepro read, const ScriptOptions& options,
                                      std::optional<uint64_t> seed);

}  // namespace culprit::cli
