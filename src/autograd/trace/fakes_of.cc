// SPDX-License-Identifier: Apache-2.0
#include "autograd/trace/fakes_of.h"

#include <ATen/ops/alias.h>

#include "autograd/functional/memory.h"
#include "graph/fake/mode.h"
#include "graph/tensors/gradness.h"

namespace culprit::autograd {

backend::Values FakesOf(const backend::Values& values) {
  graph::fake::World world;
  const graph::fake::Mode mode(world);
  backend::Values fakes;
  fakes.reserve(values.size());
  for (const c10::IValue& value : values) {
    if (!value.isTensor() || !value.toTensor().defined()) {
      fakes.push_back(value);
      continue;
    }
    fakes.emplace_back(FakeOfInput(world, value.toTensor(), value.toTensor().requires_grad()));
  }
  return fakes;
}

at::Tensor FakeOfInput(graph::fake::World& world, const at::Tensor& input, bool requires_grad) {
  const at::Tensor fake = world.FakeOf(TwinOf(input));
  if (requires_grad && input.is_leaf() && input.is_view()) return at::alias(fake).requires_grad_();
  return graph::WithGradness(fake, requires_grad, input.is_leaf());
}

}  // namespace culprit::autograd
