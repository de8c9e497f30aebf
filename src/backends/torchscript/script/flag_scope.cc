// SPDX-License-Identifier: Apache-2.0
#include "backends/torchscript/script/flag_scope.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/csrc/jit/passes/tensorexpr_fuser.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include <condition_variable>
#include <cstdlib>
#include <mutex>

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
  // Others may be reading the environment at the moment.
  if (Environment(name) == value) return;
  if (value.empty()) {
    unsetenv(name);
  } else {
    setenv(name, value.c_str(), /*overwrite=*/1);
  }
}

/// How many scopes this thread is in.
int& OwnScopes() {
  thread_local int own_scopes = 0;
  return own_scopes;
}

}  // namespace

struct FlagScope::State {
  bool new_executor = true;
  bool profiling = true;
  bool optimise = true;
  bool tensor_expressions = true;
  bool tensor_expressions_on_cpu = false;
  bool legacy_on_cpu = false;
  bool must_use_llvm = true;
  /// Of the environment; empty means none.
  std::string unfused;
  bool operator==(const State&) const = default;
};

struct FlagScope::InForce {
  std::mutex mutex;
  std::condition_variable left;
  /// Of all threads.
  int scopes = 0;
  /// Of them, those that changed what an outer scope of their thread had set. Nobody joins these.
  int changes = 0;
  /// Nothing while there is no scope.
  State state;
  /// What was there before the first scope.
  State before;
};

FlagScope::InForce& FlagScope::TheInForce() {
  static auto& in_force = *new InForce;
  return in_force;
}

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

FlagScope::State FlagScope::Wanted(const Flags& flags) {
  const ScriptStage stage = flags.settings.stage;
  const Executor executor = flags.settings.executor;
  return {.new_executor = executor != Executor::kLegacy,
          .profiling = executor == Executor::kProfiling,
          .optimise = flags.optimise,
          // On by default, and without effect unless fusing on the CPU is allowed.
          .tensor_expressions = stage != ScriptStage::kLegacyFuser,
          .tensor_expressions_on_cpu = stage == ScriptStage::kNnc,
          .legacy_on_cpu = stage == ScriptStage::kLegacyFuser && flags.fuse_legacy,
          // This libtorch is built without LLVM; there is an interpreter.
          .must_use_llvm = false,
          .unfused = fmt::format("{}", fmt::join(flags.unfused, ":"))};
}

FlagScope::FlagScope(const Flags& flags) {
  const State wanted = Wanted(flags);
  InForce& in_force = TheInForce();
  std::unique_lock lock(in_force.mutex);
  in_force.left.wait(lock, [&] {
    return in_force.scopes == OwnScopes() || (in_force.changes == 0 && in_force.state == wanted);
  });
  if (in_force.scopes == 0) {
    in_force.before = Read();
    Write(wanted);
  } else if (in_force.state != wanted) {
    outer_ = std::make_unique<const State>(in_force.state);
    ++in_force.changes;
    Write(wanted);
  }
  in_force.state = wanted;
  ++in_force.scopes;
  ++OwnScopes();
}

FlagScope::~FlagScope() {
  InForce& in_force = TheInForce();
  {
    const std::lock_guard lock(in_force.mutex);
    --OwnScopes();
    --in_force.scopes;
    if (outer_ != nullptr) {
      --in_force.changes;
      in_force.state = *outer_;
      Write(*outer_);
    } else if (in_force.scopes == 0) {
      Write(in_force.before);
    }
  }
  in_force.left.notify_all();
}

}  // namespace culprit::backends::torchscript
