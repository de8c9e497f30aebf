// SPDX-License-Identifier: Apache-2.0
//
// Inputs and outputs of compiled graphs, between Python and C++. A tensor keeps its object. With the lock.
#pragma once

#include <pybind11/pybind11.h>

#include "backend/backend.h"

namespace culprit::python {

/// What a graph has no value for passes through as it is, wrapped.
c10::IValue FromPython(PyObject* object);
/// A new reference.
PyObject* ToPython(const c10::IValue& value);

/// Elements of a list or tuple; one of something else.
backend::Values ValuesOf(pybind11::handle sequence);
pybind11::list ListOf(const backend::Values& values);

/// Whether the watcher can look at it: not at tensors that Python has given other insides, such as fakes.
bool CanBeWatched(const backend::Values& values);

}  // namespace culprit::python
