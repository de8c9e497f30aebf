// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Scalar.h>
#include <c10/util/ArrayRef.h>

#include <memory>
#include <vector>

#include "compiler/loops/loop_program.h"
#include "compiler/lower/expr.h"

namespace culprit::compiler::lower {

using Indices = std::vector<Expr>;
using Sizes = std::vector<int64_t>;

/// Writes one loop: expressions of loop variables, which are the dimensions of the value that is computed
/// and, behind them, those that are reduced.
class LoopBuilder {
 public:
  /// `values` are those that can be loaded.
  LoopBuilder(const std::vector<loops::Value>& values, bool symbolic, const Sizes& sizes,
              const Sizes& reduced = {});

  const Sizes& sizes() const { return sizes_; }

  Expr Variable(size_t number);
  /// Those of the value's dimensions.
  Indices Variables();

  /// A size, or what was computed of sizes: all sizes become constants or numbers of the program here.
  Expr Extent(int64_t size);
  Expr Extent(int64_t size, Type type) { return Extent(size).As(type); }
  Expr Number(const c10::Scalar& number, Type type);
  Expr Place(int64_t place) { return {&loop_->body, loop_->body.Constant(place, Type::Long)}; }

  const loops::Value& Described(loops::ValueIndex value) const { return values_[Index(value)]; }
  /// One index per dimension.
  Expr Load(loops::ValueIndex value, const Indices& indices);
  /// 0 where the mask is false.
  Expr Load(loops::ValueIndex value, const Indices& indices, Expr mask);
  /// As operands are broadcast: the last index is that of the last dimension, dimensions of size 1 have one
  /// element for all.
  Expr LoadBroadcast(loops::ValueIndex value, const Indices& indices);
  Expr LoadBroadcast(loops::ValueIndex value) { return LoadBroadcast(value, Variables()); }

  void RelyOn(const loops::Precondition& precondition) { loop_->preconditions.push_back(precondition); }

  std::shared_ptr<loops::Loop> Pointwise(Expr result);
  std::shared_ptr<loops::Loop> Reduction(loops::Combine combine, Expr combined);
  std::shared_ptr<loops::Loop> Scan(loops::Combine combine, uint32_t axis, Expr combined);

 private:
  const std::vector<loops::Value>& values_;
  bool symbolic_;
  Sizes sizes_;
  std::shared_ptr<loops::Loop> loop_;
};

int64_t Product(c10::ArrayRef<int64_t> sizes);

}  // namespace culprit::compiler::lower
