// SPDX-License-Identifier: Apache-2.0
//
// The calls of load_args that PyTorch's scripts have no words for: sparse and quantised tensors, plain
// constants.
#include <fmt/format.h>

#include "graph/text/constant_expression.h"
#include "graph/text/input_calls.h"

namespace culprit::graph::text {
namespace {

using base::Done;
using base::Result;
using base::Status;

/// A number, or a list of numbers.
template <typename T>
Result<std::vector<T>> Numbers(const Source& source, const ExpressionArena& arena, ExpressionId id) {
  const Expression& expression = arena[id];
  std::vector<ExpressionId> items = {id};
  if (expression.kind == ExpressionKind::kList) {
    items.clear();
    for (uint32_t i = 0; i < expression.child_count; ++i) items.push_back(arena.child(expression, i));
  }
  std::vector<T> numbers;
  for (const ExpressionId item : items) {
    const c10::IValue number = CULPRIT_TRY(EvaluateConstant(source, arena, item));
    const bool fits = number.isInt() || (number.isDouble() && std::is_floating_point_v<T>);
    if (!fits) return source.Error(arena[item].offset, "expected a number");
    numbers.push_back(number.toScalar().to<T>());
  }
  return numbers;
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
  SparseSpec spec{.indices = CULPRIT_TRY(Piece(statement.offset, call.Positional(2))),
                  .values = CULPRIT_TRY(Piece(statement.offset, call.Positional(3))),
                  .sizes = CULPRIT_TRY(Sizes(*sizes)),
                  .is_coalesced = call.Flag("coalesced"),
                  .requires_grad = call.Flag("requires_grad")};
  specs_.inputs.emplace_back(std::move(spec));
  return Done{};
}

Status InputCalls::ReadQuantized(const Statement& statement, const CallView& call) {
  const std::optional<ExpressionId> scales = call.Positional(2), zero_points = call.Positional(3);
  if (!scales || !zero_points)
    return source_.Error(statement.offset, "expected: quantized(reader, piece(...), scale, zero_point)");
  QuantizedSpec spec{.integers = CULPRIT_TRY(Piece(statement.offset, call.Positional(1))),
                     .scales = CULPRIT_TRY(Numbers<double>(source_, arena_, *scales)),
                     .zero_points = CULPRIT_TRY(Numbers<int64_t>(source_, arena_, *zero_points))};
  if (const auto axis = call.Keyword("axis")) {
    spec.axis = CULPRIT_TRY(EvaluateSize(source_, arena_, *axis, symbols_));
  }
  const auto rank = static_cast<int64_t>(spec.integers.sizes.size());
  const bool axis_exists = !spec.axis || (*spec.axis >= 0 && *spec.axis < rank);
  const size_t wanted = !axis_exists || !spec.axis ? 1 : static_cast<size_t>(spec.integers.sizes[*spec.axis]);
  if (!axis_exists || spec.scales.size() != wanted || spec.zero_points.size() != wanted) {
    return source_.Error(statement.offset, fmt::format("{} scales and {} zero points do not fit the tensor",
                                                       spec.scales.size(), spec.zero_points.size()));
  }
  specs_.inputs.emplace_back(std::move(spec));
  return Done{};
}

Status InputCalls::ReadPut(const Statement& statement, const CallView& call) {
  const std::optional<ExpressionId> value = call.Positional(1);
  if (!value) return source_.Error(statement.offset, "expected: put(reader, constant)");
  specs_.inputs.emplace_back(ConstantSpec{CULPRIT_TRY(EvaluateConstant(source_, arena_, *value))});
  return Done{};
}

}  // namespace culprit::graph::text
