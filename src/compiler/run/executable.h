// SPDX-License-Identifier: Apache-2.0
//
// A schedule that runs.
#pragma once

#include <memory>
#include <vector>

#include "compiler/jit/kernels.h"
#include "compiler/run/memory_plan.h"
#include "compiler/run/operator_call.h"

namespace culprit::compiler::run {

/// Hears of every tensor that is in memory: first of those that are given, then of each that a step has made.
/// What it keeps it has to copy.
using Witness = std::function<void(loops::ValueIndex value, const at::Tensor& tensor)>;

class Executable {
 public:
  /// Code for each kernel of the schedule; without, it is interpreted.
  Executable(std::shared_ptr<const loops::LoopProgram> program, schedule::Schedule schedule, MemoryPlan plan,
             std::vector<std::shared_ptr<const jit::LoadedKernel>> code);

  /// One value per placeholder of the program's graph. The list is emptied: what is needed no more is freed
  /// while it runs. Several threads may call it.
  std::vector<c10::IValue> Run(std::vector<c10::IValue>& inputs, const Witness& witness = nullptr) const;

  const loops::LoopProgram& program() const { return *program_; }
  const schedule::Schedule& schedule() const { return schedule_; }
  const MemoryPlan& plan() const { return plan_; }

 private:
  using Values = std::vector<c10::IValue>;

  /// Inputs and constants, and nothing else yet.
  Values Given(std::vector<c10::IValue>& inputs) const;
  void RunKernel(const schedule::KernelStep& step, Values& values) const;
  void Call(const OperatorCall& call, Values& values) const;
  void Check(const schedule::CheckStep& step, const OperatorCall& call, const Values& values) const;
  at::Tensor MemoryFor(loops::ValueIndex value, Values& values) const;
  std::vector<c10::IValue> Outputs(const Values& values) const;

  std::shared_ptr<const loops::LoopProgram> program_;
  schedule::Schedule schedule_;
  MemoryPlan plan_;
  std::vector<std::shared_ptr<const jit::LoadedKernel>> code_;
  /// By kernel: how many pieces, and how many of them at least are worth another thread.
  struct Work {
    int64_t pieces = 0;
    int64_t grain = 1;
  };
  std::vector<Work> work_;
  /// Then results are made as libtorch makes its own, so that either can take the memory that the other one
  /// has left.
  bool calls_libtorch_ = false;
  /// By step; nothing where a kernel runs. Of a check: what fails if it does.
  std::vector<std::unique_ptr<OperatorCall>> calls_;
};

}  // namespace culprit::compiler::run
