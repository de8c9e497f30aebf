// SPDX-License-Identifier: Apache-2.0
#include "backends/native/layout.h"

#include "graph/argument.h"

namespace culprit::backends::native {
namespace {

Layout::Kind KindOf(const c10::IValue& input) {
  if (input.isTensorList()) return Layout::Kind::kOtherTensor;
  if (!input.isTensor()) return Layout::Kind::kNumber;
  const at::Tensor& tensor = input.toTensor();
  return tensor.defined() && tensor.layout() == at::kStrided ? Layout::Kind::kStrided
                                                             : Layout::Kind::kOtherTensor;
}

bool LiesAs(const c10::IValue& input, const Layout& layout) {
  if (KindOf(input) != layout.kind) return false;
  if (layout.kind == Layout::Kind::kNumber) return graph::SameConstant(input, layout.number);
  if (layout.kind == Layout::Kind::kOtherTensor) return true;
  const at::Tensor& tensor = input.toTensor();
  return tensor.scalar_type() == layout.dtype && tensor.sizes() == c10::IntArrayRef(layout.sizes) &&
         tensor.strides() == c10::IntArrayRef(layout.strides);
}

}  // namespace

std::vector<Layout> LayoutsOf(const backend::Values& inputs) {
  std::vector<Layout> layouts;
  for (const c10::IValue& input : inputs) {
    Layout& layout = layouts.emplace_back(Layout{KindOf(input)});
    if (layout.kind == Layout::Kind::kNumber) layout.number = input;
    if (layout.kind != Layout::Kind::kStrided) continue;
    const at::Tensor& tensor = input.toTensor();
    layout.dtype = tensor.scalar_type();
    layout.sizes = tensor.sizes().vec();
    layout.strides = tensor.strides().vec();
  }
  return layouts;
}

bool LieAs(const backend::Values& inputs, const std::vector<Layout>& layouts) {
  if (inputs.size() != layouts.size()) return false;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!LiesAs(inputs[i], layouts[i])) return false;
  return true;
}

}  // namespace culprit::backends::native
