// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/schedule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "compiler/schedule/arrange/arrange.h"
#include "compiler/schedule/build_kernel.h"
#include "compiler/schedule/fuse/dependencies.h"
#include "compiler/schedule/fuse/join.h"
#include "compiler/schedule/share_buffers.h"

namespace culprit::compiler::schedule {
namespace {

using loops::ValueIndex;

class Scheduler {
 public:
  Scheduler(const loops::LoopProgram& program, Resolved resolved, const Grouping& grouping,
            NumberWriter numbers, const std::function<bool()>& applies)
      : program_(program),
        resolved_(std::move(resolved)),
        grouping_(grouping),
        numbers_(numbers),
        applies_(applies),
        is_there_(program.values.size()) {}

  Schedule Run() {
    FindWhatIsInMemory();
    for (uint32_t i = 0; i < program_.values.size(); ++i)
      if (resolved_.in_memory[i]) Need(ValueIndex{i});
    return std::move(schedule_);
  }

 private:
  void FindWhatIsInMemory() {
    for (uint32_t i = 0; i < program_.values.size(); ++i) {
      const std::optional<uint32_t> group = grouping_.group_of[i];
      for (const ValueIndex source : DirectDependencies(program_, resolved_, ValueIndex{i}))
        if (!group || grouping_.group_of[Index(source)] != group) resolved_.in_memory[Index(source)] = true;
    }
    is_needed_ = resolved_.in_memory;
    for (const Group& group : grouping_.groups)
      for (const ValueIndex value : LoadedByOtherStages(resolved_, group))
        resolved_.in_memory[Index(value)] = true;
  }

  // Depth first: what a step needs runs before it.
  void Need(ValueIndex value) {
    if (is_there_[Index(value)]) return;
    is_there_[Index(value)] = true;
    if (const auto group = grouping_.group_of[Index(value)]) return NeedGroup(grouping_.groups[*group]);
    for (const ValueIndex source : DirectDependencies(program_, resolved_, value)) Need(source);
    if (resolved_.placements[Index(value)] == Placement::kCalled &&
        called_.insert(*program_[value].node).second)
      schedule_.steps.emplace_back(CallStep{*program_[value].node});
  }

  void NeedGroup(const Group& group) {
    for (const Member& member : group.members) is_there_[Index(member.value)] = true;
    for (const Member& member : group.members)
      for (const ValueIndex source : DirectDependencies(program_, resolved_, member.value)) Need(source);
    BuiltKernel built = BuildKernel(program_, resolved_, group, resolved_.in_memory, numbers_);
    const bool stores = std::ranges::any_of(built.kernel.stages,
                                            [](const loops::Stage& stage) { return !stage.stores.empty(); });
    if (!stores) return;
    AddChecks(group);
    ShareBuffers(built, is_needed_);
    built.step.kernel = static_cast<uint32_t>(schedule_.kernels.size());
    schedule_.kernels.push_back(Arrange(built.kernel, group.outer, numbers_, applies_));
    Verify(schedule_.kernels.back());
    schedule_.steps.emplace_back(std::move(built.step));
  }

  // In the order of the program: what fails first there fails here.
  void AddChecks(const Group& group) {
    std::map<graph::NodeId, std::vector<loops::Precondition>> by_node;
    for (const Member& member : group.members) {
      for (const loops::Precondition& each : resolved_.loops[Index(member.value)]->preconditions) {
        std::vector<loops::Precondition>& known = by_node[each.node];
        if (std::ranges::find(known, each) == known.end()) known.push_back(each);
      }
    }
    for (auto& [node, preconditions] : by_node)
      schedule_.steps.emplace_back(CheckStep{node, std::move(preconditions)});
  }

  const loops::LoopProgram& program_;
  Resolved resolved_;
  const Grouping& grouping_;
  NumberWriter numbers_;
  const std::function<bool()>& applies_;
  /// By somebody else than the kernel that makes it.
  std::vector<bool> is_needed_;
  std::vector<bool> is_there_;
  std::set<graph::NodeId> called_;
  Schedule schedule_;
};

// Beside one of its users: from the same loads it is the same expression there.
void ObserveInlined(const loops::LoopProgram& program, ValueIndex value, NumberWriter numbers,
                    Resolved& resolved, Grouping& grouping) {
  ResolveLoop(program, value, numbers, resolved);
  resolved.placements[Index(value)] = Placement::kKept;
  std::vector<std::vector<ValueIndex>> dependencies;
  for (uint32_t i = 0; i < program.values.size(); ++i)
    dependencies.push_back(DirectDependencies(program, resolved, ValueIndex{i}));
  for (uint32_t i = 0; i < grouping.groups.size(); ++i) {
    if (DependOn(grouping, dependencies, dependencies[Index(value)], i)) continue;
    if (!Join(program, resolved, value, grouping.groups[i])) continue;
    grouping.group_of[Index(value)] = i;
    return;
  }
  grouping.group_of[Index(value)] = static_cast<uint32_t>(grouping.groups.size());
  grouping.groups.push_back(MakeGroup(program, resolved, value));
}

}  // namespace

void Observe(const loops::LoopProgram& program, const std::vector<ValueIndex>& observed, NumberWriter numbers,
             Resolved& resolved, Grouping& grouping) {
  for (const ValueIndex value : observed) {
    const Placement fate = resolved.placements[Index(value)];
    if (fate == Placement::kUnused || resolved.in_memory[Index(value)]) continue;
    resolved.in_memory[Index(value)] = true;
    if (fate == Placement::kInlined) ObserveInlined(program, value, numbers, resolved, grouping);
  }
}

Schedule MakeSchedule(const loops::LoopProgram& program, Resolved resolved, const Grouping& grouping,
                      NumberWriter numbers, const std::function<bool()>& applies) {
  return Scheduler(program, std::move(resolved), grouping, numbers, applies).Run();
}

std::string ToText(const CheckStep& check, const loops::LoopProgram& program) {
  std::vector<std::string> conditions;
  for (const loops::Precondition& each : check.preconditions)
    conditions.push_back(ToText(each, *program.graph));
  return fmt::format("check {}: {}", program.graph->node(check.node).op->qualified_name(),
                     fmt::join(conditions, ", "));
}

std::string ToText(const Schedule& schedule, const loops::LoopProgram& program) {
  std::string text;
  const auto names = [&](const std::vector<ValueIndex>& values) {
    std::vector<std::string> all;
    all.reserve(values.size());
    for (const ValueIndex value : values) all.push_back(program[value].name);
    return fmt::format("{}", fmt::join(all, ", "));
  };
  for (const Step& step : schedule.steps) {
    if (const auto* call = std::get_if<CallStep>(&step)) {
      text += fmt::format("call {}\n", program.graph->node(call->node).op->qualified_name());
      continue;
    }
    if (const auto* check = std::get_if<CheckStep>(&step)) {
      text += ToText(*check, program) + "\n";
      continue;
    }
    const auto& kernel = std::get<KernelStep>(step);
    text += fmt::format("kernel {} computes {}; buffers {}\n{}", kernel.kernel, names(kernel.computes),
                        names(kernel.buffers), ToText(schedule.kernels[kernel.kernel]));
  }
  return text;
}

}  // namespace culprit::compiler::schedule
