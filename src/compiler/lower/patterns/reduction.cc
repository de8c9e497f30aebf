// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/patterns/reduction.h"

#include <ATen/WrapDimUtils.h>

#include "compiler/loops/type_rules.h"

namespace culprit::compiler::lower {

Reduced::Reduced(const loops::Value& operand, const Sizes& axes, bool keep)
    : operand_(operand.sizes), is_reduced_(operand.sizes.size(), axes.empty()), keep_(keep) {
  const auto dimensions = static_cast<int64_t>(operand_.size());
  for (const int64_t axis : axes)
    if (dimensions > 0) is_reduced_[static_cast<size_t>(at::maybe_wrap_dim(axis, dimensions))] = true;
  for (size_t i = 0; i < operand_.size(); ++i) {
    if (is_reduced_[i]) extents_.push_back(operand_[i]);
    if (!is_reduced_[i]) sizes_.push_back(operand_[i]);
    if (is_reduced_[i] && keep_) sizes_.push_back(1);
  }
}

Indices Reduced::InReduction(LoopBuilder& loop) const {
  Indices indices;
  size_t left = 0;
  size_t reduced = sizes_.size();
  for (size_t i = 0; i < operand_.size(); ++i) {
    indices.push_back(loop.Variable(is_reduced_[i] ? reduced++ : left++));
    if (is_reduced_[i] && keep_) ++left;
  }
  return indices;
}

Indices Reduced::Left(LoopBuilder& loop) const {
  Indices indices;
  for (size_t i = 0; i < operand_.size(); ++i) {
    if (!is_reduced_[i]) indices.push_back(loop.Variable(i));
    if (is_reduced_[i] && keep_) indices.push_back(loop.Place(0));
  }
  return indices;
}

std::shared_ptr<loops::Loop> ReduceEach(const Call& call, const Reduced& reduced, loops::ValueIndex operand,
                                        loops::Combine combine,
                                        const std::function<Expr(LoopBuilder&, Expr)>& each) {
  LoopBuilder loop = call.Loop(reduced.sizes(), reduced.extents());
  const Expr x = loop.Load(operand, reduced.InReduction(loop));
  return loop.Reduction(combine, each(loop, x));
}

Type AccumulationType(at::ScalarType dtype) {
  return at::isFloatingType(dtype) ? loops::TypeInRegisters(dtype) : Type::Long;
}

}  // namespace culprit::compiler::lower
