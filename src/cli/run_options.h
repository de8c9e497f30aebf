// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/judge_options.h"
#include "cli/model_options.h"
#include "cli/open_script.h"
#include "cli/query_options.h"

namespace culprit::cli {

/// Of `culprit run`.
struct RunOptions {
  ScriptOptions script;
  QueryOptions query;
  /// If the file is one.
  ModelOptions model;
  /// Where a failure is written down, and as what if it has been signed already.
  std::string record;
  std::string record_as;
  uint64_t record_repeats = 1;
  uint64_t times = 1;
  /// Which set of inputs (check/query/sample_inputs.h), in a child.
  uint64_t sample = 0;
  /// Only for what is said about the file.
  bool load_only = false;
  uint64_t samples = 1;
  JudgeOptions judge;

  bool fp64 = false;
  bool json = false;
};

}  // namespace culprit::cli
