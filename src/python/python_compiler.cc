// SPDX-License-Identifier: Apache-2.0
#include "python/python_compiler.h"

#include "python/dispatch_modes.h"
#include "python/python_error.h"
#include "python/values.h"

namespace culprit::python {
namespace {

namespace py = pybind11;
using backend::Values;

bool IsBoxed(PyObject* callable) {
  const py::handle handle = callable;
  return py::hasattr(handle, "_boxed_call") && handle.attr("_boxed_call").cast<bool>();
}

/// Constructed with the lock.
class PythonCallable : public backend::Compiled {
 public:
  explicit PythonCallable(SharedObject callable)
      : callable_(std::move(callable)), is_boxed_(IsBoxed(callable_.get())) {}

  Values Call(Values& inputs) override {
    const py::gil_scoped_acquire lock;
    // An operator in Python may have failed while the watcher ran the graph.
    PyErr_Clear();
    const py::tuple arguments = ArgumentsOf(inputs);
    inputs.clear();
    const auto outputs =
        py::reinterpret_steal<py::object>(PyObject_Call(callable_.get(), arguments.ptr(), nullptr));
    if (!outputs) ThrowRaised();
    return ValuesOf(outputs);
  }

  /// What threads may do to each other is for the lock of the interpreter to say, as without Culprit.
  bool is_thread_safe() const override { return true; }

 private:
  /// A callee that empties its list frees what it was given.
  py::tuple ArgumentsOf(const Values& inputs) const {
    py::list list = ListOf(inputs);
    return is_boxed_ ? py::make_tuple(std::move(list)) : py::tuple(list);
  }

  const SharedObject callable_;
  const bool is_boxed_;
};

class PythonCompiled : public PythonCallable {
 public:
  using PythonCallable::PythonCallable;

  Values Call(Values& inputs) override {
    const py::gil_scoped_acquire lock;
    const ModesOfProgram modes;
    return PythonCallable::Call(inputs);
  }
};

class PythonBackend : public backend::Backend {
 public:
  explicit PythonBackend(PythonCompiler compiler) : compiler_(std::move(compiler)) {}

  bool gives_gradients() const override { return compiler_.gives_gradients; }
  bool draws_as_eager() const override { return compiler_.draws_as_eager; }

  std::unique_ptr<backend::Compiled> Compile(graph::Graph, const Values&) override {
    const py::gil_scoped_acquire lock;
    const ModesOfProgram modes;
    PyObject* callable = PyObject_CallNoArgs(compiler_.compile.get());
    if (callable == nullptr) ThrowRaised();
    return std::make_unique<PythonCompiled>(Share(callable));
  }

 private:
  const PythonCompiler compiler_;
};

}  // namespace

std::unique_ptr<backend::Backend> MakeBackend(PythonCompiler compiler) {
  return std::make_unique<PythonBackend>(std::move(compiler));
}

std::shared_ptr<backend::Compiled> OriginalOf(const PythonCompiler& compiler) {
  return compiler.original ? std::make_shared<PythonCallable>(compiler.original) : nullptr;
}

}  // namespace culprit::python
