// SPDX-License-Identifier: Apache-2.0
#include "python/python_error.h"

#include <culprit/errors.h>
#include <torch/csrc/Exceptions.h>

namespace culprit::python {
namespace {

namespace py = pybind11;

SharedObject& Requests() {
  static SharedObject& classes = *new SharedObject;
  return classes;
}

bool IsRequest(PyObject* exception) {
  if (PyObject_IsInstance(exception, PyExc_Exception) == 0) return true;
  return Requests() && PyObject_IsInstance(exception, Requests().get()) == 1;
}

/// "torch._inductor.exc.InductorError", "ValueError".
std::string TypeName(py::handle exception) {
  const py::handle type = py::type::handle_of(exception);
  const std::string name = py::str(type.attr("__qualname__"));
  const std::string module = py::str(type.attr("__module__"));
  return module == "builtins" ? name : module + "." + name;
}

std::string MessageOf(py::handle exception) {
  try {
    return py::str(exception);
  } catch (const py::error_already_set&) {
    return "an exception whose text cannot be had";
  }
}

void Raise(const SharedObject& exception) {
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.get())), exception.get());
}

/// Null if the cause is none of Python's.
PyObject* CauseOf(const BackendCompilerFailed& failed) {
  try {
    std::rethrow_exception(failed.cause());
  } catch (const PythonError& error) {
    return error.exception().get();
  } catch (...) {
    return nullptr;
  }
}

/// Nothing has thrown one as long as nobody has imported them.
bool IsFailure(PyObject* exception, const char* name) {
  const py::dict modules = py::module_::import("sys").attr("modules");
  if (!modules.contains("culprit.errors")) return false;
  return PyObject_IsInstance(exception, py::object(modules["culprit.errors"].attr(name)).ptr()) == 1;
}

/// Of one that has come through Python.
template <typename Kind, typename... Cause>
void ThrowAgain(py::handle failure, Cause... cause) {
  const auto text = [&](const char* name) { return failure.attr(name).cast<std::string>(); };
  throw Kind(MessageOf(failure), text("graph"), text("signature"), text("repro"), std::move(cause)...);
}

std::exception_ptr InnerOf(py::handle failure) {
  py::object inner = failure.attr("inner_exception");
  const std::string type = TypeName(inner), message = MessageOf(inner);
  return std::make_exception_ptr(PythonError(type, message, Share(std::move(inner))));
}

void ThrowIfFailure(PyObject* exception) {
  if (IsFailure(exception, "BackendCompilerFailed"))
    ThrowAgain<BackendCompilerFailed>(exception, InnerOf(exception));
  if (IsFailure(exception, "AccuracyError")) ThrowAgain<AccuracyError>(exception);
}

void RaiseFailure(const char* name, const Failure& failure, PyObject* cause) {
  const py::object inner = cause == nullptr ? py::none() : py::reinterpret_borrow<py::object>(cause);
  const py::object type = py::module_::import("culprit.errors").attr(name);
  py::object exception = type(failure.what(), failure.graph(), failure.signature(), failure.repro(), inner);
  if (cause != nullptr) PyException_SetCause(exception.ptr(), Py_NewRef(cause));
  Raise(Share(std::move(exception)));
}

}  // namespace

bool PythonError::AddNote(const std::string& text) const {
  const py::gil_scoped_acquire lock;
  const py::handle exception = exception_.get();
  try {
    if (py::hasattr(exception, "add_note")) {
      exception.attr("add_note")(text.ends_with('\n') ? text.substr(0, text.size() - 1) : text);
    } else {
      exception.attr("args") = py::make_tuple(MessageOf(exception) + "\n" + text);
    }
    return true;
  } catch (const py::error_already_set&) {
    return false;
  }
}

void SetRequests(py::tuple classes) {
  Requests() = Share(std::move(classes));
}

void ThrowRaised() {
  PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback != nullptr) PyException_SetTraceback(value, traceback);
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  SharedObject exception = Share(value);
  if (IsRequest(value)) throw PythonRequest(std::move(exception));
  ThrowIfFailure(value);
  throw PythonError(TypeName(value), MessageOf(value), std::move(exception));
}

void RethrowFromBackward() {
  try {
    throw;
  } catch (const python_error& error) {
    const py::gil_scoped_acquire lock;
    python_error(error).restore();
    ThrowRaised();
  }
}

void RaiseCaught() {
  try {
    throw;
  } catch (const PythonError& error) {
    Raise(error.exception());
  } catch (const PythonRequest& request) {
    Raise(request.exception());
  } catch (const BackendCompilerFailed& failed) {
    RaiseFailure("BackendCompilerFailed", failed, CauseOf(failed));
  } catch (const AccuracyError& error) {
    RaiseFailure("AccuracyError", error, nullptr);
  } catch (const py::builtin_exception&) {
    throw;
  } catch (const py::error_already_set&) {
    throw;
  } catch (...) {
    torch::translate_exception_to_python(std::current_exception());
  }
  throw py::error_already_set();
}

}  // namespace culprit::python
