// SPDX-License-Identifier: Apache-2.0
//
// What runs in which order: kernels and calls.
//
//   program  =>  resolve: what is put into what       =>  group: what one kernel computes
//            =>  build: groups become kernels          =>  arrange: loops in the order of memory
#pragma once

#include <variant>
#include <vector>

#include "compiler/loops/kernel.h"
#include "compiler/loops/program.h"

namespace culprit::compiler::schedule {

struct KernelStep {
  uint32_t kernel = 0;
  /// Of each buffer of the kernel.
  std::vector<loops::ValueIndex> buffers;
  /// What it computes, those included that never reach memory.
  std::vector<loops::ValueIndex> computes;
};

struct CallStep {
  graph::NodeId node = {};
};

using Step = std::variant<KernelStep, CallStep>;

struct Schedule {
  std::vector<loops::Kernel> kernels;
  std::vector<Step> steps;
};

struct ScheduleOptions {
  /// Without, each value has a kernel.
  bool fuse = true;
  /// Sizes are arguments of kernels.
  bool symbolic = false;
  /// Wanted in memory in addition to the graph's outputs, which changes nothing about what is fused.
  std::vector<loops::ValueIndex> observed = {};
};

Schedule MakeSchedule(const loops::Program& program, const ScheduleOptions& options);

}  // namespace culprit::compiler::schedule
