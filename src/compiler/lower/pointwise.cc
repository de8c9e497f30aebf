// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/pointwise.h"

#include <ATen/native/TypeProperties.h>

#include "compiler/loops/type_rules.h"

namespace culprit::compiler::lower {

namespace {

/// libtorch makes a tensor of the operands' dtype of a number, so it has no more digits than that.
c10::Scalar RoundedTo(const c10::Scalar& number, at::ScalarType dtype) {
  // A number that is too large becomes infinite, which toFloat() would refuse.
  const auto rounded = [&] { return static_cast<float>(number.toDouble()); };
  if (dtype == at::kHalf) return static_cast<float>(c10::Half(rounded()));
  if (dtype == at::kBFloat16) return static_cast<float>(c10::BFloat16(rounded()));
  return number;
}

}  // namespace

at::ScalarType PromotedType(const Call& call, std::initializer_list<size_t> arguments) {
  at::native::ResultTypeState state = {};
  for (const size_t argument : arguments) {
    if (call.IsNone(argument)) continue;
    state = call.IsTensor(argument) ? at::native::update_result_type_state(call.Fake(argument), state)
                                    : at::native::update_result_type_state(call.Number(argument), state);
  }
  return at::native::result_type(state);
}

at::ScalarType PromotedFloat(const Call& call, std::initializer_list<size_t> arguments) {
  const at::ScalarType dtype = PromotedType(call, arguments);
  return at::isFloatingType(dtype) ? dtype : c10::typeMetaToScalarType(c10::get_default_dtype());
}

Expr LoadOperand(const Call& call, LoopBuilder& loop, size_t argument, at::ScalarType dtype) {
  const Type type = loops::TypeInRegisters(dtype);
  if (!call.IsTensor(argument)) return loop.Number(RoundedTo(call.Number(argument), dtype), type);
  const Expr loaded = loop.LoadBroadcast(call.Tensor(argument)).As(type);
  if (call.Described(argument).dtype == dtype) return loaded;
  if (dtype == at::kHalf) return Apply(Op::kRoundToHalf, loaded);
  if (dtype == at::kBFloat16) return Apply(Op::kRoundToBFloat16, loaded);
  return loaded;
}

}  // namespace culprit::compiler::lower
