// SPDX-License-Identifier: Apache-2.0
#include "backends/torchscript/script/flag_scope.h"

#include <gtest/gtest.h>
#include <torch/csrc/jit/passes/tensorexpr_fuser.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include <cstdlib>

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

}  // namespace
}  // namespace culprit::backends::torchscript
