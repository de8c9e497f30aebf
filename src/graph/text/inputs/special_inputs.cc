// SPDX-License-Identifier: Apache-2.0
//
// The calls of load_args that PyTorch's scripts have no words for: sparse and quantised tensors, plain
// constants.
#include "graph/text/inputs/input_calls.h"
#include "graph/text/values/constant_expression.h"

namespace culprit::graph::text {
namespace {

using base::Done;
using base::Result;
using base::Status;

/// Python can take a quantised tensor apart, but not make one from bytes; so pieces name the integers.
Result<at::ScalarType> QuantisedType(const Source& source, size_t offset, at::ScalarType integer) {
  if (integer == at::kByte || integer == at::kChar || integer == at::kInt) return at::toQIntType(integer);
  return source.Error(offset, "quantised integers are of dtype torch.uint8, torch.int8 or torch.int32");
}

}  // namespace

Result<TensorSpec> InputCalls::Piece(size_t offset, std::optional<ExpressionId> id) {
  const CallView call(arena_, id);
  if (call.name() != "piece") return source_.Error(offset, "expected: piece(storage, sizes, ...)");
  return Tensor(offset, call);
}

Status InputCalls::ReadSparse(const Statement& statement, const CallView& call) {
  const std::optional<ExpressionId> sizes = call.Positional(1);
  if (!sizes) return source_.Error(statement.offset, "expected: sparse(reader, sizes, indices, values)");
  const std::optional<ExpressionId> is_leaf = call.Keyword("is_leaf");
  SparseCoo sparse{.indices = CULPRIT_TRY(Piece(statement.offset, call.Positional(2))),
                   .values = CULPRIT_TRY(Piece(statement.offset, call.Positional(3))),
                   .sizes = CULPRIT_TRY(Sizes(*sizes)),
                   .is_coalesced = call.Flag("coalesced"),
                   .requires_grad = call.Flag("requires_grad"),
                   .is_leaf = !is_leaf || call.Flag("is_leaf")};
  specs_.inputs.emplace_back(std::move(sparse));
  return Done{};
}

Status InputCalls::ReadQuantized(const Statement& statement, const CallView& call) {
  const std::optional<ExpressionId> scale = call.Positional(2), zero_point = call.Positional(3);
  if (!scale || !zero_point)
    return source_.Error(statement.offset, "expected: quantized(reader, piece(...), scale, zero_point)");
  TensorSpec tensor = CULPRIT_TRY(Piece(statement.offset, call.Positional(1)));
  tensor.dtype = CULPRIT_TRY(QuantisedType(source_, statement.offset, tensor.dtype));
  const std::optional<ExpressionId> axis = call.Keyword("axis");
  if (axis) {
    specs_.inputs.emplace_back(
        QuantisedPerChannel{.tensor = std::move(tensor),
                            .scales = CULPRIT_TRY(Piece(statement.offset, scale)),
                            .zero_points = CULPRIT_TRY(Piece(statement.offset, zero_point)),
                            .axis = CULPRIT_TRY(EvaluateSize(source_, arena_, *axis, symbols_))});
    return Done{};
  }
  const c10::IValue number = CULPRIT_TRY(EvaluateConstant(source_, arena_, *scale));
  const c10::IValue zero = CULPRIT_TRY(EvaluateConstant(source_, arena_, *zero_point));
  if (!number.isDouble() || !zero.isInt())
    return source_.Error(arena_[*scale].offset, "expected a scale such as 0.1 and a zero point such as 3");
  specs_.inputs.emplace_back(QuantisedPerTensor{std::move(tensor), number.toDouble(), zero.toInt()});
  return Done{};
}

Status InputCalls::ReadPut(const Statement& statement, const CallView& call) {
  const std::optional<ExpressionId> value = call.Positional(1);
  if (!value) return source_.Error(statement.offset, "expected: put(reader, constant)");
  if (const CallView seeded(arena_, *value); seeded.name() == "seeded" && seeded.Positional(0)) {
    const int64_t seed = CULPRIT_TRY(EvaluateSize(source_, arena_, *seeded.Positional(0), symbols_));
    specs_.inputs.emplace_back(GeneratorSpec{.seed = static_cast<uint64_t>(seed)});
    return Done{};
  }
  specs_.inputs.emplace_back(ConstantSpec{CULPRIT_TRY(EvaluateConstant(source_, arena_, *value))});
  return Done{};
}

}  // namespace culprit::graph::text
