// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/lower.h"

#include <ATen/Dispatch.h>
#include <ATen/core/jit_type.h>
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

bool FitsInto(const c10::Scalar& number, at::ScalarType dtype) {
  if (number.isComplex()) return false;
  // True is what every other number than 0 becomes.
  if (dtype == at::kBool) return true;
  return AT_DISPATCH_ALL_TYPES_AND2(at::kHalf, at::kBFloat16, dtype, "FitsInto", [&] {
    return number.isFloatingPoint() ? !c10::overflows<scalar_t>(number.toDouble())
                                    : !c10::overflows<scalar_t>(number.toLong());
  });
}

/// The dtype that the number is brought to: that of the result, or if this only says yes or no, the one that
/// operands and the number have in common.
at::ScalarType DtypeOf(const c10::Scalar& number, const ProgramBuilder& program, const graph::Node& node) {
  const at::ScalarType dtype = program.Pending(node.results[0]).dtype;
  if (dtype != at::kBool) return dtype;
  at::native::ResultTypeState promoted = at::native::update_result_type_state(number, {});
  for (const graph::Argument& argument : node.arguments)
    if (argument.is_value() && !program.Pending(argument.value()).is_opaque)
      promoted = at::native::update_result_type_state(program.Fake(argument.value()).toTensor(), promoted);
  return at::native::result_type(promoted);
}

/// Whether the dtype has all numbers that stand in the places of operands. Most operators of libtorch refuse
/// others, the rest have ways of their own to make them fit.
bool NumbersFit(const ProgramBuilder& program, const graph::Node& node) {
  for (size_t i = 0; i < node.arguments.size(); ++i) {
    const c10::TypePtr& slot = node.op->schema().arguments()[i].type();
    const bool is_operand =
        c10::NumberType::get()->isSubtypeOf(*slot) || c10::TensorType::get()->isSubtypeOf(*slot);
    const graph::Argument& argument = node.arguments[i];
    if (!is_operand || argument.is_list()) continue;
    const c10::IValue& given = argument.is_value() ? program.Fake(argument.value()) : argument.constant();
    if (!given.isScalar()) continue;
    const c10::Scalar number = given.toScalar();
    if (!FitsInto(number, DtypeOf(number, program, node))) return false;
  }
  return true;
}

void LowerNode(ProgramBuilder& program, NodeId id) {
  const graph::Node& node = program.graph().node(id);
  const LoweringRule* rule = FindRule(node.op->qualified_name());
  const auto& applies = program.options().applies;
  const bool is_for_rule = rule != nullptr && IsOrdinary(program, node) &&
                           HasKernel(program, node, rule->dtypes) && NumbersFit(program, node);
  if (is_for_rule && (!applies || applies(rule->op))) {
    const size_t values = program.values().size();
    Call call(program, id);
    if (!rule->lower(call)) program.TakeBack(id, values);
  }
  program.PlaceResults(id);
}

}  // namespace

loops::LoopProgram Lower(std::shared_ptr<const graph::Graph> graph, const std::vector<c10::IValue>& inputs,
                         const LowerOptions& options) {
  std::vector<c10::IValue> fakes = RunOnFakes(*graph, inputs);
  ProgramBuilder builder(std::move(graph), std::move(fakes), options);
  for (uint32_t i = 0; i < builder.graph().nodes().size(); ++i) LowerNode(builder, NodeId{i});
  loops::LoopProgram program = std::move(builder).Take();
  if (!options.exact) FenceProducts(program);
  loops::Verify(program);
  return program;
}

}  // namespace culprit::compiler::lower
