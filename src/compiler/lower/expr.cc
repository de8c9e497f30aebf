// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/expr.h"

namespace culprit::compiler::lower {
namespace {

// Bools have no order in the loop language.
Expr Compare(Op op, Expr x, Expr y) {
  if (x.type() == Type::Bool) return Apply(op, x.As(Type::Byte), y.As(Type::Byte));
  return Apply(op, x, y);
}

Expr ApplyOrLogical(Op op, Op logical, Expr x, Expr y) {
  return Apply(x.type() == Type::Bool ? logical : op, x, y);
}

}  // namespace

Expr Apply(Op op, Expr x) {
  return {x.body, x.body->Apply(op, {x.id})};
}
Expr Apply(Op op, Expr x, Expr y) {
  return {x.body, x.body->Apply(op, {x.id, y.id})};
}
Expr Select(Expr condition, Expr yes, Expr no) {
  return {condition.body, condition.body->Select(condition.id, yes.id, no.id)};
}

Expr operator+(Expr x, Expr y) {
  return ApplyOrLogical(Op::kAdd, Op::kOr, x, y);
}
Expr operator-(Expr x, Expr y) {
  return ApplyOrLogical(Op::kSub, Op::kXor, x, y);
}
Expr operator*(Expr x, Expr y) {
  return ApplyOrLogical(Op::kMul, Op::kAnd, x, y);
}
Expr operator/(Expr x, Expr y) {
  return Apply(Op::kDiv, x, y);
}
Expr operator-(Expr x) {
  return Apply(Op::kNeg, x);
}
Expr operator<(Expr x, Expr y) {
  return Compare(Op::kLt, x, y);
}
Expr operator<=(Expr x, Expr y) {
  return Compare(Op::kLe, x, y);
}
Expr operator>(Expr x, Expr y) {
  return Compare(Op::kGt, x, y);
}
Expr operator>=(Expr x, Expr y) {
  return Compare(Op::kGe, x, y);
}
Expr Equal(Expr x, Expr y) {
  return Apply(Op::kEq, x, y);
}
Expr NotEqual(Expr x, Expr y) {
  return Apply(Op::kNe, x, y);
}
Expr And(Expr x, Expr y) {
  return Apply(Op::kAnd, x, y);
}
Expr Or(Expr x, Expr y) {
  return Apply(Op::kOr, x, y);
}
Expr Not(Expr x) {
  return Apply(Op::kNot, x);
}
Expr Min(Expr x, Expr y) {
  return ApplyOrLogical(Op::kMin, Op::kAnd, x, y);
}
Expr Max(Expr x, Expr y) {
  return ApplyOrLogical(Op::kMax, Op::kOr, x, y);
}

Expr Exp(Expr x) {
  return Apply(Op::kExp, x);
}
Expr ExpOfNegative(Expr x) {
  return Apply(Op::kExpOfNegative, x);
}
Expr Log(Expr x) {
  return Apply(Op::kLog, x);
}
Expr Log1p(Expr x) {
  return Apply(Op::kLog1p, x);
}
Expr Expm1(Expr x) {
  return Apply(Op::kExpm1, x);
}
Expr Sqrt(Expr x) {
  return Apply(Op::kSqrt, x);
}
Expr Tanh(Expr x) {
  return Apply(Op::kTanh, x);
}
Expr Erf(Expr x) {
  return Apply(Op::kErf, x);
}
Expr NormalCdf(Expr x) {
  return Apply(Op::kNormalCdf, x);
}
Expr Abs(Expr x) {
  // Unsigned numbers and Bools are what they are.
  if (x.type() == Type::Byte || x.type() == Type::Bool) return x;
  return Apply(Op::kAbs, x);
}
Expr IsNan(Expr x) {
  if (!loops::IsFloat(x.type())) return {x.body, x.body->Constant(0, Type::Bool)};
  return Apply(Op::kIsNan, x);
}
Expr FloorDiv(Expr x, Expr y) {
  return Apply(Op::kFloorDiv, x, y);
}
Expr Remainder(Expr x, Expr y) {
  return Apply(Op::kRemainder, x, y);
}

}  // namespace culprit::compiler::lower
