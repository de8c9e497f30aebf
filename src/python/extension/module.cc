// SPDX-License-Identifier: Apache-2.0
//
// The extension culprit._culprit: the watcher in a process that has imported torch, on that process's
// libtorch. python/culprit/_culprit.pyi has its types.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/autograd/python_variable.h>

#include "backend/refusal.h"
#include "base/setting_table.h"
#include "base/settings.h"
#include "python/live_graph.h"
#include "python/python_error.h"
#include "python/values.h"
#include "python/write_graph.h"
#include "watch/crash_record.h"

namespace culprit::python {
namespace {

namespace py = pybind11;

at::ScalarType DtypeOf(const py::object& dtype) {
  if (!THPDtype_Check(dtype.ptr())) throw py::type_error("expected a torch.dtype");
  return reinterpret_cast<THPDtype*>(dtype.ptr())->scalar_type;
}

std::map<std::string, at::Tensor> ConstantsOf(const py::dict& constants) {
  std::map<std::string, at::Tensor> tensors;
  for (const auto& [name, tensor] : constants) {
    if (!THPVariable_Check(tensor.ptr())) throw py::type_error("expected tensors");
    tensors.emplace(name.cast<std::string>(), THPVariable_Unpack(tensor.ptr()));
  }
  return tensors;
}

FxGraph ReadGraph(const std::string& name, const std::string& text, const py::dict& constants) {
  base::Result<FxGraph> graph = FxGraph::Read(name, text, ConstantsOf(constants));
  if (!graph.ok()) throw backend::Refusal(graph.error().Render());
  return *std::move(graph);
}

void Write(const FxGraph& graph, const std::string& path, const std::string& compiler,
           const py::list& inputs) {
  const base::Status written = WriteGraph(graph, path, compiler, ValuesOf(inputs));
  if (!written.ok()) throw backend::Refusal(written.error().Render());
}

void DefineGraphs(py::module_& module) {
  py::class_<FxGraph>(module, "CapturedGraph")
      .def(py::init(&ReadGraph))
      .def("add_tensor",
           [](FxGraph& graph, const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides,
              const py::object& dtype) {
             graph.AddInput({sizes, strides, DtypeOf(dtype)});
           })
      .def("add_value",
           [](FxGraph& graph, const py::object& value) { graph.AddInput(FromPython(value.ptr())); })
      .def("write", &Write);
  py::class_<LiveGraph>(module, "LiveGraph", py::dynamic_attr()).def("__call__", &LiveGraph::Call);
}

void DefinePrograms(py::module_& module) {
  py::enum_<watch::Point>(module, "Point")
      .value("capture", watch::Point::kCapture)
      .value("aot", watch::Point::kAot);
  py::class_<LiveProgram>(module, "Program")
      .def(py::init([](const std::string& captured, const std::string& split, bool splits_graphs,
                       const LiveProgram::Texts& settings, int rank, int size) {
        return LiveProgram({captured, split, splits_graphs}, settings, rank, size);
      }))
      .def("compile",
           [](const LiveProgram& program, watch::Point point, const FxGraph& graph, py::object compile,
              bool draws_as_eager, bool gives_gradients, py::object original) {
             const PythonCompiler compiler{Share(std::move(compile)),
                                           original.is_none() ? nullptr : Share(std::move(original)),
                                           draws_as_eager, gives_gradients};
             py::object live = py::cast(program.Compile(point, graph, compiler));
             // Dynamo copies what is an attribute of the object itself.
             live.attr("_boxed_call") = true;
             return live;
           })
      .def("setting",
           [](const LiveProgram& program, const std::string& name) {
             return base::PrintSetting(**base::FindSetting(name), program.settings());
           })
      .def_property_readonly("is_idle", &LiveProgram::is_idle)
      .def("watches",
           [](const LiveProgram& program, watch::Point point) { return program.session().watches(point); })
      .def("warn", [](const LiveProgram& program, const std::string& text) { program.session().Warn(text); })
      .def_property_readonly("counters", [](const LiveProgram& program) {
        const watch::WatchCounters& counters = program.session().counters();
        return std::map<std::string, uint64_t>{{"failures", counters.failures},
                                               {"suppressed", counters.suppressed},
                                               {"checked", counters.checked}};
      });
}

/// (name, value, origin) of each.
std::vector<std::tuple<std::string, std::string, std::string>> Settings() {
  const base::Result<std::vector<base::SettingValue>> values = base::DescribeSettings();
  if (!values.ok()) throw py::value_error(values.error().Render());
  std::vector<std::tuple<std::string, std::string, std::string>> settings;
  for (const base::SettingValue& value : *values)
    settings.emplace_back(value.row->name, value.text, value.origin);
  return settings;
}

}  // namespace
}  // namespace culprit::python

PYBIND11_MODULE(_culprit, module) {
  using namespace culprit;  // NOLINT
  pybind11::register_local_exception<backend::Refusal>(module, "Refusal");
  python::DefineGraphs(module);
  python::DefinePrograms(module);
  module.def("settings", &python::Settings);
  module.def("check_settings", [](const python::LiveProgram::Texts& texts) {
    const base::Result<base::SettingsPatch> patch = base::SettingsPatch::Make(texts);
    if (!patch.ok()) throw pybind11::value_error(patch.error().Render());
  });
  module.def("close_records", &watch::CrashRecord::CloseAll);
  module.def("set_requests", &python::SetRequests);
}
