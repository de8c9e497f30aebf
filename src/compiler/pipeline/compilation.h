// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "compiler/jit/kernels.h"
#include "compiler/loops/loop_program.h"
#include "compiler/run/executable.h"
#include "compiler/run/memory_plan.h"
#include "compiler/schedule/schedule.h"

namespace culprit::compiler::pipeline {

struct Options {
  codegen::Options code = {};
  jit::CacheOptions cache = {};
  /// Kernels take sizes as arguments.
  bool symbolic = false;
  /// Values that are stored although nobody needs them in memory, by the names that the graph has for them
  /// before any pass, so that a witness (run::Executable) hears of them. loops::LoopProgram::Find says which
  /// value of the program that is, if any. What nobody reads is not computed for that.
  std::vector<std::string> observed = {};
};

/// A graph on its way: every pass adds to it or replaces something.
struct Compilation {
  Options options;
  /// What the graph is compiled for: sizes, strides and dtypes of them, not the numbers in them.
  backend::Values inputs;

  std::shared_ptr<const graph::Graph> graph;
  /// As loops::LoopProgram has it.
  std::map<std::string, std::string> merged_into = {};
  std::shared_ptr<const loops::LoopProgram> program = nullptr;
  std::optional<schedule::Resolved> resolved = std::nullopt;
  std::optional<schedule::Grouping> grouping = std::nullopt;
  std::optional<schedule::Schedule> schedule = std::nullopt;
  std::optional<run::MemoryPlan> memory = std::nullopt;
  /// Of each kernel; those that are null are interpreted.
  std::vector<std::shared_ptr<const jit::LoadedKernel>> code = {};
  jit::CacheCounts cached = {};

  schedule::NumberWriter numbers() const { return {options.symbolic}; }
};

/// What the last pass has left, as people read it.
std::string ToText(const Compilation& compilation);

}  // namespace culprit::compiler::pipeline
