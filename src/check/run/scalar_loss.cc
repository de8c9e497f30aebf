// SPDX-License-Identifier: Apache-2.0
#include "check/run/scalar_loss.h"

#include <ATen/ops/_sparse_sum.h>
#include <ATen/ops/view_as_real.h>
#include <fmt/format.h>

#include <algorithm>

#include "compare/structure/tree.h"

namespace culprit::check {
namespace {

using base::Diagnostic;
using base::Result;

at::Tensor SumOf(const at::Tensor& tensor) {
  if (tensor.is_sparse()) return tensor.is_complex() ? SumOf(tensor.to_dense()) : at::_sparse_sum(tensor);
  return tensor.is_complex() ? at::view_as_real(tensor.resolve_conj()).sum() : tensor.sum();
}

bool IsLeftOut(const c10::IValue& value) {
  return value.isNone() || value.isScalar() || (value.isTensor() && !value.toTensor().defined());
}

Diagnostic CannotReduce(const c10::IValue& value) {
  return {{}, fmt::format("don't know how to reduce {}", compare::KindOf(value))};
}

Result<at::Tensor> Reduce(const c10::IValue& value, int depth);

Result<at::Tensor> ReduceElements(const c10::IValue& container, const compare::TreeNode& node, int depth) {
  at::Tensor sum;
  int64_t count = 0;
  for (const compare::TreeChild& child : node.children) {
    if (IsLeftOut(child.value)) continue;
    const at::Tensor loss = CULPRIT_TRY(Reduce(child.value, depth + 1));
    sum = sum.defined() ? sum.add(loss) : loss;
    ++count;
  }
  if (count == 0) return CannotReduce(container);
  return sum.div(count);
}

Result<at::Tensor> ReduceObject(const c10::IValue& value, const compare::TreeNode& node, int depth) {
  for (const compare::TreeChild& child : node.children) {
    if (child.step == ".logits") return Reduce(child.value, depth + 1);
  }
  for (const compare::TreeChild& child : node.children) {
    if (child.step == ".mean" && child.value.isTensor()) return SumOf(child.value.toTensor());
  }
  return CannotReduce(value);
}

Result<at::Tensor> Reduce(const c10::IValue& value, int depth) {
  if (value.isTensor() && value.toTensor().defined())
    return SumOf(value.toTensor()).div(value.toTensor().numel());
  const compare::TreeNode node = compare::OpenNode(value);
  if (depth > compare::kMaxDepth || node.kind == compare::NodeKind::kLeaf) return CannotReduce(value);
  if (node.kind == compare::NodeKind::kObject) return ReduceObject(value, node, depth);
  return ReduceElements(value, node, depth);
}

bool RequiresBackward(const c10::IValue& value, int depth) {
  if (value.isTensor()) return value.toTensor().defined() && value.toTensor().requires_grad();
  if (depth > compare::kMaxDepth) return false;
  const compare::TreeNode node = compare::OpenNode(value);
  return std::any_of(node.children.begin(), node.children.end(), [&](const compare::TreeChild& child) {
    return RequiresBackward(child.value, depth + 1);
  });
}

}  // namespace

bool RequiresBackward(const c10::IValue& output) {
  return RequiresBackward(output, 0);
}

Result<at::Tensor> ReduceToScalarLoss(const c10::IValue& output) {
  return Reduce(output, 0);
}

}  // namespace culprit::check
