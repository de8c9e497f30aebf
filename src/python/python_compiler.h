// SPDX-License-Identifier: Apache-2.0
//
// A compiler in this process's Python, as a backend. It is made for one graph, which Python has beside the
// one of Culprit:
//
//   compile()            => a callable
//   callable([x, y])     => outputs       if it has `_boxed_call`, it may empty the list to free inputs early
//   callable(x, y)       => outputs       otherwise
#pragma once

#include <memory>

#include "backend/backend.h"
#include "python/gil.h"

namespace culprit::python {

struct PythonCompiler {
  /// Called without arguments for each compilation.
  SharedObject compile;
  /// What runs without a compiler, a callable as above; null if that is the graph.
  SharedObject original;
  bool draws_as_eager = true;
  bool gives_gradients = false;
};

std::unique_ptr<backend::Backend> MakeBackend(PythonCompiler compiler);
/// Null if there is none. With the lock.
std::shared_ptr<backend::Compiled> OriginalOf(const PythonCompiler& compiler);

}  // namespace culprit::python
