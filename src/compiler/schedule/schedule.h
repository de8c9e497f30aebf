// SPDX-License-Identifier: Apache-2.0
//
// What runs in which order: kernels, calls, and checks of what kernels rely on, each right before its kernel.
//
//   program  =>  resolve: what is put into what       =>  group: what one kernel computes
//            =>  build: groups become kernels          =>  arrange: loops in the order of memory
#pragma once

#include <set>
#include <variant>
#include <vector>

#include "compiler/loops/kernel.h"
#include "compiler/loops/loop_program.h"
#include "compiler/schedule/fuse/group.h"
#include "compiler/schedule/fuse/resolve.h"

namespace culprit::compiler::schedule {

struct KernelStep {
  uint32_t kernel = 0;
  /// Of each buffer of the kernel.
  std::vector<loops::ValueIndex> buffers;
  /// What it computes, those included that never reach memory.
  std::vector<loops::ValueIndex> computes;
  /// These and all that was put into them: what the kernel was made from.
  std::set<loops::ValueIndex> origins;
};

struct CallStep {
  graph::NodeId node = {};
};

/// If one of these does not hold, the node is called, and fails. All of them are the node's.
struct CheckStep {
  graph::NodeId node = {};
  std::vector<loops::Precondition> preconditions;
};

using Step = std::variant<KernelStep, CallStep, CheckStep>;

struct Schedule {
  std::vector<loops::Kernel> kernels;
  std::vector<Step> steps;
};

/// Wanted in memory in addition to the graph's outputs (`observed`), which changes nothing about what is
/// fused: a value that was put into others is stored beside one of them or, where they read it at other
/// places than their own (behind a reshape, in parts of a sum), by one more kernel.
void Observe(const loops::LoopProgram& program, const std::vector<loops::ValueIndex>& observed,
             NumberWriter numbers, Resolved& resolved, Grouping& grouping);

/// `applies` is asked for each two loops that could be one, or go by tiles.
Schedule MakeSchedule(const loops::LoopProgram& program, Resolved resolved, const Grouping& grouping,
                      NumberWriter numbers, const std::function<bool()>& applies);

/// In a line: which numbers have to lie where.
std::string ToText(const CheckStep& check, const loops::LoopProgram& program);

/// The calls, checks and kernels in their order, kernels in full.
std::string ToText(const Schedule& schedule, const loops::LoopProgram& program);

}  // namespace culprit::compiler::schedule
