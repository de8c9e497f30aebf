// SPDX-License-Identifier: Apache-2.0
//
// A graph as a TorchScript function. Its executor goes on compiling at the calls.
#pragma once

#include <torch/csrc/jit/api/compilation_unit.h>

#include <memory>
#include <vector>

#include "backend/backend.h"
#include "backends/torchscript/script/build_graph.h"
#include "backends/torchscript/script/flag_scope.h"

namespace culprit::backends::torchscript {

class TorchScriptCompiled : public backend::Compiled {
 public:
  /// `kept` says which of a call's inputs the graph takes, in order.
  TorchScriptCompiled(BuiltGraph built, std::vector<size_t> kept, Flags flags);

  backend::Values Call(backend::Values& inputs) override;

 private:
  torch::jit::CompilationUnit unit_;
  torch::jit::Function* function_;
  backend::Values more_inputs_;
  std::vector<size_t> kept_;
  Flags flags_;
};

}  // namespace culprit::backends::torchscript
