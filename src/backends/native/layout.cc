// SPDX-License-Identifier: Apache-2.0
#include "backends/native/layout.h"

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

Layout LayoutOf(const at::Tensor& tensor) {
  return {.kind = Layout::Kind::kTensor,
          .keys = KeysOf(tensor),
          .dtype = tensor.scalar_type(),
          .sizes = tensor.sizes().vec(),
          .strides = StridesOf(tensor).vec()};
}

Layout LayoutOf(const c10::IValue& input) {
  if (input.isTensor()) return LayoutOf(input.toTensor());
  if (!input.isTensorList()) return {.number = input};
  Layout layout{.kind = Layout::Kind::kTensors};
  for (const at::Tensor& tensor : input.toTensorVector()) layout.tensors.push_back(LayoutOf(tensor));
  return layout;
}

bool LiesAs(const at::Tensor& tensor, const Layout& layout) {
  return KeysOf(tensor) == layout.keys && tensor.scalar_type() == layout.dtype &&
         tensor.sizes() == c10::IntArrayRef(layout.sizes) &&
         StridesOf(tensor) == c10::IntArrayRef(layout.strides);
}

bool LiesAs(const c10::IValue& input, const Layout& layout) {
  if (input.isTensor()) return layout.kind == Layout::Kind::kTensor && LiesAs(input.toTensor(), layout);
  if (!input.isTensorList())
    return layout.kind == Layout::Kind::kNumber && graph::SameConstant(input, layout.number);
  const std::vector<at::Tensor> tensors = input.toTensorVector();
  return layout.kind == Layout::Kind::kTensors &&
         std::ranges::equal(tensors, layout.tensors, [](const at::Tensor& tensor, const Layout& each) {
           return LiesAs(tensor, each);
         });
}

}  // namespace

std::vector<Layout> LayoutsOf(const backend::Values& inputs) {
  std::vector<Layout> layouts;
  for (const c10::IValue& input : inputs) layouts.push_back(LayoutOf(input));
  return layouts;
}

bool LieAs(const backend::Values& inputs, const std::vector<Layout>& layouts) {
  return std::ranges::equal(
      inputs, layouts, [](const c10::IValue& input, const Layout& layout) { return LiesAs(input, layout); });
}

}  // namespace culprit::backends::native
