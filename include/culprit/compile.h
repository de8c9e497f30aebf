// SPDX-License-Identifier: Apache-2.0
//
// TorchScript programs through a compiler, in the place of the programs themselves:
//
//   torch::jit::Module module = torch::jit::load("net.pt");
//   auto fast = culprit::Compile(module, {.backend = "torchscript:stage=ofi"});
//   at::Tensor y = fast.forward({x}).toTensor();
//
// A call is captured into graphs, the graphs are compiled, and later calls that look alike run what was
// compiled. What cannot be captured runs as it is written: results, writes, prints and exceptions are those
// of the program. Backends are named as on the command line; `culprit backends` lists them.
//
// Settings (culprit/config.h, or the environment) say whether the program is watched while it runs: then a
// compiler that fails leaves a repro (culprit/errors.h). They are those of the thread that calls Compile, at
// that time.
//
// What was compiled may be called from several threads. C++17 is enough; clang 14 cannot compile libtorch's
// own headers as C++20 unless this one comes first.
#ifndef CULPRIT_COMPILE_H
#define CULPRIT_COMPILE_H

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/module.h>

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace c10d {
class ProcessGroup;
}

namespace culprit {

/// A c10::intrusive_ptr<c10d::ProcessGroup>, or none. Whoever has one includes libtorch's header; nobody else
/// needs it.
class Ranks {
 public:
  Ranks() = default;
  template <typename Group, typename = std::enable_if_t<std::is_base_of<c10d::ProcessGroup, Group>::value>>
  Ranks(c10::intrusive_ptr<Group> group) : group_(group.get()), owned_(std::move(group)) {}

  /// Null if there is none.
  c10d::ProcessGroup* group() const { return owned_ ? group_ : nullptr; }

 private:
  c10d::ProcessGroup* group_ = nullptr;
  c10::intrusive_ptr<torch::CustomClassHolder> owned_;
};

/// A size of an argument, or of a part of one: "x", "images[0]", "batch['mask']". A whole number has
/// dimension 0.
struct MarkedSize {
  std::string argument;
  size_t dimension = 0;
};

struct CompileOptions {
  /// NAME[:key=value,...], or the file of a plug-in; if it is empty, the setting `backend`.
  std::string backend = {};
  /// Throw where the program does not become one graph.
  bool fullgraph = false;
  /// Functions, by name, that run as they are written.
  std::vector<std::string> disable = {};
  /// Sizes that differ from call to call: graphs are for all of them from the first call on. 0 and 1 are
  /// always captured for themselves.
  std::vector<MarkedSize> mark_dynamic = {};
  /// Sizes for each of which there is to be a graph of its own, although they differ.
  std::vector<MarkedSize> mark_static = {};
  /// Hears why something is captured again, in place of the setting `log`. That a place runs as it is written
  /// from now on is a warning of libtorch's.
  std::function<void(const std::string&)> log = nullptr;
  /// The ranks of this group agree on what they compile; all of them have to compile this module or function.
  /// Without a group, the setting `ranks` says whether they do (docs/ranks.md).
  Ranks ranks = {};
};

/// What happened so far.
struct CompileCounters {
  size_t graphs = 0;
  size_t operators = 0;
  /// By code, as in docs/graph-breaks.md.
  std::unordered_map<std::string, size_t> breaks;
  size_t inlined_calls = 0;
  /// Captured again because a guard did not hold.
  size_t recaptures = 0;
  /// Stretches that run as written since a limit was reached.
  size_t as_written = 0;
  /// Operators without a rule for tensors without memory, computed on zeros while capturing.
  size_t fallbacks = 0;
  /// Of the compiler: exceptions, wrong numbers, calls that took too long.
  size_t failures = 0;
  /// Graphs and calls that ran as written because of them.
  size_t suppressed = 0;
  /// Calls whose numbers were compared with those of the program.
  size_t checked = 0;
};

class CompiledFunction {
 public:
  using Arguments = std::vector<c10::IValue>;
  using Keywords = std::unordered_map<std::string, c10::IValue>;

  c10::IValue operator()(Arguments arguments, const Keywords& keywords = {}) const;
  const c10::FunctionSchema& schema() const;
  CompileCounters counters() const;

 private:
  friend class CompiledModule;
  friend CompiledFunction Compile(torch::jit::Function& function, const CompileOptions& options);
  class State;
  explicit CompiledFunction(std::shared_ptr<State> state) : state_(std::move(state)) {}

  std::shared_ptr<State> state_;
};

/// The module itself, except that its methods are compiled when they are called from here. It shares
/// parameters, buffers and the training flag with the module that it was made from.
class CompiledModule : public torch::jit::Module {
 public:
  c10::IValue forward(CompiledFunction::Arguments arguments,
                      const CompiledFunction::Keywords& keywords = {}) const;
  c10::IValue operator()(CompiledFunction::Arguments arguments) const {
    return forward(std::move(arguments));
  }
  CompiledFunction get_method(const std::string& name) const;

  template <typename... Values>
  c10::IValue run_method(const std::string& name, Values&&... values) const {
    return get_method(name)({c10::IValue(std::forward<Values>(values))...});
  }

 private:
  friend CompiledModule Compile(const torch::jit::Module& module, const CompileOptions& options);
  class Methods;
  CompiledModule(const torch::jit::Module& module, std::shared_ptr<Methods> methods)
      : torch::jit::Module(module), methods_(std::move(methods)) {}

  std::shared_ptr<Methods> methods_;
};

/// Nothing is captured before the first call. Throw std::invalid_argument if there is no such backend, its
/// options are wrong, or there is no argument whose size is marked. The function has to stay.
CompiledModule Compile(const torch::jit::Module& module, const CompileOptions& options = {});
CompiledFunction Compile(torch::jit::Function& function, const CompileOptions& options = {});

}  // namespace culprit

#endif  // CULPRIT_COMPILE_H
