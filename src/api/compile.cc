// SPDX-License-Identifier: Apache-2.0
#include "culprit/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>

#include "api/agreement.h"
#include "api/backend_compiler.h"
#include "api/bind_arguments.h"
#include "api/log.h"
#include "base/settings.h"
#include "base/text.h"
#include "capture/captured_program.h"
#include "watch/notice/notice.h"
#include "watch/notice/warning.h"

namespace culprit {
namespace {

CompileCounters CountersOf(const capture::CapturedProgram& program, const watch::WatchCounters& watched) {
  CompileCounters counters;
  counters.failures = watched.failures;
  counters.suppressed = watched.suppressed;
  counters.checked = watched.checked;
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

base::Settings SettingsNow() {
  base::Result<base::Settings> settings = base::CurrentSettings();
  if (!settings.ok()) throw std::invalid_argument(settings.error().Render());
  return *std::move(settings);
}

/// What is decided when a program is compiled, for all its functions.
struct CompilePlan {
  explicit CompilePlan(CompileOptions given) : options(std::move(given)), settings(SettingsNow()) {
    if (!options.log) options.log = api::OpenLog(settings.log);
    // What is wrong with the backend is said now, before anybody waits for other ranks.
    api::OpenCompiler(options.backend, settings);
    if (!settings.disable) agreement = api::Agreement::Open(options.ranks.group(), settings, watch::WarnNow);
  }

  std::shared_ptr<api::BackendCompiler> OpenCompiler() const {
    return api::OpenCompiler(options.backend, settings, options.log, agreement);
  }

  CompileOptions options;
  base::Settings settings;
  /// Null unless ranks are to agree.
  std::shared_ptr<api::Agreement> agreement;
};

capture::Options OptionsFor(const torch::jit::Function& function, const CompilePlan& plan,
                            const std::shared_ptr<api::BackendCompiler>& compiler) {
  const auto& [options, settings, agreement] = plan;
  capture::Options capture;
  capture.parameters = compiler->parameters();
  capture.compile = [compiler](const capture::Segment& segment, const backend::Values& inputs) {
    return compiler->Compile(segment, inputs);
  };
  capture.name = function.name();
  capture.fullgraph = options.fullgraph;
  capture.walk.disabled = {options.disable.begin(), options.disable.end()};
  capture.segments_per_place = static_cast<size_t>(settings.recompile_limit);
  capture.segments = static_cast<size_t>(settings.accumulated_recompile_limit);
  capture.always_anew = settings.fresh_caches;
  capture.has_symbols = settings.dynamic_sizes != "off" && compiler->takes_symbols();
  capture.marks.only_marked = settings.dynamic_sizes == "marked";
  for (const MarkedSize& mark : options.mark_dynamic)
    capture.marks.dynamic.emplace(mark.argument, mark.dimension);
  for (const MarkedSize& mark : options.mark_static)
    capture.marks.fixed.emplace(mark.argument, mark.dimension);
  capture.log = options.log;
  capture.warn = watch::WarnNow;
  if (agreement) {
    capture.share = [ranks = agreement](const capture::PlaceView& view) { return ranks->Share(view); };
    capture.captures_together = settings.ranks_recompile;
  }
  return capture;
}

bool IsMarked(const std::vector<MarkedSize>& marks, const MarkedSize& size) {
  return std::ranges::any_of(marks, [&](const MarkedSize& mark) {
    return mark.argument == size.argument && mark.dimension == size.dimension;
  });
}

/// Marks of arguments that none of these functions has mean nothing.
void CheckMarks(const CompileOptions& options, const std::vector<const c10::FunctionSchema*>& functions) {
  std::vector<std::string_view> names;
  for (const c10::FunctionSchema* schema : functions) {
    for (const c10::Argument& argument : schema->arguments()) {
      if (argument.name() != "self") names.push_back(argument.name());
    }
  }
  for (const std::vector<MarkedSize>* marks : {&options.mark_dynamic, &options.mark_static}) {
    for (const MarkedSize& mark : *marks) {
      const std::string name = mark.argument.substr(0, mark.argument.find('['));
      if (std::ranges::count(names, name) == 0)
        throw std::invalid_argument(fmt::format("there is no argument '{}' whose size could be marked{}",
                                                base::Printable(name), base::DidYouMean(name, names)));
      if (marks == &options.mark_static && IsMarked(options.mark_dynamic, mark))
        throw std::invalid_argument(fmt::format("dimension {} of '{}' is marked as dynamic and as static",
                                                mark.dimension, base::Printable(mark.argument)));
    }
  }
}

}  // namespace

class CompiledFunction::State {
 public:
  State(torch::jit::Function& function, c10::IValue self, const CompilePlan& plan)
      : function_(function),
        self_(std::move(self)),
        is_disabled_(plan.settings.disable),
        agreement_(plan.agreement),
        compiler_(plan.OpenCompiler()),
        program_(function, OptionsFor(function, plan, compiler_)) {}

  c10::IValue Call(Arguments arguments, const Keywords& keywords) {
    if (!self_.isNone()) arguments.insert(arguments.begin(), self_);
    api::BindArguments(function_, arguments, keywords);
    if (is_disabled_) return function_(std::move(arguments));
    if (agreement_) agreement_->Listen();
    watch::ProgramCall call;
    try {
      return program_.Call(std::move(arguments));
    } catch (...) {
      call.Rethrow();
    }
  }

  const c10::FunctionSchema& schema() const { return function_.getSchema(); }
  CompileCounters counters() const { return CountersOf(program_, compiler_->session().counters()); }

 private:
  torch::jit::Function& function_;
  /// The module of a method; None for a function.
  c10::IValue self_;
  const bool is_disabled_;
  const std::shared_ptr<api::Agreement> agreement_;
  const std::shared_ptr<api::BackendCompiler> compiler_;
  capture::CapturedProgram program_;
};

c10::IValue CompiledFunction::operator()(Arguments arguments, const Keywords& keywords) const {
  return state_->Call(std::move(arguments), keywords);
}

const c10::FunctionSchema& CompiledFunction::schema() const {
  return state_->schema();
}

CompileCounters CompiledFunction::counters() const {
  return state_->counters();
}

/// Those that were asked for so far.
class CompiledModule::Methods {
 public:
  explicit Methods(CompileOptions options) : plan_(std::move(options)) {}

  CompiledFunction Find(const torch::jit::Module& module, const std::string& name) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<CompiledFunction::State>& state = states_[name];
    if (!state)
      state = std::make_shared<CompiledFunction::State>(module.get_method(name).function(), module._ivalue(),
                                                        plan_);
    return CompiledFunction(state);
  }

 private:
  const CompilePlan plan_;
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
  std::vector<const c10::FunctionSchema*> methods;
  for (const torch::jit::Method& method : module.get_methods())
    methods.push_back(&method.function().getSchema());
  CheckMarks(options, methods);
  return {module, std::make_shared<CompiledModule::Methods>(options)};
}

CompiledFunction Compile(torch::jit::Function& function, const CompileOptions& options) {
  CheckMarks(options, {&function.getSchema()});
  return CompiledFunction(
      std::make_shared<CompiledFunction::State>(function, c10::IValue(), CompilePlan(options)));
}

}  // namespace culprit
