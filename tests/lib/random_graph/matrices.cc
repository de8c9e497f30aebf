// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/random_graph/operators.h"

namespace culprit::tests {
namespace {

using enum Dtypes;
using graph::Argument;
using graph::Operator;

bool AddMm(GraphMaker& maker, const Operator& op) {
  const Operand left = maker.PickRank(kFloating, 2);
  return maker.Call(
      op, {{"self", left}, {"mat2", maker.Sized(left.dtype(), {left.size(1), maker.Between(1, 4)})}});
}

bool AddAddmm(GraphMaker& maker, const Operator& op) {
  const Operand left = maker.PickRank(kFloating, 2);
  const int64_t columns = maker.Between(1, 4);
  const Sizes sizes = maker.Chance(50) ? Sizes{columns} : Sizes{left.size(0), columns};
  return maker.Complete(op,
                        {{"self", maker.Sized(left.dtype(), sizes)},
                         {"mat1", left},
                         {"mat2", maker.Sized(left.dtype(), {left.size(1), columns})}},
                        left.tensor);
}

bool AddBmm(GraphMaker& maker, const Operator& op) {
  const Operand left = maker.PickRank(kFloating, 3);
  const int64_t columns = maker.Between(1, 4);
  const Operand right = maker.Sized(left.dtype(), {left.size(0), left.size(2), columns});
  if (op.name() == "aten::bmm") return maker.Call(op, {{"self", left}, {"mat2", right}});
  const Sizes sizes =
      op.name() == "aten::addbmm" ? Sizes{left.size(1), columns} : Sizes{left.size(0), left.size(1), columns};
  const Operand self = maker.Sized(left.dtype(), sizes);
  return maker.Complete(op, {{"self", self}, {"batch1", left}, {"batch2", right}}, left.tensor);
}

bool AddMatmul(GraphMaker& maker, const Operator& op) {
  const Operand left = maker.PickRanks(kFloating, 1, 4);
  const Sizes sizes = maker.Chance(50) ? Sizes{left.size(-1)} : Sizes{left.size(-1), maker.Between(1, 3)};
  return maker.Call(op, {{"self", left}, {"other", maker.Sized(left.dtype(), sizes)}});
}

bool AddLinear(GraphMaker& maker, const Operator& op) {
  const Operand input = maker.PickRanks(kFloating, 2, 4);
  const int64_t rows = maker.Between(1, 4);
  const Argument bias = maker.Chance(50) ? None() : Argument(maker.Sized(input.dtype(), {rows}));
  return maker.Call(
      op, {{"input", input}, {"weight", maker.Sized(input.dtype(), {rows, input.size(-1)})}, {"bias", bias}});
}

bool AddMv(GraphMaker& maker, const Operator& op) {
  const Operand matrix = maker.PickRank(kFloating, 2);
  const Operand vec = maker.Sized(matrix.dtype(), {matrix.size(1)});
  if (op.name() == "aten::mv") return maker.Call(op, {{"self", matrix}, {"vec", vec}});
  const Operand self = maker.Sized(matrix.dtype(), {matrix.size(0)});
  return maker.Complete(op, {{"self", self}, {"mat", matrix}, {"vec", vec}}, matrix.tensor);
}

bool AddDot(GraphMaker& maker, const Operator& op) {
  const Operand left = maker.PickRank(kFloating, 1);
  const char* other = op.name() == "aten::dot" ? "tensor" : "other";
  return maker.Call(op, {{"self", left}, {other, maker.Sized(left.dtype(), left.sizes())}});
}

bool AddOuter(GraphMaker& maker, const Operator& op) {
  const Operand left = maker.PickRank(kReal, 1);
  const Operand right = maker.Sized(left.dtype(), {maker.Between(1, 5)});
  if (op.name() == "aten::outer") return maker.Call(op, {{"self", left}, {"vec2", right}});
  const Operand self = maker.Sized(left.dtype(), {left.size(0), right.size(0)});
  return maker.Complete(op, {{"self", self}, {"vec1", left}, {"vec2", right}}, left.tensor);
}

bool AddKron(GraphMaker& maker, const Operator& op) {
  const auto small = [](const at::Tensor& any) { return any.numel() <= 32; };
  return maker.Call(op, {{"self", maker.Pick(kReal, small)}, {"other", maker.Pick(kReal, small)}});
}

bool AddEinsum(GraphMaker& maker, const Operator& op) {
  const Operand left = maker.PickRank(kFloating, 2);
  const Operand right = maker.Sized(left.dtype(), {left.size(1), 3});
  const auto equation = maker.Choice({"ij,jk->ik", "ij,jk->", "ij, jk -> kij"});
  return maker.Call(op, {{"equation", Constant(std::string(equation))},
                         {"tensors", Argument(Argument::List{left, right})}});
}

bool AddTensordot(GraphMaker& maker, const Operator& op) {
  const Operand left = maker.PickRanks(kFloating, 1, 3);
  return maker.Call(op, {{"self", left},
                         {"other", maker.Sized(left.dtype(), {left.size(-1), 2})},
                         {"dims_self", Argument::Ints({-1})},
                         {"dims_other", Argument::Ints({0})}});
}

bool AddCross(GraphMaker& maker, const Operator& op) {
  const Operand left = maker.Sized(maker.RandomDtype(kFloating), {maker.Between(1, 3), 3});
  return maker.Call(
      op,
      {{"self", left}, {"other", maker.Sized(left.dtype(), left.sizes())}, {"dim", Constant<int64_t>(-1)}});
}

bool AddCdist(GraphMaker& maker, const Operator& op) {
  const Operand left = maker.Sized(at::kFloat, {maker.Between(1, 4), 3});
  return maker.Call(op, {{"x1", left},
                         {"x2", maker.Sized(at::kFloat, {maker.Between(1, 4), 3})},
                         {"p", Constant(maker.Choice({1.0, 2.0, 3.5}))}});
}

bool AddChain(GraphMaker& maker, const Operator& op) {
  const Operand left = maker.PickRank(kFloating, 2);
  const Operand right = maker.Sized(left.dtype(), {left.size(1), 2});
  return maker.Call(op,
                    {{"matrices", Argument(Argument::List{left, right, maker.Sized(left.dtype(), {2, 3})})}});
}

constexpr OperatorRow kRows[] = {
    {"aten::addbmm", AddBmm},
    {"aten::addmm", AddAddmm},
    {"aten::addmv", AddMv},
    {"aten::addr", AddOuter},
    {"aten::baddbmm", AddBmm},
    {"aten::bmm", AddBmm},
    {"aten::cdist", AddCdist},
    {"aten::chain_matmul", AddChain},
    {"aten::dot", AddDot},
    {"aten::einsum", AddEinsum},
    {"aten::inner", AddDot},
    {"aten::kron", AddKron},
    {"aten::linalg_cross", AddCross},
    {"aten::linear", AddLinear},
    {"aten::matmul", AddMatmul},
    {"aten::mm", AddMm},
    {"aten::mv", AddMv},
    {"aten::outer", AddOuter},
    {"aten::tensordot", AddTensordot},
};

}  // namespace

std::span<const OperatorRow> MatrixOperators() {
  return kRows;
}

}  // namespace culprit::tests
