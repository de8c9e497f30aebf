// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.h"
#include "graph/fake/world.h"

namespace culprit::autograd {

/// Fakes that lie as the values do and share memory as they do, with the same gradness.
backend::Values FakesOf(const backend::Values& values);

/// One of them, under a Mode. It is no view, since it is the input itself that is written when a graph has
/// run. But leaves stay views: they cannot be written, and autocast keeps no casts of them.
at::Tensor FakeOfInput(graph::fake::World& world, const at::Tensor& input, bool requires_grad);

}  // namespace culprit::autograd
