// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/random_graph/attributes.h"
#include "tests/lib/random_graph/operators.h"

namespace culprit::tests {
namespace {

using enum Dtypes;
using graph::Argument;
using graph::Operator;

// A tensor whose last dimension can be indexed.
Operand PickIndexable(GraphMaker& maker) {
  return maker.Pick(
      kReal, [](const at::Tensor& any) { return any.dim() >= 1 && any.dim() <= 3 && any.numel() > 0; });
}

bool AddGather(GraphMaker& maker, const Operator& op) {
  const Operand tensor = PickIndexable(maker);
  const Operand index = maker.FreshIndex(tensor.sizes(), tensor.size(-1));
  return maker.Call(op, {{op.name() == "aten::take_along_dim" ? "indices" : "index", index},
                         {"self", tensor},
                         {"dim", Constant<int64_t>(-1)}});
}

bool AddScatter(GraphMaker& maker, const Operator& op) {
  const Operand tensor = PickIndexable(maker);
  NamedArguments given = {{"self", tensor},
                          {"dim", Constant<int64_t>(-1)},
                          {"index", maker.FreshIndex(tensor.sizes(), tensor.size(-1))}};
  const bool takes_tensor = op.overload() != "value";
  if (takes_tensor) given.emplace_back("src", maker.Sized(tensor.dtype(), tensor.sizes()));
  return maker.Complete(op, std::move(given), tensor.tensor);
}

bool AddIndexSelect(GraphMaker& maker, const Operator& op) {
  const Operand tensor = PickIndexable(maker);
  return maker.Call(op, {{"self", tensor},
                         {"dim", Constant<int64_t>(-1)},
                         {"index", maker.FreshIndex({maker.Between(1, 4)}, tensor.size(-1))}});
}

// index_add, index_copy: every place of the last dimension is named once.
bool AddIndexWrite(GraphMaker& maker, const Operator& op) {
  const Operand tensor = PickIndexable(maker);
  return maker.Complete(op,
                        {{"self", tensor},
                         {"dim", Constant<int64_t>(-1)},
                         {"index", maker.FreshIndex({tensor.size(-1)}, tensor.size(-1))},
                         {"source", maker.Sized(tensor.dtype(), tensor.sizes())}},
                        tensor.tensor);
}

bool AddIndexFill(GraphMaker& maker, const Operator& op) {
  const Operand tensor = PickIndexable(maker);
  return maker.Complete(
      op,
      {{"self", tensor}, {"dim", Constant<int64_t>(-1)}, {"index", maker.FreshIndex({2}, tensor.size(-1))}},
      tensor.tensor);
}

// One index for some dimension, None for those before it.
Argument IndexList(GraphMaker& maker, const Operand& tensor) {
  const int64_t dim = maker.Between(0, tensor.rank() - 1);
  Argument::List indices(dim, None());
  indices.push_back(maker.FreshIndex(maker.RandomSizes(1, 2), tensor.size(dim)));
  return Argument(std::move(indices));
}

bool AddIndex(GraphMaker& maker, const Operator& op) {
  const Operand tensor = PickIndexable(maker);
  return maker.Call(op, {{"self", tensor}, {"indices", IndexList(maker, tensor)}});
}

bool AddIndexPut(GraphMaker& maker, const Operator& op) {
  const Operand tensor = PickIndexable(maker);
  return maker.Complete(
      op,
      {{"self", tensor}, {"indices", IndexList(maker, tensor)}, {"values", maker.Sized(tensor.dtype(), {})}},
      tensor.tensor);
}

bool AddTake(GraphMaker& maker, const Operator& op) {
  const Operand tensor = PickIndexable(maker);
  return maker.Call(op, {{"self", tensor}, {"index", maker.FreshIndex({3}, tensor.tensor.numel())}});
}

bool AddEmbedding(GraphMaker& maker, const Operator& op) {
  const Operand weight =
      maker.Sized(maker.RandomDtype(kFloating), {maker.Between(2, 5), maker.Between(1, 4)});
  return maker.Complete(op,
                        {{"weight", weight},
                         {"indices", maker.FreshIndex(maker.RandomSizes(1, 2), weight.size(0))},
                         {"padding_idx", Constant(maker.Between(-1, 1))}},
                        weight.tensor);
}

bool AddWhere(GraphMaker& maker, const Operator& op) {
  const Operand condition = maker.Pick(kBool);
  const Operand self = maker.Partner(condition, kReal);
  return maker.Call(
      op, {{"condition", condition}, {"self", self}, {"other", maker.Sized(self.dtype(), self.sizes())}});
}

bool AddMaskedFill(GraphMaker& maker, const Operator& op) {
  const Operand tensor = maker.Pick(kReal);
  NamedArguments given = {{"self", tensor}, {"mask", maker.Sized(at::kBool, tensor.sizes())}};
  if (op.overload() == "Tensor") given.emplace_back("value", maker.Sized(tensor.dtype(), {}));
  return maker.Complete(op, std::move(given), tensor.tensor);
}

bool AddSearch(GraphMaker& maker, const Operator& op) {
  const Operand tensor = maker.Pick(kFloating);
  const Operand boundaries = maker.Sized(tensor.dtype(), {3});
  if (op.name() == "aten::bucketize") {
    return maker.Complete(op, {{"self", tensor}, {"boundaries", boundaries}}, tensor.tensor);
  }
  return maker.Call(
      op, {{"self", tensor}, {"sorted_sequence", boundaries}, {"right", Constant(maker.Chance(50))}});
}

constexpr OperatorRow kRows[] = {
    {"aten::bucketize.Tensor", AddSearch},
    {"aten::embedding", AddEmbedding},
    {"aten::gather", AddGather},
    {"aten::index.Tensor", AddIndex},
    {"aten::index_add", AddIndexWrite},
    {"aten::index_copy", AddIndexWrite},
    {"aten::index_fill.int_Scalar", AddIndexFill},
    {"aten::index_put", AddIndexPut},
    {"aten::index_select", AddIndexSelect},
    {"aten::masked_fill.Scalar", AddMaskedFill},
    {"aten::masked_fill.Tensor", AddMaskedFill},
    {"aten::one_hot",
     [](GraphMaker& maker, const Operator& op) {
       return maker.Call(op, {{"self", maker.FreshIndex(maker.RandomSizes(1, 2), 3)},
                              {"num_classes", Constant<int64_t>(4)}});
     }},
    {"aten::scatter.src", AddScatter},
    {"aten::scatter.value", AddScatter},
    {"aten::scatter_add", AddScatter},
    {"aten::scatter_reduce.two", AddScatter},
    {"aten::searchsorted.Tensor", AddSearch},
    {"aten::take", AddTake},
    {"aten::take_along_dim", AddGather},
    {"aten::where.self", AddWhere},
};

}  // namespace

std::span<const OperatorRow> IndexingOperators() {
  return kRows;
}

}  // namespace culprit::tests
