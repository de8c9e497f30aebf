// SPDX-License-Identifier: Apache-2.0
//
// Copies, conversions, and tensors that are filled without reading any.
#include "compiler/loops/type_rules.h"
#include "compiler/lower/patterns/pointwise.h"
#include "compiler/lower/rules.h"

namespace culprit::compiler::lower {
namespace {

bool Copy(Call& call) {
  LoopBuilder loop = call.LoopOver(0);
  call.DefineEach(0, loop, loop.LoadBroadcast(call.Tensor(0)));
  return true;
}

/// What a model says is rounded, also where nothing is stored in between.
bool Convert(Call& call) {
  LoopBuilder loop = call.LoopOver(0);
  Expr x = loop.LoadBroadcast(call.Tensor(0));
  const at::ScalarType dtype = call.Result().dtype;
  if (dtype != call.Described(0).dtype) {
    if (dtype == at::kHalf) x = Apply(Op::kRoundToHalf, x.As(Type::Float));
    if (dtype == at::kBFloat16) x = Apply(Op::kRoundToBFloat16, x.As(Type::Float));
  }
  call.DefineEach(0, loop, x);
  return true;
}

bool Fill(Call& call, const c10::Scalar& number) {
  LoopBuilder loop = call.LoopOver(0);
  call.DefineEach(0, loop, loop.Number(number, loops::TypeInRegisters(call.Result().dtype)));
  return true;
}

template <int kNumber>
bool FillWith(Call& call) {
  return Fill(call, kNumber);
}

template <size_t kArgument>
bool FillWithArgument(Call& call) {
  if (call.IsTensor(kArgument)) {
    LoopBuilder loop = call.LoopOver(0);
    call.DefineEach(0, loop, loop.LoadBroadcast(call.Tensor(kArgument)));
    return true;
  }
  return Fill(call, call.Number(kArgument));
}

/// start + step * i, in Long for integers, in double for the rest, as libtorch's kernel does.
bool ArangeFrom(Call& call, const c10::Scalar& start, const c10::Scalar& step) {
  const at::ScalarType dtype = call.Result().dtype;
  if (dtype == at::kHalf || dtype == at::kBFloat16 || dtype == at::kBool) return false;
  const bool is_float = at::isFloatingType(dtype);
  const Type type = is_float ? Type::Double : Type::Long;
  LoopBuilder loop = call.LoopOver(0);
  call.DefineEach(0, loop, loop.Number(start, type) + loop.Number(step, type) * loop.Variable(0).As(type));
  return true;
}

bool Arange(Call& call) {
  return ArangeFrom(call, 0, 1);
}
bool ArangeStart(Call& call) {
  return ArangeFrom(call, call.Number(0), 1);
}
bool ArangeStep(Call& call) {
  return ArangeFrom(call, call.Number(0), call.Number(2));
}

bool Eye(Call& call) {
  LoopBuilder loop = call.LoopOver(0);
  call.DefineEach(0, loop, Equal(loop.Variable(0), loop.Variable(1)));
  return true;
}

/// Zero where column - row is above (tril) or below (triu) the diagonal.
template <bool kLower>
bool Triangle(Call& call) {
  LoopBuilder loop = call.LoopOver(0);
  const size_t dimensions = loop.sizes().size();
  const Expr x = loop.LoadBroadcast(call.Tensor(0));
  const Expr offset = loop.Variable(dimensions - 1) - loop.Variable(dimensions - 2);
  const Expr diagonal = loop.Place(call.Int(1));
  call.DefineEach(0, loop, Select(kLower ? offset <= diagonal : offset >= diagonal, x, x.Like(0)));
  return true;
}

constexpr LoweringRule kRules[] = {
    {"aten::clone", Copy, ""},
    {"aten::contiguous", Copy, "itself if it lies so"},
    {"aten::lift_fresh_copy", Copy, ""},
    {"aten::copy", FillWithArgument<1>, "the second operand, like the first"},
    {"aten::_to_copy", Convert, "rounds to Half and BFloat16 in any mode"},
    {"aten::to.dtype", Convert, ""},
    {"aten::to.dtype_layout", Convert, ""},
    {"aten::_autocast_to_reduced_precision", Convert, ""},
    {"aten::_autocast_to_full_precision", Convert, ""},
    {"aten::zeros", FillWith<0>, ""},
    {"aten::zeros_like", FillWith<0>, ""},
    {"aten::new_zeros", FillWith<0>, ""},
    {"aten::_efficientzerotensor", FillWith<0>, ""},
    {"aten::ones", FillWith<1>, ""},
    {"aten::ones_like", FillWith<1>, ""},
    {"aten::new_ones", FillWith<1>, ""},
    {"aten::full", FillWithArgument<1>, ""},
    {"aten::full_like", FillWithArgument<1>, ""},
    {"aten::new_full", FillWithArgument<2>, ""},
    {"aten::fill.Scalar", FillWithArgument<1>, ""},
    {"aten::fill.Tensor", FillWithArgument<1>, ""},
    {"aten::zero", FillWith<0>, ""},
    {"aten::scalar_tensor", FillWithArgument<0>, ""},
    {"aten::arange", Arange, ""},
    {"aten::arange.start", ArangeStart, ""},
    {"aten::arange.start_step", ArangeStep, ""},
    {"aten::eye", Eye, ""},
    {"aten::eye.m", Eye, ""},
    {"aten::tril", Triangle<true>, ""},
    {"aten::triu", Triangle<false>, ""},
};

}  // namespace

std::span<const LoweringRule> CopyRules() {
  return kRules;
}

}  // namespace culprit::compiler::lower
