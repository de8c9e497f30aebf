// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "compiler/lower/call.h"

namespace culprit::compiler::lower {

/// Which dimensions of an operand are reduced, and how loops run over the rest and over those.
class Reduced {
 public:
  /// `axes` as operators take them; none are all.
  Reduced(const loops::Value& operand, const Sizes& axes, bool keep);

  const Sizes& sizes() const { return sizes_; }
  /// How far the reduced variables go.
  const Sizes& extents() const { return extents_; }
  /// Of elements that become one.
  int64_t count() const { return Product(extents_); }

  /// Indices into the operand, in a loop over what is left and, behind that, what is reduced.
  Indices InReduction(LoopBuilder& loop) const;
  /// Indices into what is left, in a loop over the operand.
  Indices Left(LoopBuilder& loop) const;

 private:
  Sizes operand_;
  std::vector<bool> is_reduced_;
  bool keep_;
  Sizes sizes_;
  Sizes extents_;
};

/// A loop that combines `each(x)` of all elements x of the operand.
std::shared_ptr<loops::Loop> ReduceEach(const Call& call, const Reduced& reduced, loops::ValueIndex operand,
                                        loops::Combine combine,
                                        const std::function<Expr(LoopBuilder&, Expr)>& each);

/// The type that sums of such numbers are computed in.
Type AccumulationType(at::ScalarType dtype);

}  // namespace culprit::compiler::lower
