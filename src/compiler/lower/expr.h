// SPDX-License-Identifier: Apache-2.0
//
// Expressions of a loop's body, written like arithmetic. Both operands of an operation have one type; a
// number takes the other's. Where the loop language has no operation on Bools, the one that libtorch means is
// taken: a sum is an or, a product an and.
#pragma once

#include "compiler/loops/body.h"

namespace culprit::compiler::lower {

using loops::Op;
using loops::Type;

struct Expr {
  loops::Body* body = nullptr;
  loops::ExprId id = {};

  Type type() const { return body->type(id); }
  Expr As(Type type) const { return {body, body->Cast(id, type)}; }
  /// A constant of the same type.
  Expr Like(double number) const { return {body, body->Constant(number, type())}; }
};

Expr Apply(Op op, Expr x);
Expr Apply(Op op, Expr x, Expr y);
Expr Select(Expr condition, Expr yes, Expr no);

Expr operator+(Expr x, Expr y);
Expr operator-(Expr x, Expr y);
Expr operator*(Expr x, Expr y);
Expr operator/(Expr x, Expr y);
Expr operator-(Expr x);
Expr operator<(Expr x, Expr y);
Expr operator<=(Expr x, Expr y);
Expr operator>(Expr x, Expr y);
Expr operator>=(Expr x, Expr y);
/// These compare expressions of programs; == and != would be read as comparing the handles.
Expr Equal(Expr x, Expr y);
Expr NotEqual(Expr x, Expr y);
Expr And(Expr x, Expr y);
Expr Or(Expr x, Expr y);
Expr Not(Expr x);
Expr Min(Expr x, Expr y);
Expr Max(Expr x, Expr y);

inline Expr operator+(Expr x, double y) {
  return x + x.Like(y);
}
inline Expr operator+(double x, Expr y) {
  return y.Like(x) + y;
}
inline Expr operator-(Expr x, double y) {
  return x - x.Like(y);
}
inline Expr operator-(double x, Expr y) {
  return y.Like(x) - y;
}
inline Expr operator*(Expr x, double y) {
  return x * x.Like(y);
}
inline Expr operator*(double x, Expr y) {
  return y.Like(x) * y;
}
inline Expr operator/(Expr x, double y) {
  return x / x.Like(y);
}
inline Expr operator/(double x, Expr y) {
  return y.Like(x) / y;
}
inline Expr operator<(Expr x, double y) {
  return x < x.Like(y);
}
inline Expr operator<=(Expr x, double y) {
  return x <= x.Like(y);
}
inline Expr operator>(Expr x, double y) {
  return x > x.Like(y);
}
inline Expr operator>=(Expr x, double y) {
  return x >= x.Like(y);
}

Expr Exp(Expr x);
Expr ExpOfNegative(Expr x);
Expr Log(Expr x);
Expr Log1p(Expr x);
Expr Expm1(Expr x);
Expr Sqrt(Expr x);
Expr Tanh(Expr x);
Expr Erf(Expr x);
Expr NormalCdf(Expr x);
Expr Abs(Expr x);
/// Of floats; false for integers.
Expr IsNan(Expr x);
/// Division of integers, by a divisor that is neither 0 nor -1.
Expr FloorDiv(Expr x, Expr y);
Expr Remainder(Expr x, Expr y);

}  // namespace culprit::compiler::lower
