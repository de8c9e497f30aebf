// SPDX-License-Identifier: Apache-2.0
#include "compiler/run/executable.h"

#include <ATen/ops/empty_strided.h>

#include <algorithm>

#include "base/internal_error.h"
#include "compiler/loops/interpret.h"
#include "compiler/run/all_within_bounds.h"
#include "compiler/run/kept_memory.h"
#include "process/parallel.h"

namespace culprit::compiler::run {
namespace {

using loops::Kernel;
using loops::ValueIndex;
using schedule::CallStep;
using schedule::CheckStep;
using schedule::KernelStep;

// Elements times expressions that are worth the few microseconds that threads take to start.
constexpr int64_t kWorthAThread = 1 << 18;

int64_t WorkPerPiece(const Kernel& kernel) {
  int64_t iterations = 0;
  for (const loops::Stage& stage : kernel.stages) {
    int64_t of_stage = 1;
    for (const uint32_t variable : stage.variables) of_stage *= kernel.Extent(variable);
    iterations += of_stage;
  }
  if (kernel.lanes == loops::Lanes::kOuter)
    iterations *= std::min(kernel.Extent(kernel.outer - 1), Kernel::kChunk);
  return std::max<int64_t>(iterations, 1) * static_cast<int64_t>(kernel.body.expressions().size());
}

// Kernels go by how libtorch lays a result on fakes. Should it lie in another way, or be zeros that have no
// memory, it is copied.
at::Tensor AsExpected(at::Tensor tensor, const loops::Value& value) {
  if (!tensor.defined() || value.is_opaque || tensor.layout() != at::kStrided) return tensor;
  CULPRIT_CHECK(tensor.sizes() == c10::IntArrayRef(value.sizes) && tensor.scalar_type() == value.dtype,
                "{} is not what it was on fakes", value.name);
  if (tensor.strides() == c10::IntArrayRef(value.strides) && !tensor._is_zerotensor()) return tensor;
  at::Tensor copy = at::empty_strided(value.sizes, value.strides, tensor.options());
  copy.copy_(tensor);
  return copy;
}

// What an operator says about a wrong index depends on the other tensors' sizes only. One that never reaches
// memory has zeros here: if they are indices, these are right.
at::Tensor StandIn(const loops::Value& value) {
  return at::empty_strided(value.sizes, value.strides, value.dtype).zero_();
}

}  // namespace

Executable::Executable(std::shared_ptr<const loops::LoopProgram> program, schedule::Schedule schedule,
                       MemoryPlan plan, std::vector<std::shared_ptr<const jit::LoadedKernel>> code)
    : program_(std::move(program)),
      schedule_(std::move(schedule)),
      plan_(std::move(plan)),
      code_(std::move(code)),
      calls_libtorch_(std::ranges::any_of(
          schedule_.steps,
          [](const schedule::Step& step) { return std::holds_alternative<CallStep>(step); })),
      calls_(schedule_.steps.size()) {
  for (const Kernel& kernel : schedule_.kernels)
    work_.push_back({kernel.Pieces(), std::max<int64_t>(1, kWorthAThread / WorkPerPiece(kernel))});
  for (size_t i = 0; i < schedule_.steps.size(); ++i) {
    if (const auto* call = std::get_if<CallStep>(&schedule_.steps[i]))
      calls_[i] = std::make_unique<OperatorCall>(*program_, call->node);
    else if (const auto* check = std::get_if<CheckStep>(&schedule_.steps[i]))
      calls_[i] = std::make_unique<OperatorCall>(*program_, check->node);
  }
}

Executable::Values Executable::Given(std::vector<c10::IValue>& inputs) const {
  const graph::Graph& graph = *program_->graph;
  Values values(program_->values.size());
  const auto give = [&](graph::ValueId id, c10::IValue value) {
    const ValueIndex index = program_->value_of[graph::Index(id)];
    if (value.isTensor() && value.toTensor()._is_zerotensor())
      value = AsExpected(value.toTensor(), (*program_)[index]);
    values[Index(index)] = std::move(value);
  };
  for (size_t i = 0; i < graph.placeholders().size(); ++i)
    give(graph.placeholders()[i].value, std::move(inputs.at(i)));
  inputs.clear();
  for (const graph::TensorConstant& constant : graph.constants()) give(constant.value, constant.tensor);
  return values;
}

std::vector<c10::IValue> Executable::Run(std::vector<c10::IValue>& inputs, const Witness& witness) const {
  Values values = Given(inputs);
  const auto tell = [&](size_t index) {
    const c10::IValue& value = values[index];
    if (value.isTensor() && value.toTensor().defined())
      witness(ValueIndex{static_cast<uint32_t>(index)}, value.toTensor());
  };
  if (witness)
    for (size_t i = 0; i < values.size(); ++i) tell(i);
  for (size_t i = 0; i < schedule_.steps.size(); ++i) {
    if (const auto* kernel = std::get_if<KernelStep>(&schedule_.steps[i]))
      RunKernel(*kernel, values);
    else if (const auto* check = std::get_if<CheckStep>(&schedule_.steps[i]))
      Check(*check, *calls_[i], values);
    else
      Call(*calls_[i], values);
    if (witness)
      for (const ValueIndex made : ValuesOf(schedule_.steps[i], *program_, schedule_).makes)
        tell(Index(made));
    for (const ValueIndex dead : plan_.freed_after[i]) values[Index(dead)] = c10::IValue();
  }
  return Outputs(values);
}

at::Tensor Executable::MemoryFor(ValueIndex index, Values& values) const {
  if (const std::optional<ValueIndex>& former = plan_.in_place[Index(index)])
    return values[Index(*former)].toTensor();
  const loops::Value& value = (*program_)[index];
  return calls_libtorch_ ? at::empty_strided(value.sizes, value.strides, value.dtype)
                         : EmptyInKeptMemory(value.sizes, value.strides, value.dtype);
}

void Executable::RunKernel(const KernelStep& step, Values& values) const {
  const Kernel& kernel = schedule_.kernels[step.kernel];
  c10::SmallVector<void*, 16> buffers;
  for (size_t i = 0; i < step.buffers.size(); ++i) {
    c10::IValue& value = values[Index(step.buffers[i])];
    if (kernel.buffers[i].is_written) value = MemoryFor(step.buffers[i], values);
    buffers.push_back(value.toTensor().data_ptr());
  }
  const Work& work = work_[step.kernel];
  const jit::LoadedKernel* code = code_[step.kernel].get();
  process::ParallelFor(0, work.pieces, work.grain, [&](int64_t begin, int64_t end) {
    if (code != nullptr)
      code->entry()(buffers.data(), kernel.numbers.data(), begin, end);
    else
      Interpret(kernel, buffers.data(), begin, end);
  });
}

void Executable::Call(const OperatorCall& call, Values& values) const {
  std::vector<c10::IValue> taken;
  for (const ValueIndex value : call.takes()) taken.push_back(values[Index(value)]);
  std::vector<c10::IValue> given = call(std::move(taken));
  for (size_t i = 0; i < given.size(); ++i) {
    const ValueIndex index = call.gives()[i];
    if (given[i].isTensor()) given[i] = AsExpected(given[i].toTensor(), (*program_)[index]);
    values[Index(index)] = std::move(given[i]);
  }
}

void Executable::Check(const CheckStep& step, const OperatorCall& call, const Values& values) const {
  const auto holds = [&](const loops::Precondition& each) {
    const at::Tensor& indices = values[Index(program_->value_of[graph::Index(each.indices)])].toTensor();
    return AllWithinBounds(indices, each.lowest, each.end);
  };
  if (std::ranges::all_of(step.preconditions, holds)) return;
  std::vector<c10::IValue> taken;
  for (const ValueIndex value : call.takes())
    taken.push_back(values[Index(value)].isTensor() ? values[Index(value)] : StandIn((*program_)[value]));
  call(std::move(taken));
  CULPRIT_CHECK(false, "libtorch accepts what does not hold: {}", ToText(step, *program_));
}

std::vector<c10::IValue> Executable::Outputs(const Values& values) const {
  std::vector<c10::IValue> outputs;
  for (const graph::Argument& output : program_->graph->outputs())
    outputs.push_back(output.is_value() ? values[Index(program_->value_of[graph::Index(output.value())])]
                                        : output.constant());
  return outputs;
}

}  // namespace culprit::compiler::run
