// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "compiler/loops/loop_program.h"
#include "graph/passes/single_call.h"
#include "graph/run/interpreter.h"

namespace culprit::compiler::run {

/// One node of a program's graph as libtorch computes it.
class OperatorCall {
 public:
  OperatorCall(const loops::LoopProgram& program, graph::NodeId node);

  /// The values it takes, each once.
  const std::vector<loops::ValueIndex>& takes() const { return takes_; }
  const std::vector<loops::ValueIndex>& gives() const { return gives_; }

  std::vector<c10::IValue> operator()(std::vector<c10::IValue> taken) const {
    return interpreter_.Run(std::move(taken));
  }

 private:
  OperatorCall(const loops::LoopProgram& program, const graph::Node& node, const graph::SingleCall& call);

  std::vector<loops::ValueIndex> takes_;
  std::vector<loops::ValueIndex> gives_;
  graph::Interpreter interpreter_;
};

}  // namespace culprit::compiler::run
