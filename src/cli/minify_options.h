// SPDX-License-Identifier: Apache-2.0
//
// Options of the commands that make a failing program smaller.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/judge_options.h"
#include "cli/model_options.h"
#include "cli/open_script.h"
#include "cli/query_options.h"

namespace culprit::cli {

struct MinifyOptions {
  ScriptOptions script;
  QueryOptions query;
  JudgeOptions judge;
  MatchOptions match;
  /// If the file is one.
  ModelOptions model;
  /// The file is a graph of a model, and gone when the command is done.
  bool is_captured = false;
  /// Where run folders are made.
  std::string out;
  /// The folder of a run that was interrupted.
  std::string resume;
  /// A program that answers instead of a compiler.
  std::string check;
  std::vector<std::string> only;
  std::vector<std::string> skip;
  std::optional<uint64_t> jobs;
  std::optional<uint64_t> max_queries;
  std::optional<uint64_t> max_seconds;
  uint64_t samples = 1;
  /// Whether the report says which switch of the compiler makes it pass.
  bool switches = true;
  /// Of a model: each graph that fails is made smaller, not only the first.
  bool all = false;
  bool json = false;

  /// The options that both commands have; they keep pointing here.
  void Declare(CLI::App& app, ScriptOptions::Which graphs);

  /// The names of the strategies that are wanted, in order. The error names the nearest that exists.
  base::Result<std::vector<std::string>> strategies() const;
};

}  // namespace culprit::cli
