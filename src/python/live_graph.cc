// SPDX-License-Identifier: Apache-2.0
#include "python/live_graph.h"

#include <optional>
#include <stdexcept>

#include "api/log.h"
#include "base/settings.h"
#include "graph/passes/own_constants.h"
#include "python/dispatch_modes.h"
#include "python/python_error.h"
#include "python/python_stacks.h"
#include "python/values.h"
#include "watch/notice/notice.h"
#include "watch/session/not_watched.h"

namespace culprit::python {
namespace {

namespace py = pybind11;

template <typename T>
T ValueOrThrow(base::Result<T> result) {
  if (!result.ok()) throw std::invalid_argument(result.error().Render());
  return *std::move(result);
}

base::Settings SettingsWith(const LiveProgram::Texts& texts) {
  const base::SettingsPatch patch = ValueOrThrow(base::SettingsPatch::Make(texts));
  return ValueOrThrow(base::CurrentSettings());
}

/// Without the lock. What is watched further down tells the reports of its failures with those of the outermost.
template <typename Function>
auto AsProgramCall(const Function& function) {
  const ModesAside no_modes;
  std::optional<watch::ProgramCall> call;
  if (!watch::IsInProgramCall()) call.emplace();
  try {
    try {
      return function();
    } catch (...) {
      RethrowFromBackward();
    }
  } catch (...) {
    if (call) call->Rethrow();
    throw;
  }
}

backend::Values CallWithoutLock(backend::Compiled& compiled, backend::Values& inputs) {
  const bool can_be_watched = CanBeWatched(inputs);
  const py::gil_scoped_release no_lock;
  if (!can_be_watched) {
    const watch::NotWatched off;
    return compiled.Call(inputs);
  }
  return AsProgramCall([&] { return compiled.Call(inputs); });
}

}  // namespace

py::object LiveGraph::Call(py::list inputs) const {
  backend::Values values = ValuesOf(inputs);
  PyList_SetSlice(inputs.ptr(), 0, PyList_GET_SIZE(inputs.ptr()), nullptr);
  try {
    return py::tuple(ListOf(CallWithoutLock(*compiled_, values)));
  } catch (...) {
    RaiseCaught();
  }
}

LiveProgram::LiveProgram(const watch::NamedCompiler& compiler, const Texts& settings, int rank, int size) {
  const std::function<void(const std::string&)> log = api::OpenLog("stderr");
  watch::WatchOptions options{.warn = [log](const std::string& text) { log("warning: " + text); }};
  if (size > 0) options.rank = watch::Rank{rank, size, [](const std::string&) {}};
  session_ = watch::OpenSession(compiler, SettingsWith(settings), options);
  session_->set_stacks_of_program(StacksOfPython);
}

bool LiveProgram::is_idle() const {
  return session_->level() == 0 && !settings().suppress_errors && !settings().verify_correctness &&
         settings().faults.empty();
}

std::unique_ptr<LiveGraph> LiveProgram::Compile(watch::Point point, const FxGraph& graph,
                                                const PythonCompiler& compiler) const {
  try {
    const std::unique_ptr<backend::Backend> watched =
        ValueOrThrow(watch::WatchWithFaults(MakeBackend(compiler), point, session_, OriginalOf(compiler)));
    const py::gil_scoped_release no_lock;
    return std::make_unique<LiveGraph>(AsProgramCall(
        [&] { return watched->Compile(graph::WithOwnConstants(graph.graph()), graph.inputs()); }));
  } catch (...) {
    RaiseCaught();
  }
}

}  // namespace culprit::python
