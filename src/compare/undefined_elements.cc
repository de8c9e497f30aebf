// SPDX-License-Identifier: Apache-2.0
#include "compare/undefined_elements.h"

#include "compare/structure/numbers_by_path.h"
#include "compare/structure/tensor_structure.h"

namespace culprit::compare {
namespace {

/// libtorch compares no floating-point numbers of 8 bits.
at::Tensor Comparable(const at::Tensor& tensor) {
  const at::Tensor dense = Dense(tensor);
  return c10::isFloat8Type(dense.scalar_type()) ? dense.to(at::kFloat) : dense;
}

}  // namespace

void UndefinedElements::Add(const c10::IValue& run, const c10::IValue& other) {
  const NumbersByPath numbers = CollectNumbers(run);
  const NumbersByPath others = CollectNumbers(other);
  for (const auto& [path, tensor] : numbers) {
    const auto found = others.find(path);
    if (found == others.end()) continue;
    if (!CompareStructure(path, tensor, found->second, {}).numbers_correspond) continue;
    const at::Tensor one = Comparable(tensor);
    const at::Tensor two = Comparable(found->second);
    at::Tensor mask = one.ne(two).logical_and_(one.isnan().logical_and_(two.isnan()).logical_not_());
    if (!mask.any().item<bool>()) continue;
    const auto [known, is_new] = masks_.try_emplace(path, mask);
    if (!is_new) known->second.logical_or_(mask);
  }
}

at::Tensor UndefinedElements::SetAside(const std::string& path, const at::Tensor& tensor) const {
  const auto found = masks_.find(path);
  if (found == masks_.end()) return tensor;
  return Dense(tensor).masked_fill(found->second, 0);
}

}  // namespace culprit::compare
