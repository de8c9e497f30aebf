// SPDX-License-Identifier: Apache-2.0
//
// Calls that write into a tensor: an input, an intermediate value or a view of one.
#include "tests/lib/random_graph/operators.h"

namespace culprit::tests {
namespace {

using enum Dtypes;
using graph::Operator;

bool AddCopyInto(GraphMaker& maker, const Operator& op) {
  const Operand target = maker.Pick(kReal);
  return maker.Complete(
      op, {{"self", target}, {"src", maker.Sized(maker.RandomDtype(kReal), target.sizes())}}, target.tensor);
}

bool AddMaskedFillInto(GraphMaker& maker, const Operator& op) {
  const Operand target = maker.Pick(kReal);
  return maker.Complete(op, {{"self", target}, {"mask", maker.Sized(at::kBool, target.sizes())}},
                        target.tensor);
}

bool AddRandomInto(GraphMaker& maker, const Operator& op) {
  const Operand target = maker.Pick(kFloating);
  if (op.name() == "aten::bernoulli_") {
    return maker.Call(op, {{"self", target}, {"p", Constant(maker.Choice({0.1, 0.5, 0.9}))}});
  }
  return maker.Call(op, {{"self", target}});
}

constexpr OperatorRow kRows[] = {
    {"aten::abs_", One<kReal>},
    {"aten::add_.Tensor", Matching<kReal>},
    {"aten::addcmul_", Matching<kFloating>},
    {"aten::bernoulli_.float", AddRandomInto},
    {"aten::clamp_", One<kReal>},
    {"aten::copy", AddCopyInto},
    {"aten::copy_", AddCopyInto},
    {"aten::div_.Tensor", Matching<kFloating>},
    {"aten::exp_", One<kFloating>},
    {"aten::fill_.Scalar", One<kReal>},
    {"aten::masked_fill_.Scalar", AddMaskedFillInto},
    {"aten::mul_.Tensor", Matching<kReal>},
    {"aten::neg_", One<kReal>},
    {"aten::relu_", One<kReal>},
    {"aten::sigmoid_", One<kFloating>},
    {"aten::sub_.Tensor", Matching<kReal>},
    {"aten::tanh_", One<kFloating>},
    {"aten::transpose_", One<kReal, 2>},
    {"aten::uniform_", AddRandomInto},
    {"aten::unsqueeze_", One<kReal, 0, 3>},
    {"aten::zero_", One<kAny>},
};

}  // namespace

std::span<const OperatorRow> WritingOperators() {
  return kRows;
}

}  // namespace culprit::tests
