// SPDX-License-Identifier: Apache-2.0
#include "autograd/fakes_of.h"

#include "autograd/memory.h"
#include "graph/fake/mode.h"
#include "graph/gradness.h"

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
    const at::Tensor& tensor = value.toTensor();
    fakes.emplace_back(
        graph::WithGradness(world.FakeOf(TwinOf(tensor)), tensor.requires_grad(), tensor.is_leaf()));
  }
  return fakes;
}

}  // namespace culprit::autograd
