// SPDX-License-Identifier: Apache-2.0
#include "backends/torchscript/script/flag_scope.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/csrc/jit/passes/tensorexpr_fuser.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include <cstdlib>

// Exported by libtorch. Debian ships no header for the first four, and the last one's costs seconds.
// NOLINTBEGIN(readability-identifier-naming)
namespace torch::jit {
TORCH_API bool canFuseOnCPU();
TORCH_API void overrideCanFuseOnCPU(bool value);
TORCH_API bool canFuseOnCPULegacy();
TORCH_API void overrideCanFuseOnCPULegacy(bool value);
namespace tensorexpr {
TORCH_API bool& getTEMustUseLLVMOnCPU();
}  // namespace tensorexpr
}  // namespace torch::jit
// NOLINTEND(readability-identifier-naming)

namespace culprit::backends::torchscript {
namespace {

// Read by the fuser whenever it begins.
constexpr const char* kUnfused = "PYTORCH_TENSOREXPR_DONT_FUSE";

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void SetEnvironment(const char* name, const std::string& value) {
  if (value.empty()) {
    unsetenv(name);
  } else {
    setenv(name, value.c_str(), /*overwrite=*/1);
  }
}

}  // namespace

FlagScope::State FlagScope::Read() {
  return {.new_executor = torch::jit::getExecutorMode(),
          .profiling = torch::jit::getProfilingMode(),
          .optimise = torch::jit::getGraphExecutorOptimize(),
          .tensor_expressions = torch::jit::tensorExprFuserEnabled(),
          .tensor_expressions_on_cpu = torch::jit::canFuseOnCPU(),
          .legacy_on_cpu = torch::jit::canFuseOnCPULegacy(),
          .must_use_llvm = torch::jit::tensorexpr::getTEMustUseLLVMOnCPU(),
          .unfused = Environment(kUnfused)};
}

void FlagScope::Write(const State& state) {
  torch::jit::getExecutorMode() = state.new_executor;
  torch::jit::getProfilingMode() = state.profiling;
  torch::jit::setGraphExecutorOptimize(state.optimise);
  torch::jit::setTensorExprFuserEnabled(state.tensor_expressions);
  torch::jit::overrideCanFuseOnCPU(state.tensor_expressions_on_cpu);
  torch::jit::overrideCanFuseOnCPULegacy(state.legacy_on_cpu);
  torch::jit::tensorexpr::getTEMustUseLLVMOnCPU() = state.must_use_llvm;
  SetEnvironment(kUnfused, state.unfused);
}

FlagScope::FlagScope(const Flags& flags) : former_(Read()) {
  const ScriptStage stage = flags.settings.stage;
  const Executor executor = flags.settings.executor;
  Write({.new_executor = executor != Executor::kLegacy,
         .profiling = executor == Executor::kProfiling,
         .optimise = flags.optimise,
         // On by default, and without effect unless fusing on the CPU is allowed.
         .tensor_expressions = stage != ScriptStage::kLegacyFuser,
         .tensor_expressions_on_cpu = stage == ScriptStage::kNnc,
         .legacy_on_cpu = stage == ScriptStage::kLegacyFuser && flags.fuse_legacy,
         // This libtorch is built without LLVM; there is an interpreter.
         .must_use_llvm = false,
         .unfused = fmt::format("{}", fmt::join(flags.unfused, ":"))});
}

FlagScope::~FlagScope() {
  Write(former_);
}

}  // namespace culprit::backends::torchscript
