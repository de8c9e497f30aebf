// SPDX-License-Identifier: Apache-2.0
//
// TorchScript is steered by flags of the whole process. They have to be right while a graph is compiled, and
// again at every call, since its executor compiles at the calls. All of them are set, so that what the caller
// had set does not matter, and put back afterwards.
#pragma once

#include <string>
#include <vector>

#include "backends/torchscript/script/settings.h"

namespace culprit::backends::torchscript {

/// What TorchScript has to be told, apart from the graph.
struct Flags {
  ScriptSettings settings;
  /// Whether the executor may optimise at all.
  bool optimise = true;
  /// Whether the old fuser may fuse.
  bool fuse_legacy = true;
  /// Operators that the tensor-expression fuser has to leave alone: "frac", "cos".
  std::vector<std::string> unfused = {};
};

/// TorchScript as the flags say while it lives.
class FlagScope {
 public:
  explicit FlagScope(const Flags& flags);
  ~FlagScope();
  FlagScope(const FlagScope&) = delete;
  FlagScope& operator=(const FlagScope&) = delete;

 private:
  struct State {
    bool new_executor = true;
    bool profiling = true;
    bool optimise = true;
    bool tensor_expressions = true;
    bool tensor_expressions_on_cpu = false;
    bool legacy_on_cpu = false;
    bool must_use_llvm = true;
    /// Of the environment; empty means none.
    std::string unfused;
  };
  static State Read();
  static void Write(const State& state);

  State former_;
};

}  // namespace culprit::backends::torchscript
