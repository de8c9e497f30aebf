// SPDX-License-Identifier: Apache-2.0
#include "compiler/run/memory_plan.h"

#include <c10/core/ScalarType.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "compiler/run/in_place.h"

namespace culprit::compiler::run {
namespace {

using loops::ValueIndex;
using schedule::KernelStep;

int64_t BytesOf(const loops::Value& value) {
  int64_t bytes = static_cast<int64_t>(c10::elementSize(value.dtype));
  for (const int64_t size : value.sizes) bytes *= size;
  return value.is_opaque ? 0 : bytes;
}

class Planner {
 public:
  Planner(const loops::LoopProgram& program, const schedule::Schedule& schedule,
          const std::function<bool()>& applies)
      : program_(program),
        schedule_(schedule),
        applies_(applies),
        last_use_(program.values.size()),
        is_output_(program.values.size()),
        is_seen_as_view_(program.values.size()) {
    plan_.in_place.resize(program.values.size());
    plan_.freed_after.resize(schedule.steps.size());
  }

  MemoryPlan Run() {
    FindLastUses();
    for (size_t i = 0; i < schedule_.steps.size(); ++i) {
      if (const auto* step = std::get_if<KernelStep>(&schedule_.steps[i]))
        ShareMemory(*step, i);
      else if (const auto* call = std::get_if<schedule::CallStep>(&schedule_.steps[i]))
        NoteFresh(*call);
    }
    FindPeak();
    return std::move(plan_);
  }

 private:
  void FindLastUses() {
    for (size_t i = 0; i < schedule_.steps.size(); ++i) {
      const StepValues values = ValuesOf(schedule_.steps[i], program_, schedule_);
      for (const ValueIndex value : values.makes) last_use_[Index(value)] = i;
      for (const ValueIndex value : values.reads) last_use_[Index(value)] = i;
      if (std::holds_alternative<schedule::CallStep>(schedule_.steps[i]))
        // Its results may be views of what it reads.
        for (const ValueIndex value : values.reads) is_seen_as_view_[Index(value)] = true;
    }
    for (const graph::Argument& output : program_.graph->outputs()) {
      ForEachValue(output,
                   [&](graph::ValueId id) { is_output_[Index(program_.value_of[graph::Index(id)])] = true; });
    }
    for (uint32_t i = 0; i < program_.values.size(); ++i)
      if (last_use_[i] && !is_output_[i]) plan_.freed_after[*last_use_[i]].push_back(ValueIndex{i});
  }

  // Only memory that was made here, and that nothing else looks at.
  bool MayBeTaken(ValueIndex value, size_t step) const {
    const size_t i = Index(value);
    return !is_output_[i] && !is_seen_as_view_[i] && last_use_[i] == step && is_fresh_.contains(i);
  }

  // Of a call: what cannot be part of what it was given.
  void NoteFresh(const schedule::CallStep& step) {
    const graph::Node& node = program_.graph->node(step.node);
    for (size_t result = 0; result < node.results.size(); ++result) {
      bool may_alias = false;
      for (size_t i = 0; i < node.arguments.size(); ++i)
        may_alias = may_alias || node.op->may_alias(result, i);
      if (!may_alias) is_fresh_.insert(Index(program_.value_of[graph::Index(node.results[result])]));
    }
  }

  void ShareMemory(const KernelStep& step, size_t number) {
    const loops::Kernel& kernel = schedule_.kernels[step.kernel];
    std::vector<bool> is_taken(step.buffers.size());
    for (uint32_t to = 0; to < step.buffers.size(); ++to) {
      if (!kernel.buffers[to].is_written) continue;
      for (uint32_t from = 0; from < step.buffers.size(); ++from) {
        const loops::Value& old = program_[step.buffers[from]];
        const loops::Value& value = program_[step.buffers[to]];
        if (is_taken[from] || !MayBeTaken(step.buffers[from], number)) continue;
        if (old.sizes != value.sizes || old.strides != value.strides) continue;
        if (!MayShareMemory(kernel, from, to) || !applies_()) continue;
        is_taken[from] = true;
        plan_.in_place[Index(step.buffers[to])] = step.buffers[from];
        break;
      }
    }
    for (uint32_t i = 0; i < step.buffers.size(); ++i)
      if (kernel.buffers[i].is_written) is_fresh_.insert(Index(step.buffers[i]));
  }

  void FindPeak() {
    int64_t alive = 0;
    std::vector<int64_t> bytes(program_.values.size());
    for (size_t i = 0; i < schedule_.steps.size(); ++i) {
      for (const ValueIndex value : ValuesOf(schedule_.steps[i], program_, schedule_).makes) {
        if (program_[value].is_view || plan_.in_place[Index(value)]) continue;
        alive += bytes[Index(value)] = BytesOf(program_[value]);
      }
      plan_.peak_bytes = std::max(plan_.peak_bytes, alive);
      for (const ValueIndex value : plan_.freed_after[i]) alive -= Freed(value, i, bytes);
    }
  }

  // What was taken over lives on under another name.
  int64_t Freed(ValueIndex value, size_t step, std::vector<int64_t>& bytes) const {
    const auto* kernel = std::get_if<KernelStep>(&schedule_.steps[step]);
    if (kernel == nullptr) return bytes[Index(value)];
    for (const ValueIndex heir : kernel->buffers) {
      if (plan_.in_place[Index(heir)] != value) continue;
      bytes[Index(heir)] = bytes[Index(value)];
      return 0;
    }
    return bytes[Index(value)];
  }

  const loops::LoopProgram& program_;
  const schedule::Schedule& schedule_;
  const std::function<bool()>& applies_;
  std::vector<std::optional<size_t>> last_use_;
  std::vector<bool> is_output_;
  std::vector<bool> is_seen_as_view_;
  std::set<size_t> is_fresh_;
  MemoryPlan plan_;
};

std::string StepText(const schedule::Step& step, const loops::LoopProgram& program) {
  if (const auto* call = std::get_if<schedule::CallStep>(&step))
    return "call " + program.graph->node(call->node).op->qualified_name();
  if (const auto* check = std::get_if<schedule::CheckStep>(&step)) return ToText(*check, program);
  return fmt::format("kernel {}", std::get<KernelStep>(step).kernel);
}

}  // namespace

StepValues ValuesOf(const schedule::Step& step, const loops::LoopProgram& program,
                    const schedule::Schedule& schedule) {
  StepValues values;
  if (const auto* kernel = std::get_if<KernelStep>(&step)) {
    const std::vector<loops::Buffer>& buffers = schedule.kernels[kernel->kernel].buffers;
    for (size_t i = 0; i < buffers.size(); ++i)
      (buffers[i].is_written ? values.makes : values.reads).push_back(kernel->buffers[i]);
    return values;
  }
  const auto value_of = [&](graph::ValueId id) { return program.value_of[graph::Index(id)]; };
  if (const auto* check = std::get_if<schedule::CheckStep>(&step)) {
    for (const loops::Precondition& each : check->preconditions)
      values.reads.push_back(value_of(each.indices));
    return values;
  }
  const graph::Node& node = program.graph->node(std::get<schedule::CallStep>(step).node);
  for (const graph::Argument& argument : node.arguments)
    ForEachValue(argument, [&](graph::ValueId id) { values.reads.push_back(value_of(id)); });
  for (const graph::ValueId id : node.results) values.makes.push_back(value_of(id));
  return values;
}

MemoryPlan PlanMemory(const loops::LoopProgram& program, const schedule::Schedule& schedule,
                      const std::function<bool()>& applies) {
  return Planner(program, schedule, applies).Run();
}

std::string ToText(const MemoryPlan& plan, const loops::LoopProgram& program,
                   const schedule::Schedule& schedule) {
  std::string text;
  const auto names = [&](const std::vector<ValueIndex>& values) {
    std::vector<std::string> all;
    for (const ValueIndex value : values) {
      all.push_back(program[value].name);
      if (const auto& from = plan.in_place[Index(value)])
        all.back() += fmt::format(" in {}", program[*from].name);
    }
    return fmt::format("{}", fmt::join(all, ", "));
  };
  for (size_t i = 0; i < schedule.steps.size(); ++i) {
    const StepValues values = ValuesOf(schedule.steps[i], program, schedule);
    text += fmt::format("{}: {} makes {}; frees {}\n", i, StepText(schedule.steps[i], program),
                        names(values.makes), names(plan.freed_after[i]));
  }
  return text + fmt::format("peak: {} bytes\n", plan.peak_bytes);
}

}  // namespace culprit::compiler::run
