// SPDX-License-Identifier: Apache-2.0
//
// A program that is called again and again, with and without a watcher.
#pragma once

#include <ATen/core/function.h>

#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "base/settings.h"
#include "capture/captured_program.h"

namespace culprit::bench {

/// One call of a program.
struct ProgramCall {
  torch::jit::Function* function = nullptr;
  std::vector<c10::IValue> arguments;
};

/// "tiny" has 20 operators on 4 elements, "tiny_writing" writes into its input besides; others are models of
/// torchvision's. All live as long as the process.
ProgramCall FindProgram(const std::string& name);

/// Captured at the first call.
class CapturedProgram {
 public:
  /// As Culprit compiles it, without anything of the watcher.
  static CapturedProgram Unwatched(const ProgramCall& call, const std::string& backend);
  /// As these settings say; what goes wrong with the watching is an internal error.
  static CapturedProgram Watched(const ProgramCall& call, const std::string& backend,
                                 const base::Settings& settings);

  c10::IValue Call();

  /// Of the one graph that a program becomes.
  const graph::Graph& graph() const { return program_->segments().at(0)->graph; }
  /// What that graph gets.
  const backend::Values& graph_inputs() const { return *graph_inputs_; }

 private:
  CapturedProgram(const ProgramCall& call, std::shared_ptr<backend::Backend> compiler, bool is_watched);

  ProgramCall call_;
  std::shared_ptr<backend::Values> graph_inputs_;
  std::unique_ptr<capture::CapturedProgram> program_;
  bool is_watched_;
};

}  // namespace culprit::bench
