// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/verify_compilation.h"

#include "base/internal_error.h"
#include "graph/ir/verify.h"

namespace culprit::compiler::pipeline {
namespace {

using loops::ValueIndex;
using schedule::Placement;

void VerifyResolved(const loops::LoopProgram& program, const schedule::Resolved& resolved) {
  for (size_t i = 0; i < program.values.size(); ++i) {
    if (resolved.placements[i] != Placement::kKept) continue;
    const std::string& name = program.values[i].name;
    CULPRIT_CHECK(resolved.loops[i].has_value(), "{} is kept and has no loop", name);
    for (const loops::Expression& expression : resolved.loops[i]->body.expressions()) {
      if (expression.op != loops::Op::kLoad) continue;
      const auto source = static_cast<size_t>(expression.integer);
      CULPRIT_CHECK(source < i, "{} loads what comes behind it", name);
      CULPRIT_CHECK(resolved.placements[source] != Placement::kInlined &&
                        resolved.placements[source] != Placement::kUnused,
                    "{} loads {}, which is not kept", name, program.values[source].name);
    }
  }
}

void VerifyMember(const Compilation& compilation, const schedule::Group& group,
                  const schedule::Member& member) {
  const loops::Value& value = (*compilation.program)[member.value];
  const std::vector<int64_t> extents =
      schedule::ExtentsOf(value, *compilation.resolved->loops[Index(member.value)]);
  CULPRIT_CHECK(member.variables.size() == extents.size() && member.stage < group.stages.size(),
                "{} does not fit into its group", value.name);
  for (size_t d = 0; d < extents.size(); ++d) {
    const uint32_t variable = member.variables[d];
    const int64_t extent = variable == schedule::kNoVariable ? 1 : group.extents.at(variable);
    CULPRIT_CHECK(extent == extents[d], "{} goes to {} and its group to {}", value.name, extents[d], extent);
  }
}

void VerifyGroups(const Compilation& compilation) {
  for (size_t i = 0; i < compilation.program->values.size(); ++i) {
    if (compilation.resolved->placements[i] != Placement::kKept) continue;
    const std::optional<uint32_t>& group = compilation.grouping->group_of[i];
    const std::string& name = compilation.program->values[i].name;
    CULPRIT_CHECK(group.has_value(), "{} is kept and has no group", name);
    const auto* member = compilation.grouping->groups.at(*group).Find(ValueIndex{static_cast<uint32_t>(i)});
    CULPRIT_CHECK(member != nullptr, "{} is not in its group", name);
  }
  for (const schedule::Group& group : compilation.grouping->groups)
    for (const schedule::Member& member : group.members) VerifyMember(compilation, group, member);
}

void VerifySchedule(const schedule::Schedule& schedule) {
  for (const loops::Kernel& kernel : schedule.kernels) Verify(kernel);
  for (const schedule::Step& step : schedule.steps) {
    const auto* kernel = std::get_if<schedule::KernelStep>(&step);
    if (kernel == nullptr) continue;
    CULPRIT_CHECK(kernel->kernel < schedule.kernels.size(), "there is no kernel {}", kernel->kernel);
    CULPRIT_CHECK(kernel->buffers.size() == schedule.kernels[kernel->kernel].buffers.size(),
                  "kernel {} has {} buffers and {} values", kernel->kernel,
                  schedule.kernels[kernel->kernel].buffers.size(), kernel->buffers.size());
  }
}

void VerifyMemory(const Compilation& compilation) {
  CULPRIT_CHECK(compilation.memory->in_place.size() == compilation.program->values.size() &&
                    compilation.memory->freed_after.size() == compilation.schedule->steps.size(),
                "the plan is one for another schedule");
}

}  // namespace

void Verify(const Compilation& compilation) {
  if (!compilation.program) {
    const auto wrong = graph::Verify(*compilation.graph);
    CULPRIT_CHECK(wrong.ok(), "{}", wrong.error().message);
  } else if (!compilation.resolved) {
    loops::Verify(*compilation.program);
  } else if (!compilation.grouping) {
    VerifyResolved(*compilation.program, *compilation.resolved);
  } else if (!compilation.schedule) {
    VerifyGroups(compilation);
  } else if (!compilation.memory) {
    VerifySchedule(*compilation.schedule);
  } else {
    VerifyMemory(compilation);
    CULPRIT_CHECK(compilation.code.empty() || compilation.code.size() == compilation.schedule->kernels.size(),
                  "{} kernels have {} pieces of code", compilation.schedule->kernels.size(),
                  compilation.code.size());
  }
}

}  // namespace culprit::compiler::pipeline
