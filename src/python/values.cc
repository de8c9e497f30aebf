// SPDX-License-Identifier: Apache-2.0
#include "python/values.h"

#include <torch/csrc/Generator.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/jit/python/pybind_utils.h>

#include <algorithm>

namespace culprit::python {
namespace {

namespace py = pybind11;

constexpr c10::DispatchKeySet kInsidesOfPython({c10::DispatchKey::Python, c10::DispatchKey::PythonTLSSnapshot,
                                                c10::DispatchKey::Functionalize});

bool IsPlain(const c10::IValue& value) {
  if (value.isPyObject()) return false;
  return !value.isTensor() || !value.toTensor().defined() ||
         !value.toTensor().key_set().has_any(kInsidesOfPython);
}

}  // namespace

c10::IValue FromPython(PyObject* object) {
  if (THPVariable_Check(object)) return THPVariable_Unpack(object);
  if (object == Py_None) return {};
  if (PyBool_Check(object)) return object == Py_True;
  if (PyLong_Check(object)) {
    int overflow = 0;
    const int64_t number = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow == 0) return number;
  }
  if (PyFloat_CheckExact(object)) return PyFloat_AS_DOUBLE(object);
  if (THPGenerator_Check(object)) return reinterpret_cast<THPGenerator*>(object)->cdata;
  return torch::jit::toIValue(object, c10::PyObjectType::get());
}

PyObject* ToPython(const c10::IValue& value) {
  if (value.isTensor()) return THPVariable_Wrap(value.toTensor());
  if (value.isNone()) return Py_NewRef(Py_None);
  if (value.isBool()) return PyBool_FromLong(value.toBool());
  if (value.isInt()) return PyLong_FromLongLong(value.toInt());
  if (value.isDouble()) return PyFloat_FromDouble(value.toDouble());
  if (value.isGenerator()) return THPGenerator_Wrap(value.toGenerator());
  return torch::jit::toPyObject(value).release().ptr();
}

backend::Values ValuesOf(py::handle sequence) {
  PyObject* object = sequence.ptr();
  if (!PyList_Check(object) && !PyTuple_Check(object)) return {FromPython(object)};
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(object);
  PyObject** items = PySequence_Fast_ITEMS(object);
  backend::Values values;
  values.reserve(static_cast<size_t>(count));
  for (Py_ssize_t i = 0; i < count; ++i) values.push_back(FromPython(items[i]));
  return values;
}

py::list ListOf(const backend::Values& values) {
  py::list list(values.size());
  for (size_t i = 0; i < values.size(); ++i)
    PyList_SET_ITEM(list.ptr(), static_cast<Py_ssize_t>(i), ToPython(values[i]));
  return list;
}

bool CanBeWatched(const backend::Values& values) {
  return std::ranges::all_of(values, IsPlain);
}

}  // namespace culprit::python
