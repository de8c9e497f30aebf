// SPDX-License-Identifier: Apache-2.0
//
// Runs a TorchScript model once, captured and with eager as the compiler, and keeps what there is to tell
// about it. For a process that may die: the model is a stranger's, and so is what it calls.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "capture/program.h"
#include "cli/joint_graphs.h"
#include "cli/model_options.h"
#include "model/load_model.h"

namespace culprit::cli {

struct CaptureRequest {
  std::string file;
  ModelOptions call;
  bool allow_file_operators = false;
  uint64_t seed = 0;
  bool fullgraph = false;
  /// Where each graph is written as a repro with its inputs; nowhere if empty.
  std::string graphs;
  /// How graphs are split into forward and backward; they are not if null.
  const autograd::PartitionMode* partition = nullptr;
  /// Hears every instruction of a walk.
  bool log_instructions = false;
};

struct CapturedModel {
  /// Segments mean its classes.
  model::LoadedModel model;
  /// "resnet18" of "models/resnet18.pt".
  std::string name = {};
  std::string method = {};
  std::vector<std::shared_ptr<const capture::Segment>> segments = {};
  /// Of each segment with operators, if they were asked for.
  std::vector<JointGraphs> joints = {};
  /// As the names of the graphs: of each segment with operators forward and backward, if they were asked for,
  /// and then the segment itself.
  std::vector<std::string> files = {};
  capture::Counters counters = {};
  /// Why something was captured again, and the instructions if they were asked for.
  std::vector<std::string> log = {};
  /// What the program threw, or why it is not the one graph that it has to be.
  std::optional<base::Diagnostic> failure = {};
};

/// Announces what it does next (isolate/query/task.h).
base::Result<CapturedModel> CaptureModel(const CaptureRequest& request);

}  // namespace culprit::cli
