// SPDX-License-Identifier: Apache-2.0
#include "compiler/run/operator_call.h"

namespace culprit::compiler::run {

OperatorCall::OperatorCall(const loops::LoopProgram& program, graph::NodeId node)
    : OperatorCall(program, program.graph->node(node), TakeCall(*program.graph, program.graph->node(node))) {}

OperatorCall::OperatorCall(const loops::LoopProgram& program, const graph::Node& node,
                           const graph::SingleCall& call)
    : interpreter_(call.graph) {
  const auto value_of = [&](graph::ValueId id) { return program.value_of[graph::Index(id)]; };
  for (const graph::ValueId id : call.takes) takes_.push_back(value_of(id));
  for (const graph::ValueId id : node.results) gives_.push_back(value_of(id));
}

}  // namespace culprit::compiler::run
