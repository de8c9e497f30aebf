// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/lower.h"

#include <ATen/native/TypeProperties.h>

#include <algorithm>

#include "compiler/lower/fence_products.h"
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

/// Whether libtorch has a kernel for what it would compute in: the dtype that all operands are promoted to,
/// which may be an index beside a float, but a float of another dtype only where there is a kernel for it
/// too.
bool HasKernel(const ProgramBuilder& program, const graph::Node& node, const DtypeSet& dtypes) {
  at::native::ResultTypeState promoted = {};
  bool is_known = true;
  bool has_operands = false;
  const auto add = [&](graph::ValueId id) {
    if (program.Pending(id).is_opaque) return;
    const at::Tensor& tensor = program.Fake(id).toTensor();
    promoted = at::native::update_result_type_state(tensor, promoted);
    is_known = is_known && (!tensor.is_floating_point() || dtypes.contains(tensor.scalar_type()));
    has_operands = true;
  };
  for (const graph::Argument& argument : node.arguments) ForEachValue(argument, add);
  if (!has_operands) std::ranges::for_each(node.results, add);
  return is_known && dtypes.contains(at::native::result_type(promoted));
}

void LowerNode(ProgramBuilder& program, NodeId id) {
  const graph::Node& node = program.graph().node(id);
  const Rule* rule = FindRule(node.op->qualified_name());
  const auto& applies = program.options().applies;
  const bool is_for_rule =
      rule != nullptr && IsOrdinary(program, node) && HasKernel(program, node, rule->dtypes);
  if (is_for_rule && (!applies || applies(rule->op))) {
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
  if (!options.exact) FenceProducts(program);
  loops::Verify(program);
  return program;
}

}  // namespace culprit::compiler::lower
