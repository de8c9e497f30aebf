// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/loop_builder.h"

#include <c10/util/accumulate.h>

#include "base/internal_error.h"
#include "compiler/loops/type_rules.h"

namespace culprit::compiler::lower {

using loops::ExprId;

namespace {

std::vector<ExprId> Ids(const Indices& indices) {
  std::vector<ExprId> ids;
  ids.reserve(indices.size());
  for (const Expr& index : indices) ids.push_back(index.id);
  return ids;
}

}  // namespace

LoopBuilder::LoopBuilder(const std::vector<loops::Value>& values, bool symbolic, const Sizes& sizes,
                         const Sizes& reduced)
    : values_(values), symbolic_(symbolic), sizes_(sizes), loop_(std::make_shared<loops::Loop>()) {
  loop_->reduced = reduced;
}

Expr LoopBuilder::Variable(size_t number) {
  // The only iteration of such a loop is 0; saying so here lets expressions fold.
  const bool is_own = number < sizes_.size();
  const int64_t extent = is_own ? sizes_[number] : loop_->reduced[number - sizes_.size()];
  if (extent == 1) return Place(0);
  return {&loop_->body, loop_->body.IndexOf(static_cast<uint32_t>(number))};
}

Indices LoopBuilder::Variables() {
  Indices variables;
  for (size_t i = 0; i < sizes_.size(); ++i) variables.push_back(Variable(i));
  return variables;
}

Expr LoopBuilder::Extent(int64_t size) {
  return {&loop_->body, symbolic_ ? loop_->body.Size(size) : loop_->body.Constant(size, Type::Long)};
}

Expr LoopBuilder::Number(const c10::Scalar& number, Type type) {
  if (number.isFloatingPoint()) {
    if (!loops::IsFloat(type))
      return {&loop_->body, loop_->body.Constant(type == Type::Bool ? int64_t{number.toDouble() != 0}
                                                                    : static_cast<int64_t>(number.toDouble()),
                                                 type)};
    return {&loop_->body, loop_->body.Constant(number.toDouble(), type)};
  }
  return {&loop_->body, loop_->body.Constant(number.toLong(), type)};
}

Expr LoopBuilder::Load(loops::ValueIndex value, const Indices& indices) {
  const loops::Value& described = Described(value);
  CULPRIT_CHECK(indices.size() == described.sizes.size(), "{} has {} dimensions, not {}", described.name,
                described.sizes.size(), indices.size());
  return {&loop_->body,
          loop_->body.Load(Index(value), loops::TypeInRegisters(described.dtype), Ids(indices))};
}

Expr LoopBuilder::Load(loops::ValueIndex value, const Indices& indices, Expr mask) {
  const loops::Value& described = Described(value);
  return {&loop_->body, loop_->body.MaskedLoad(Index(value), loops::TypeInRegisters(described.dtype),
                                               Ids(indices), mask.id)};
}

Expr LoopBuilder::LoadBroadcast(loops::ValueIndex value, const Indices& indices) {
  const Sizes& sizes = Described(value).sizes;
  CULPRIT_CHECK(sizes.size() <= indices.size(), "{} has more dimensions than what it is broadcast to",
                Described(value).name);
  Indices aligned;
  for (size_t i = 0; i < sizes.size(); ++i)
    aligned.push_back(sizes[i] == 1 ? Place(0) : indices[indices.size() - sizes.size() + i]);
  return Load(value, aligned);
}

std::shared_ptr<loops::Loop> LoopBuilder::Pointwise(Expr result) {
  loop_->result = result.id;
  return loop_;
}

std::shared_ptr<loops::Loop> LoopBuilder::Reduction(loops::Combine combine, Expr combined) {
  loop_->kind = loops::LoopKind::kReduction;
  loop_->combine = combine;
  loop_->result = combined.id;
  return loop_;
}

std::shared_ptr<loops::Loop> LoopBuilder::Scan(loops::Combine combine, uint32_t axis, Expr combined) {
  loop_->kind = loops::LoopKind::kScan;
  loop_->combine = combine;
  loop_->axis = axis;
  loop_->result = combined.id;
  return loop_;
}

int64_t Product(c10::ArrayRef<int64_t> sizes) {
  return c10::multiply_integers(sizes);
}

}  // namespace culprit::compiler::lower
