// SPDX-License-Identifier: Apache-2.0
//
// What is hunted, where, and how far.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend/failure/match.h"
#include "base/result.h"
#include "explain/call_request.h"
#include "minify/strategy.h"
#include "open/compiler_request.h"
#include "open/file_request.h"
#include "open/judge_request.h"
#include "repro/header/header.h"
#include "repro/run_folder.h"

namespace culprit::hunt {

enum class Purpose : uint8_t {
  /// Is there a failure? If so, which?
  kHunt,
  /// There is one, perhaps recorded in the file.
  kMinify,
};

struct HuntRequest {
  Purpose purpose = Purpose::kHunt;
  open::FileRequest file = {};
  open::CompilerRequest compiler = {};
  open::JudgeRequest judge = {};
  backend::MatchMode match = backend::kDefaultMatchMode;

  /// The file is a TorchScript model, which is called so.
  bool is_model = false;
  explain::CallRequest call = {};
  /// Of a model: the name or number of a graph; all graphs if empty.
  std::string graph = {};
  /// Of a model: each graph that fails is made smaller, not only the first.
  bool all = false;
  /// A folder for the graphs of a model. Its maker removes it.
  std::string scratch = {};

  /// Where run folders are made.
  std::string out = repro::kDefaultRunsFolder;
  /// The folder of a run that was interrupted.
  std::string resume = {};
  /// A program of the user that answers instead of a compiler.
  std::string judge_program = {};
  /// Names of strategies.
  std::vector<std::string> only = {};
  std::vector<std::string> skip = {};
  std::optional<uint64_t> jobs = std::nullopt;
  /// A command that starts workers elsewhere (tasks/workers.h), one for each job; empty: there are none.
  std::string launcher = {};
  std::optional<uint64_t> max_questions = std::nullopt;
  std::optional<uint64_t> max_seconds = std::nullopt;
  uint64_t samples = 1;
  /// Whether the report says which switch of the compiler makes it pass.
  bool switches = true;
};

/// From the table. The error names the nearest that exists.
base::Result<std::vector<minify::StrategyEntry>> StrategiesNamed(const std::vector<std::string>& names);

/// How many questions are asked at a time.
size_t JobsOf(const HuntRequest& request);
/// The same where it is known what is asked: a server compiles with one thread, so that two cores have two at work.
size_t JobsOf(const HuntRequest& request, const repro::Header& header);

/// The names of the strategies that are wanted, in order. The error names the nearest that exists.
base::Result<std::vector<std::string>> WantedStrategies(const HuntRequest& request);

}  // namespace culprit::hunt
