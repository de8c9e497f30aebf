// SPDX-License-Identifier: Apache-2.0
#include "backends/torchscript/script/flag_scope.h"

#include <gtest/gtest.h>
#include <torch/csrc/jit/passes/tensorexpr_fuser.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include <atomic>
#include <cstdlib>
#include <future>
#include <optional>
#include <thread>

// NOLINTBEGIN(readability-identifier-naming)
namespace torch::jit {
TORCH_API bool canFuseOnCPU();
TORCH_API bool canFuseOnCPULegacy();
}  // namespace torch::jit
// NOLINTEND(readability-identifier-naming)

namespace culprit::backends::torchscript {
namespace {

constexpr const char* kUnfused = "PYTORCH_TENSOREXPR_DONT_FUSE";

std::string State() {
  const char* unfused = std::getenv(kUnfused);
  return fmt::format("executor {} profiling {} optimise {} te {} cpu {} legacy {} unfused {}",
                     torch::jit::getExecutorMode().load(), torch::jit::getProfilingMode().load(),
                     torch::jit::getGraphExecutorOptimize(), torch::jit::tensorExprFuserEnabled(),
                     torch::jit::canFuseOnCPU(), torch::jit::canFuseOnCPULegacy(),
                     unfused == nullptr ? "nothing" : unfused);
}

TEST(FlagScopeTest, EveryStageHasItsFlagsAndPutsBackWhatWasThere) {
  const std::string before = State();
  {
    const FlagScope scope({{ScriptStage::kNnc, Executor::kProfiling}, true, true, {"frac", "cos"}});
    EXPECT_EQ(State(),
              "executor true profiling true optimise true te true cpu true legacy false unfused frac:cos");
    const FlagScope inner({{ScriptStage::kLegacyFuser, Executor::kLegacy}});
    EXPECT_EQ(State(),
              "executor false profiling false optimise true te false cpu false legacy true unfused nothing");
  }
  EXPECT_EQ(State(), before);
}

TEST(FlagScopeTest, WhatTheCallerHasSetDoesNotMatter) {
  torch::jit::setTensorExprFuserEnabled(false);
  setenv(kUnfused, "tanh", 1);
  const std::string before = State();
  {
    const FlagScope scope({{ScriptStage::kPlain, Executor::kSimple}, false});
    EXPECT_EQ(State(),
              "executor true profiling false optimise false te true cpu false legacy false unfused nothing");
  }
  EXPECT_EQ(State(), before);
  unsetenv(kUnfused);
  torch::jit::setTensorExprFuserEnabled(true);
}

TEST(FlagScopeTest, ThreadsWithTheSameFlagsGoTogetherAndTheLastPutsBack) {
  const std::string before = State();
  const Flags flags{{ScriptStage::kNnc, Executor::kProfiling}};
  std::optional<FlagScope> first(std::in_place, flags);
  const std::string inside = State();
  std::promise<void> entered, may_leave;
  std::thread second([&] {
    const FlagScope scope(flags);
    entered.set_value();
    may_leave.get_future().wait();
  });
  entered.get_future().wait();
  // The scope that began first ends first.
  first.reset();
  EXPECT_EQ(State(), inside);
  may_leave.set_value();
  second.join();
  EXPECT_EQ(State(), before);
}

TEST(FlagScopeTest, ThreadsWithOtherFlagsWaitForEachOther) {
  const std::string before = State();
  std::atomic<int> mistakes = 0;
  const auto enter = [&](ScriptStage stage, bool uses_cpu) {
    for (int i = 0; i < 200; ++i) {
      const FlagScope scope({{stage, Executor::kProfiling}});
      if (torch::jit::canFuseOnCPU() != uses_cpu) ++mistakes;
      std::this_thread::yield();
      if (torch::jit::canFuseOnCPU() != uses_cpu) ++mistakes;
    }
  };
  {
    const std::jthread threads[] = {std::jthread([&] { enter(ScriptStage::kNnc, true); }),
                                    std::jthread([&] { enter(ScriptStage::kOfi, false); }),
                                    std::jthread([&] { enter(ScriptStage::kNnc, true); }),
                                    std::jthread([&] { enter(ScriptStage::kPlain, false); })};
  }
  EXPECT_EQ(mistakes, 0);
  EXPECT_EQ(State(), before);
}

}  // namespace
}  // namespace culprit::backends::torchscript
