// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/patterns/pointwise.h"

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

Expr LoadOperand(const Call& call, LoopBuilder& loop, size_t argument, at::ScalarType dtype, Digits digits) {
  const Type type = loops::TypeInRegisters(dtype);
  const bool has_all = digits == Digits::kAllOfOneNumber;
  if (!call.IsTensor(argument)) {
    const c10::Scalar number = call.Number(argument);
    return loop.Number(has_all ? number : RoundedTo(number, dtype), type);
  }
  const Expr loaded = loop.LoadBroadcast(call.Tensor(argument)).As(type);
  const loops::Value& operand = call.Described(argument);
  if (operand.dtype == dtype || (has_all && Product(operand.sizes) == 1)) return loaded;
  if (dtype == at::kHalf) return Apply(Op::kRoundToHalf, loaded);
  if (dtype == at::kBFloat16) return Apply(Op::kRoundToBFloat16, loaded);
  return loaded;
}

}  // namespace culprit::compiler::lower
