// SPDX-License-Identifier: Apache-2.0
//
// The watcher waits for other threads (checks take turns), and they may need the interpreter: so it runs
// without the lock of the interpreter, and only what touches objects of Python holds it.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

namespace culprit::python {

/// An object that may be copied and dropped without the lock.
using SharedObject = std::shared_ptr<PyObject>;

/// Takes over the reference.
inline SharedObject Share(PyObject* object) {
  return {object, [](PyObject* owned) {
            // Behind the end of the interpreter nothing can be freed any more.
            if (owned == nullptr || Py_IsInitialized() == 0) return;
            const pybind11::gil_scoped_acquire lock;
            Py_DECREF(owned);
          }};
}

inline SharedObject Share(pybind11::object object) {
  return Share(object.release().ptr());
}

}  // namespace culprit::python
