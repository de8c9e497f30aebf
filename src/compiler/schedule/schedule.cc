// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/schedule.h"

#include <algorithm>

#include "base/internal_error.h"
#include "compiler/schedule/arrange.h"
#include "compiler/schedule/build_kernel.h"
#include "compiler/schedule/dependencies.h"
#include "compiler/schedule/join.h"

namespace culprit::compiler::schedule {
namespace {

using loops::ValueIndex;

class Scheduler {
 public:
  Scheduler(const loops::Program& program, const ScheduleOptions& options)
      : program_(program),
        options_(options),
        resolved_(Resolve(program, {.fuse = options.fuse, .symbolic = options.symbolic})),
        grouping_(MakeGroups(program, resolved_, options.fuse)) {}

  Schedule Run() {
    for (const ValueIndex value : options_.observed) Observe(value);
    FindWhatIsInMemory();
    for (uint32_t i = 0; i < program_.values.size(); ++i)
      if (resolved_.in_memory[i]) Need(ValueIndex{i});
    return std::move(schedule_);
  }

 private:
  Numbers numbers() const { return Numbers{options_.symbolic}; }

  // What was put into its users is computed once more beside one of them: from the same loads, so that it
  // is the same expression there.
  void Observe(ValueIndex value) {
    resolved_.in_memory[Index(value)] = true;
    Fate& fate = resolved_.fates[Index(value)];
    if (fate != Fate::kInlined && fate != Fate::kUnused) return;
    if (!program_[value].loop) return;
    resolved_.loops[Index(value)] = ResolvedLoop(program_, resolved_.fates, value, numbers());
    fate = Fate::kKept;
    const std::vector<ValueIndex> needed = DirectDependencies(program_, resolved_, value);
    std::vector<std::vector<ValueIndex>> dependencies;
    for (uint32_t i = 0; i < program_.values.size(); ++i)
      dependencies.push_back(DirectDependencies(program_, resolved_, ValueIndex{i}));
    for (uint32_t i = 0; i < grouping_.groups.size(); ++i) {
      if (DependOn(grouping_, dependencies, needed, i)) continue;
      if (!Join(program_, resolved_, value, grouping_.groups[i])) continue;
      grouping_.group_of[Index(value)] = i;
      return;
    }
    grouping_.group_of[Index(value)] = static_cast<uint32_t>(grouping_.groups.size());
    grouping_.groups.push_back(MakeGroup(program_, resolved_, value));
  }

  void FindWhatIsInMemory() {
    for (uint32_t i = 0; i < program_.values.size(); ++i) {
      const std::optional<uint32_t> group = grouping_.group_of[i];
      for (const ValueIndex source : DirectDependencies(program_, resolved_, ValueIndex{i}))
        if (!group || grouping_.group_of[Index(source)] != group) resolved_.in_memory[Index(source)] = true;
    }
    for (const Group& group : grouping_.groups)
      for (const ValueIndex value : LoadedByOtherStages(resolved_, group))
        resolved_.in_memory[Index(value)] = true;
  }

  // Depth first: what a step needs runs before it.
  void Need(ValueIndex value) {
    if (is_there_.empty()) is_there_.resize(program_.values.size());
    if (is_there_[Index(value)]) return;
    is_there_[Index(value)] = true;
    const std::optional<uint32_t> group = grouping_.group_of[Index(value)];
    if (group) return NeedGroup(*group);
    for (const ValueIndex source : DirectDependencies(program_, resolved_, value)) Need(source);
    if (resolved_.fates[Index(value)] != Fate::kCalled) return;
    const graph::NodeId node = *program_[value].node;
    const bool is_called = std::ranges::any_of(schedule_.steps, [&](const Step& step) {
      const auto* call = std::get_if<CallStep>(&step);
      return call != nullptr && call->node == node;
    });
    if (!is_called) schedule_.steps.emplace_back(CallStep{node});
  }

  void NeedGroup(uint32_t index) {
    const Group& group = grouping_.groups[index];
    for (const Member& member : group.members) is_there_[Index(member.value)] = true;
    for (const Member& member : group.members)
      for (const ValueIndex source : DirectDependencies(program_, resolved_, member.value)) Need(source);
    BuiltKernel built = BuildKernel(program_, resolved_, group, resolved_.in_memory, numbers());
    if (std::ranges::none_of(built.kernel.stages,
                             [](const loops::Stage& stage) { return !stage.stores.empty(); }))
      return;
    built.step.kernel = static_cast<uint32_t>(schedule_.kernels.size());
    schedule_.kernels.push_back(Arrange(built.kernel, group.outer, numbers()));
    Verify(schedule_.kernels.back());
    schedule_.steps.emplace_back(std::move(built.step));
  }

  const loops::Program& program_;
  const ScheduleOptions& options_;
  Resolved resolved_;
  Grouping grouping_;
  std::vector<bool> is_there_;
  Schedule schedule_;
};

}  // namespace

Schedule MakeSchedule(const loops::Program& program, const ScheduleOptions& options) {
  return Scheduler(program, options).Run();
}

}  // namespace culprit::compiler::schedule
