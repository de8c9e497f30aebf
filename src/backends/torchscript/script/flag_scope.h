// SPDX-License-Identifier: Apache-2.0
//
// TorchScript is steered by flags of the whole process. They have to be right while a graph is compiled, and
// again at every call, since its executor compiles at the calls. All of them are set, so that what the caller
// had set does not matter, and put back afterwards.
//
// Threads that want the same flags go together, and the last one puts back what was there before the first.
// Threads that want others wait until these have left.
#pragma once

#include <memory>
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
  struct State;
  struct InForce;
  static State Read();
  static void Write(const State& state);
  static InForce& TheInForce();
  static State Wanted(const Flags& flags);

  /// What is to be put back when this scope ends, if it changed what an outer scope of this thread had set.
  std::unique_ptr<const State> outer_;
};

}  // namespace culprit::backends::torchscript
