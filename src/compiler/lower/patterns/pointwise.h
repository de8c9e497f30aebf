// SPDX-License-Identifier: Apache-2.0
//
// What rules for pointwise operators share: operands that are broadcast, in the type that libtorch computes
// in.
#pragma once

#include <initializer_list>

#include "compiler/lower/call.h"

namespace culprit::compiler::lower {

/// The dtype that libtorch brings tensors and numbers to: numbers, also wrapped ones, and tensors without
/// dimensions decide only if they are of another kind than the rest. Arguments that are None do not count.
at::ScalarType PromotedType(const Call& call, std::initializer_list<size_t> arguments);

/// The floating dtype for operators that give one for integers, too.
at::ScalarType PromotedFloat(const Call& call, std::initializer_list<size_t> arguments);

/// What is brought to Half or BFloat16 is rounded. Some kernels of libtorch take one number, be it that of a
/// tensor, as it is.
enum class Digits : uint8_t { kOfDtype, kAllOfOneNumber };

/// The operand in that dtype, in registers.
Expr LoadOperand(const Call& call, LoopBuilder& loop, size_t argument, at::ScalarType dtype,
                 Digits digits = Digits::kOfDtype);

using Operands = c10::SmallVector<Expr, 4>;

/// result 0 = function(operands), with these arguments as operands, brought to the dtype that they have in
/// common.
template <typename Function>
bool Each(Call& call, std::initializer_list<size_t> arguments, const Function& function) {
  LoopBuilder loop = call.LoopOver(0);
  const at::ScalarType dtype = PromotedType(call, arguments);
  Operands operands;
  for (const size_t argument : arguments) operands.push_back(LoadOperand(call, loop, argument, dtype));
  call.DefineEach(0, loop, function(operands));
  return true;
}

using UnaryFunction = Expr (*)(Expr);
using BinaryFunction = Expr (*)(Expr, Expr);

template <UnaryFunction kFunction>
bool Unary(Call& call) {
  return Each(call, {0}, [](const Operands& x) { return kFunction(x[0]); });
}

/// For functions of floats, of which integers are made first.
template <UnaryFunction kFunction>
bool FloatUnary(Call& call) {
  LoopBuilder loop = call.LoopOver(0);
  call.DefineEach(0, loop, kFunction(LoadOperand(call, loop, 0, PromotedFloat(call, {0}))));
  return true;
}

template <BinaryFunction kFunction>
bool Binary(Call& call) {
  return Each(call, {0, 1}, [](const Operands& x) { return kFunction(x[0], x[1]); });
}

template <BinaryFunction kFunction>
bool FloatBinary(Call& call) {
  LoopBuilder loop = call.LoopOver(0);
  const at::ScalarType dtype = PromotedFloat(call, {0, 1});
  const Expr x = LoadOperand(call, loop, 0, dtype);
  call.DefineEach(0, loop, kFunction(x, LoadOperand(call, loop, 1, dtype)));
  return true;
}

}  // namespace culprit::compiler::lower
