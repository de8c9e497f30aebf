// SPDX-License-Identifier: Apache-2.0
#include "backends/native/input_layout.h"

#include <algorithm>

#include "graph/ir/argument.h"

namespace culprit::backends::native {
namespace {

c10::DispatchKeySet KeysOf(const at::Tensor& tensor) {
  return tensor.key_set() - c10::autograd_dispatch_keyset_with_ADInplaceOrView;
}

// Others throw when they are asked.
c10::IntArrayRef StridesOf(const at::Tensor& tensor) {
  const bool has_strides = tensor.defined() && tensor.layout() == at::kStrided;
  return has_strides ? tensor.strides() : c10::IntArrayRef();
}

InputLayout LayoutOf(const at::Tensor& tensor) {
  return {.kind = InputLayout::Kind::kTensor,
          .keys = KeysOf(tensor),
          .dtype = tensor.scalar_type(),
          .sizes = tensor.sizes().vec(),
          .strides = StridesOf(tensor).vec()};
}

InputLayout LayoutOf(const c10::IValue& input) {
  if (input.isTensor()) return LayoutOf(input.toTensor());
  if (!input.isTensorList()) return {.number = input};
  InputLayout layout{.kind = InputLayout::Kind::kTensors};
  for (const at::Tensor& tensor : input.toTensorVector()) layout.tensors.push_back(LayoutOf(tensor));
  return layout;
}

bool LiesAs(const at::Tensor& tensor, const InputLayout& layout) {
  return KeysOf(tensor) == layout.keys && tensor.scalar_type() == layout.dtype &&
         tensor.sizes() == c10::IntArrayRef(layout.sizes) &&
         StridesOf(tensor) == c10::IntArrayRef(layout.strides);
}

bool LiesAs(const c10::IValue& input, const InputLayout& layout) {
  if (input.isTensor()) return layout.kind == InputLayout::Kind::kTensor && LiesAs(input.toTensor(), layout);
  if (!input.isTensorList())
    return layout.kind == InputLayout::Kind::kNumber && graph::SameConstant(input, layout.number);
  const std::vector<at::Tensor> tensors = input.toTensorVector();
  return layout.kind == InputLayout::Kind::kTensors &&
         std::ranges::equal(tensors, layout.tensors, [](const at::Tensor& tensor, const InputLayout& each) {
           return LiesAs(tensor, each);
         });
}

}  // namespace

std::vector<InputLayout> LayoutsOf(const backend::Values& inputs) {
  std::vector<InputLayout> layouts;
  for (const c10::IValue& input : inputs) layouts.push_back(LayoutOf(input));
  return layouts;
}

bool LieAs(const backend::Values& inputs, const std::vector<InputLayout>& layouts) {
  return std::ranges::equal(inputs, layouts, [](const c10::IValue& input, const InputLayout& layout) {
    return LiesAs(input, layout);
  });
}

}  // namespace culprit::backends::native
