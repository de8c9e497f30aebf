// SPDX-License-Identifier: Apache-2.0
//
// Runs a TorchScript model once, captured and with eager as the compiler, and keeps what there is to tell
// about it. For a process that may die: the model is a stranger's, and so is what it calls.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "explain/call_request.h"
#include "explain/explanation.h"

namespace culprit::explain {

struct CaptureRequest {
  std::string file;
  /// It is standard input, or a pipe.
  bool is_piped = false;
  CallRequest call = {};
  /// Loaded before the model.
  std::vector<std::string> libraries = {};
  bool allow_file_operators = false;
  uint64_t seed = 0;
  bool fullgraph = false;
  /// Where each graph is written as a repro with its inputs; nowhere if empty.
  std::string graphs = {};
  /// How graphs are split into forward and backward (autograd::kPartitionModes); they are not if empty.
  std::string partition = {};
  /// The log has every instruction of a walk.
  bool log_instructions = false;
};

/// The name of the model, for folders and graphs.
std::string ModelName(const std::string& file);

/// Announced until the model runs (isolate/query/task.h).
inline constexpr std::string_view kModelLoadPhase = "loading the model";

/// Announces what it does next.
base::Result<Explanation> CaptureModel(const CaptureRequest& request);

}  // namespace culprit::explain
