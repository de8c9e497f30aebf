// SPDX-License-Identifier: Apache-2.0
//
// A graph that was compiled, for inputs as they came. Others than those it was compiled for are compiled for
// when they come: tensors of other sizes, where the graph has symbols, or that lie in another way. Kernels
// that take sizes as arguments are the same for all of them, so that costs no code generation.
//
// Frozen parameters are constants of the graph, and what the passes on the graph fold of them is kept once.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "backend/backend.h"
#include "backends/native/input_layout.h"
#include "compiler/jit/fork_safe_mutex.h"
#include "compiler/pipeline/pipeline.h"
#include "graph/passes/freeze_placeholders.h"
#include "graph/run/interpreter.h"

namespace culprit::backends::native {

struct Compiler {
  compiler::pipeline::Pipeline pipeline;
  compiler::pipeline::Options options;
  std::vector<backend::SwitchOff> off;
  backend::Parameters parameters = backend::Parameters::kLifted;
};

class NativeCompiled : public backend::Compiled {
 public:
  NativeCompiled(const Compiler& compiler, graph::Graph graph, const backend::Values& inputs);

  backend::Values Call(backend::Values& inputs) override;
  bool is_thread_safe() const override { return true; }

 private:
  NativeCompiled(Compiler compiler, graph::FrozenGraph frozen, const backend::Values& inputs);

  using Observer = compiler::pipeline::PassObserver;
  struct Variant {
    std::vector<InputLayout> layouts;
    /// Null if the graph runs as it is.
    std::shared_ptr<const compiler::run::Executable> executable;
  };

  /// For those of the inputs that are kept.
  std::shared_ptr<const compiler::run::Executable> Find(const backend::Values& inputs);
  /// Null if there is none yet. Under the lock.
  const Variant* Known(const backend::Values& inputs);
  Variant Make(const backend::Values& inputs, Observer* observer = nullptr) const;

  Compiler compiler_;
  /// Which of the inputs are not frozen.
  std::vector<size_t> kept_;
  graph::Interpreter as_it_is_;
  /// Behind the passes that hold for all inputs, and without any.
  compiler::pipeline::Compilation on_graph_;
  compiler::jit::ForkSafeMutex mutex_;
  /// The one that was used last stands first.
  std::list<Variant> variants_;
};

}  // namespace culprit::backends::native
