// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/build_kernel.h"

#include <algorithm>
#include <map>

#include "compiler/schedule/index/flat_index.h"

namespace culprit::compiler::schedule {
namespace {

using loops::BodyCopy;
using loops::Expression;
using loops::ExprId;
using loops::Kernel;
using loops::Loop;
using loops::LoopKind;
using loops::Op;
using loops::Stage;
using loops::ValueIndex;

// Whether a stage knows what a member has computed: in the same loop, or once for all of them.
bool IsInRegister(const Group& group, const Member& maker, uint32_t stage) {
  return maker.stage == stage || (group.outer && group.stages[maker.stage].variables.empty());
}

class KernelBuilder {
 public:
  KernelBuilder(const loops::LoopProgram& program, const Resolved& resolved, const Group& group,
                const std::vector<bool>& in_memory, NumberWriter numbers)
      : program_(program),
        resolved_(resolved),
        group_(group),
        in_memory_(in_memory),
        numbers_(numbers),
        loaded_(LoadedByOtherStages(resolved, group)) {}

  BuiltKernel Run() {
    for (const int64_t extent : group_.extents) kernel_.extents.push_back(numbers_(kernel_.body, extent));
    for (const GroupStage& stage : group_.stages)
      kernel_.stages.push_back({.variables = group_.outer ? stage.variables : std::vector<uint32_t>{}});
    for (uint32_t stage = 0; stage < group_.stages.size(); ++stage)
      for (const Member& member : group_.members)
        if (member.stage == stage) AddMember(member);
    AddRows();
    return {std::move(kernel_), std::move(step_)};
  }

 private:
  void AddMember(const Member& member) {
    const Loop& loop = *resolved_.loops[Index(member.value)];
    BodyCopy copy(loop.body, kernel_.body, [&](const Expression& expression, BodyCopy& copy) {
      return Replaced(expression, member, copy);
    });
    ExprId result = copy(loop.result);
    const std::set<ValueIndex>& inlined = resolved_.inlined[Index(member.value)];
    step_.computes.push_back(member.value);
    step_.origins.insert(member.value);
    step_.origins.insert(inlined.begin(), inlined.end());
    Stage& stage = kernel_.stages[member.stage];
    if (loop.kind == LoopKind::kPointwise) {
      if (std::ranges::count(loaded_, member.value) > 0)
        result = AsStored(result, program_[member.value].dtype);
      results_.emplace(member.value, result);
      if (in_memory_[Index(member.value)])
        stage.stores.push_back({Buffer(member.value, true), PlaceOf(member), result});
      return;
    }
    stage.kind = loop.kind;
    stage.combine = loop.combine;
    stage.combined = result;
    if (loop.kind == LoopKind::kScan)
      stage.stores.insert(stage.stores.begin(), {Buffer(member.value, true), PlaceOf(member), result});
  }

  // Stages that load a value have to see what those see that have it in a register: a row's maximum is none
  // of its numbers otherwise.
  ExprId AsStored(ExprId value, at::ScalarType dtype) {
    if (dtype == at::kHalf) return kernel_.body.Apply(Op::kRoundToHalf, {value});
    if (dtype == at::kBFloat16) return kernel_.body.Apply(Op::kRoundToBFloat16, {value});
    return value;
  }

  // What was reduced and is wanted is stored once all stages are through with it.
  void AddRows() {
    Stage rows;
    for (const Member& member : group_.members) {
      const Loop& loop = *resolved_.loops[Index(member.value)];
      if (loop.kind != LoopKind::kReduction || !in_memory_[Index(member.value)]) continue;
      rows.stores.push_back({Buffer(member.value, true), PlaceOf(member), RowOf(member)});
    }
    if (!rows.stores.empty()) kernel_.stages.push_back(std::move(rows));
  }

  ExprId RowOf(const Member& member) {
    const Loop& loop = *resolved_.loops[Index(member.value)];
    const loops::Type type = FindsPlace(loop.combine) ? loops::Type::Long : loop.body.type(loop.result);
    return kernel_.body.Row(member.stage, type);
  }

  ExprId VariableOf(const Member& member, size_t own) {
    const uint32_t variable = member.variables[own];
    return variable == kNoVariable ? kernel_.body.Constant(int64_t{0}, loops::Type::Long)
                                   : kernel_.body.IndexOf(variable);
  }

  std::optional<ExprId> Replaced(const Expression& expression, const Member& member, BodyCopy& copy) {
    if (expression.op == Op::kIndex) return VariableOf(member, static_cast<size_t>(expression.integer));
    if (expression.op != Op::kLoad) return std::nullopt;
    const ValueIndex source{static_cast<uint32_t>(expression.integer)};
    if (const Member* maker = group_.Find(source)) {
      const LoopKind kind = resolved_.loops[Index(source)]->kind;
      if (kind == LoopKind::kReduction) return Masked(RowOf(*maker), expression, copy);
      if (kind == LoopKind::kPointwise && IsInRegister(group_, *maker, member.stage))
        return Masked(results_.at(source), expression, copy);
    }
    return FlatLoad(source, expression, copy);
  }

  // What is not loaded needs no mask, but where it is false the value is 0.
  ExprId Masked(ExprId value, const Expression& load, BodyCopy& copy) {
    if (!load.masked) return value;
    const ExprId zero = kernel_.body.Constant(int64_t{0}, kernel_.body.type(value));
    return kernel_.body.Select(copy(load.operands.back()), value, zero);
  }

  ExprId FlatLoad(ValueIndex source, const Expression& load, BodyCopy& copy) {
    const loops::Value& value = program_[source];
    std::vector<ExprId> indices;
    for (size_t d = 0; d < value.sizes.size(); ++d) indices.push_back(copy(load.operands[d]));
    const ExprId place = FlatIndex(kernel_.body, std::move(indices), value.sizes, value.strides, numbers_);
    const uint32_t buffer = Buffer(source, false);
    if (load.masked) return kernel_.body.MaskedLoad(buffer, load.type, {place}, copy(load.operands.back()));
    return kernel_.body.Load(buffer, load.type, {place});
  }

  ExprId PlaceOf(const Member& member) {
    const loops::Value& value = program_[member.value];
    std::vector<ExprId> indices;
    for (size_t d = 0; d < value.sizes.size(); ++d) indices.push_back(VariableOf(member, d));
    return FlatIndex(kernel_.body, std::move(indices), value.sizes, value.strides, numbers_);
  }

  uint32_t Buffer(ValueIndex value, bool is_written) {
    const auto [known, is_new] = buffers_.try_emplace(value, static_cast<uint32_t>(kernel_.buffers.size()));
    if (is_new) {
      kernel_.buffers.push_back({program_[value].dtype, is_written});
      step_.buffers.push_back(value);
    }
    kernel_.buffers[known->second].is_written |= is_written;
    return known->second;
  }

  const loops::LoopProgram& program_;
  const Resolved& resolved_;
  const Group& group_;
  const std::vector<bool>& in_memory_;
  NumberWriter numbers_;
  std::vector<ValueIndex> loaded_;
  Kernel kernel_;
  KernelStep step_;
  std::map<ValueIndex, uint32_t> buffers_;
  std::map<ValueIndex, ExprId> results_;
};

}  // namespace

BuiltKernel BuildKernel(const loops::LoopProgram& program, const Resolved& resolved, const Group& group,
                        const std::vector<bool>& in_memory, NumberWriter numbers) {
  return KernelBuilder(program, resolved, group, in_memory, numbers).Run();
}

std::vector<ValueIndex> LoadedByOtherStages(const Resolved& resolved, const Group& group) {
  std::vector<ValueIndex> loaded;
  for (const Member& member : group.members) {
    for (const Expression& expression : resolved.loops[Index(member.value)]->body.expressions()) {
      if (expression.op != Op::kLoad) continue;
      const ValueIndex source{static_cast<uint32_t>(expression.integer)};
      const Member* maker = group.Find(source);
      if (maker == nullptr || resolved.loops[Index(source)]->kind == LoopKind::kReduction) continue;
      if (!IsInRegister(group, *maker, member.stage) ||
          resolved.loops[Index(source)]->kind == LoopKind::kScan)
        loaded.push_back(source);
    }
  }
  return loaded;
}

}  // namespace culprit::compiler::schedule
