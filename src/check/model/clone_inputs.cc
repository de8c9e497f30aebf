// SPDX-License-Identifier: Apache-2.0
#include "check/model/clone_inputs.h"

#include <ATen/core/Generator.h>
#include <c10/core/InferenceMode.h>

#include "graph/passes/cast_to_fp64.h"
#include "graph/tensors/gradness.h"
#include "graph/tensors/map_tensors.h"

namespace culprit::check {
namespace {

at::Tensor WithGradnessOf(const at::Tensor& original, at::Tensor clone) {
  if (!original.defined()) return clone;
  return graph::WithGradness(std::move(clone), original.requires_grad(), original.is_leaf());
}

}  // namespace

at::Tensor InputClones::Clone(const at::Tensor& tensor) {
  const c10::InferenceMode mode(tensor.defined() && tensor.is_inference());
  return WithGradnessOf(tensor, copies_.Copy(tensor));
}

c10::IValue InputClones::Clone(const c10::IValue& value) {
  if (value.isGenerator()) return copies_.Copy(value);
  return graph::MapTensors(value, [this](const at::Tensor& tensor) { return Clone(tensor); });
}

std::vector<c10::IValue> CloneInputs(const std::vector<c10::IValue>& inputs) {
  InputClones clones;
  std::vector<c10::IValue> result;
  result.reserve(inputs.size());
  for (const c10::IValue& input : inputs) result.push_back(clones.Clone(input));
  return result;
}

base::Result<std::vector<c10::IValue>> CloneInputsInFp64(const std::vector<c10::IValue>& inputs) {
  const c10::InferenceMode mode(false);
  std::vector<c10::IValue> cast = CULPRIT_TRY(graph::CastInputsToFp64(inputs));
  for (size_t i = 0; i < inputs.size(); ++i) {
    // Both are walked in the same order.
    std::vector<at::Tensor> originals;
    graph::MapTensors(inputs[i], [&](const at::Tensor& tensor) { return originals.emplace_back(tensor); });
    auto original = originals.begin();
    cast[i] = graph::MapTensors(cast[i],
                                [&](const at::Tensor& clone) { return WithGradnessOf(*original++, clone); });
  }
  return cast;
}

}  // namespace culprit::check
