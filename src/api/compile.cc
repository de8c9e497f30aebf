// SPDX-License-Identifier: Apache-2.0
#include "culprit/compile.h"

#include <mutex>
#include <stdexcept>

#include "api/backend_compiler.h"
#include "api/bind_arguments.h"
#include "capture/program.h"

namespace culprit {
namespace {

CompileCounters CountersOf(const capture::Program& program) {
  CompileCounters counters;
  for (const auto& segment : program.segments()) {
    if (segment->compiled) ++counters.graphs;
    counters.operators += segment->graph.nodes().size();
    counters.inlined_calls += segment->inlined_calls;
    for (const auto& [op, count] : segment->fallbacks) counters.fallbacks += static_cast<size_t>(count);
    if (segment->end) ++counters.breaks[std::string(capture::DescriptionOf(segment->end->kind).code)];
  }
  counters.recaptures = program.counters().recaptures;
  counters.as_written = program.counters().as_written;
  return counters;
}

capture::Options OptionsFor(const torch::jit::Function& function, const CompileOptions& options) {
  capture::Options capture;
  const auto compiler = api::OpenCompiler(options.backend, options.log);
  capture.parameters = compiler->parameters();
  capture.compile = [compiler](const capture::Segment& segment, const backend::Values& inputs) {
    return compiler->Compile(segment, inputs);
  };
  capture.name = function.name();
  capture.fullgraph = options.fullgraph;
  capture.walk.disabled = {options.disable.begin(), options.disable.end()};
  capture.log = options.log;
  capture.warn = [](const std::string& text) { TORCH_WARN("culprit: ", text); };
  return capture;
}

}  // namespace

class CompiledFunction::State {
 public:
  State(torch::jit::Function& function, c10::IValue self, const CompileOptions& options)
      : function_(function), self_(std::move(self)), program_(function, OptionsFor(function, options)) {}

  c10::IValue Call(Arguments arguments, const Keywords& keywords) {
    if (!self_.isNone()) arguments.insert(arguments.begin(), self_);
    api::BindArguments(function_, arguments, keywords);
    return program_.Call(std::move(arguments));
  }

  const c10::FunctionSchema& schema() const { return function_.getSchema(); }
  const capture::Program& program() const { return program_; }

 private:
  torch::jit::Function& function_;
  /// The module of a method; None for a function.
  c10::IValue self_;
  capture::Program program_;
};

c10::IValue CompiledFunction::operator()(Arguments arguments, const Keywords& keywords) const {
  return state_->Call(std::move(arguments), keywords);
}

const c10::FunctionSchema& CompiledFunction::schema() const {
  return state_->schema();
}

CompileCounters CompiledFunction::counters() const {
  return CountersOf(state_->program());
}

/// Those that were asked for so far.
class CompiledModule::Methods {
 public:
  explicit Methods(CompileOptions options) : options_(std::move(options)) {}

  CompiledFunction Find(const torch::jit::Module& module, const std::string& name) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<CompiledFunction::State>& state = states_[name];
    if (!state)
      state = std::make_shared<CompiledFunction::State>(module.get_method(name).function(), module._ivalue(),
                                                        options_);
    return CompiledFunction(state);
  }

 private:
  const CompileOptions options_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<CompiledFunction::State>> states_;
};

c10::IValue CompiledModule::forward(CompiledFunction::Arguments arguments,
                                    const CompiledFunction::Keywords& keywords) const {
  return get_method("forward")(std::move(arguments), keywords);
}

CompiledFunction CompiledModule::get_method(const std::string& name) const {
  return methods_->Find(*this, name);
}

CompiledModule Compile(const torch::jit::Module& module, const CompileOptions& options) {
  api::OpenCompiler(options.backend);
  return {module, std::make_shared<CompiledModule::Methods>(options)};
}

CompiledFunction Compile(torch::jit::Function& function, const CompileOptions& options) {
  return CompiledFunction(std::make_shared<CompiledFunction::State>(function, c10::IValue(), options));
}

}  // namespace culprit
