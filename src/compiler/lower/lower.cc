// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/lower.h"

#include <algorithm>

#include "compiler/lower/program_builder.h"
#include "compiler/lower/rules.h"
#include "compiler/lower/run_on_fakes.h"

namespace culprit::compiler::lower {
namespace {

using graph::NodeId;

/// Whether loops can load or compute it, if it is a tensor at all: there is none for a gradient that nobody
/// wants.
bool IsOrdinary(const ProgramBuilder& program, graph::ValueId id) {
  const c10::IValue& fake = program.Fake(id);
  if (!fake.isTensor()) return !fake.isTensorList();
  return !fake.toTensor().defined() || !program.Pending(id).is_opaque;
}

/// Whether it draws nothing and has ordinary tensors only, all that it takes and all that it gives. What is
/// written into, now or later, is opaque.
bool IsOrdinary(const ProgramBuilder& program, const graph::Node& node) {
  bool is_ordinary = !node.op->is_random();
  const auto check = [&](graph::ValueId id) { is_ordinary = is_ordinary && IsOrdinary(program, id); };
  for (const graph::Argument& argument : node.arguments) ForEachValue(argument, check);
  std::ranges::for_each(node.results, check);
  return is_ordinary;
}

void LowerNode(ProgramBuilder& program, NodeId id) {
  const graph::Node& node = program.graph().node(id);
  const Rule* rule = FindRule(node.op->qualified_name());
  const auto& applies = program.options().applies;
  if (rule != nullptr && IsOrdinary(program, node) && (!applies || applies(rule->op))) {
    const size_t values = program.values().size();
    Call call(program, id);
    if (!rule->lower(call)) program.TakeBack(id, values);
  }
  program.PlaceResults(id);
}

}  // namespace

loops::Program Lower(std::shared_ptr<const graph::Graph> graph, const std::vector<c10::IValue>& inputs,
                     const LowerOptions& options) {
  std::vector<c10::IValue> fakes = RunOnFakes(*graph, inputs);
  ProgramBuilder builder(std::move(graph), std::move(fakes), options);
  for (uint32_t i = 0; i < builder.graph().nodes().size(); ++i) LowerNode(builder, NodeId{i});
  loops::Program program = std::move(builder).Take();
  loops::Verify(program);
  return program;
}

}  // namespace culprit::compiler::lower
