// SPDX-License-Identifier: Apache-2.0
//
// Commands about graphs, for a TorchScript model: a process of its own captures it and writes its graphs as
// repros, which are then what the command is about, one after the other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "cli/model_options.h"
#include "cli/open_script.h"
#include "isolate/query/limits.h"
#include "isolate/query/outcome.h"

namespace culprit::cli {

/// An archive of TorchScript; or any file that is to be called, since options say how.
bool IsModel(const std::string& file, const ModelOptions& options);

/// The name of the model, for folders and graphs.
std::string ModelName(const std::string& file);

/// A command line about the model as one about a file of its graphs.
std::vector<std::string> WithGraph(const std::vector<std::string>& words, const std::string& model,
                                   const std::string& graph);

/// Announced until the model runs (isolate/query/task.h).
inline constexpr std::string_view kModelLoadPhase = "loading the model";

/// That of the process that loaded and captured a model: what it was doing, how it ended, and where.
base::Diagnostic DeathWhileCapturing(const std::string& file, const isolate::Outcome& death);
std::string DeathAsJson(const std::string& file, const isolate::Outcome& death);

struct ModelGraphs {
  /// In the order of the program.
  std::vector<std::string> files;
  /// The program threw: graphs behind that are not known.
  bool is_cut_off = false;
};

struct CaptureLimits {
  std::optional<uint64_t> seconds;
  std::optional<uint64_t> memory_mib;
};

/// Into `folder`, a temporary one. Gives the exit code, and has told what went wrong if it is not success; if
/// the process that loads and captures the model dies, what it was doing then.
int CaptureGraphs(const ScriptOptions& script, const ModelOptions& model, std::optional<uint64_t> seed,
                  const CaptureLimits& limits, const std::string& folder, ModelGraphs& graphs);

}  // namespace culprit::cli
