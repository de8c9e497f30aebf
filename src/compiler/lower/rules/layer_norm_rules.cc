// SPDX-License-Identifier: Apache-2.0
//
//   name.sum, name.squares       of each row; the variance in two passes
//   mean, rstd                   the second and third result
//   name = (x - mean) * rstd * weight + bias
#include "compiler/loops/type_rules.h"
#include "compiler/lower/patterns/moments.h"
#include "compiler/lower/rules.h"

namespace culprit::compiler::lower {
namespace {

using loops::ValueIndex;

/// The last so many dimensions.
Sizes LastAxes(size_t count) {
  Sizes axes;
  for (size_t i = 1; i <= count; ++i) axes.push_back(-static_cast<int64_t>(i));
  return axes;
}

/// The indices of the last dimensions, which are those of weight and bias.
Indices Last(const Indices& indices, size_t count) {
  return {indices.end() - static_cast<std::ptrdiff_t>(count), indices.end()};
}

bool LayerNorm(Call& call) {
  const size_t normalized = call.Ints(1).size();
  const ValueIndex input = call.Tensor(0);
  const Reduced rows(call[input], LastAxes(normalized), /*keep=*/true);
  // Of rows without numbers libtorch says 0.
  if (call.Result(1).sizes != rows.sizes() || rows.count() == 0) return false;
  const Type type = loops::TypeInRegisters(call[input].dtype);
  const ValueIndex sum = SumOf(call, rows, input, type);
  const ValueIndex mean = call.DefineCombined(1, "mean", MeanLoop(call, rows, sum, Infinite::kIsNan));
  const ValueIndex squares = SquaresAround(call, rows, input, mean);
  const ValueIndex rstd =
      call.DefineCombined(2, "rstd", InverseDeviationLoop(call, rows, squares, call.Double(4)));
  LoopBuilder loop = call.LoopOver(0);
  const Indices row = rows.Left(loop);
  const Indices column = Last(loop.Variables(), normalized);
  Expr y = (loop.Load(input, loop.Variables()) - loop.Load(mean, row)) * loop.Load(rstd, row);
  if (const auto weight = call.OptionalTensor(2)) y = y * loop.Load(*weight, column).As(type);
  if (const auto bias = call.OptionalTensor(3)) y = y + loop.Load(*bias, column).As(type);
  call.DefineEach(0, loop, y);
  return true;
}

struct Backward {
  ValueIndex gradient;
  ValueIndex input;
  ValueIndex mean;
  ValueIndex rstd;
  std::optional<ValueIndex> weight;
  size_t normalized;
  Type type;
};

Expr Normalized(LoopBuilder& loop, const Backward& b, const Indices& at, const Indices& row) {
  return (loop.Load(b.input, at).As(b.type) - loop.Load(b.mean, row).As(b.type)) *
         loop.Load(b.rstd, row).As(b.type);
}

Expr WeightedGradient(LoopBuilder& loop, const Backward& b, const Indices& at) {
  const Expr g = loop.Load(b.gradient, at).As(b.type);
  return b.weight ? g * loop.Load(*b.weight, Last(at, b.normalized)).As(b.type) : g;
}

void DefineInputGradient(Call& call, const Backward& b) {
  const Reduced rows(call[b.input], LastAxes(b.normalized), /*keep=*/true);
  const ValueIndex sum = SumOfEach(
      call, rows, "sum", [&](LoopBuilder& loop, const Indices& at) { return WeightedGradient(loop, b, at); });
  const ValueIndex product = SumOfEach(call, rows, "product", [&](LoopBuilder& loop, const Indices& at) {
    return WeightedGradient(loop, b, at) * Normalized(loop, b, at, loop.Variables());
  });
  LoopBuilder loop = call.LoopOver(0);
  const Indices at = loop.Variables();
  const Indices row = rows.Left(loop);
  const Expr count = loop.Extent(rows.count(), b.type);
  const Expr mean = loop.Load(sum, row) / count;
  const Expr slope = loop.Load(product, row) / count;
  const Expr centered = WeightedGradient(loop, b, at) - mean - Normalized(loop, b, at, row) * slope;
  call.DefineEach(0, loop, centered * loop.Load(b.rstd, row).As(b.type));
}

/// Sums over all rows: of the gradient, and of the gradient times what was multiplied with the weight.
void DefineParameterGradients(Call& call, const Backward& b) {
  const size_t dimensions = call[b.input].sizes.size();
  Sizes axes;
  for (size_t i = 0; i + b.normalized < dimensions; ++i) axes.push_back(static_cast<int64_t>(i));
  const Reduced columns(call[b.input], axes, /*keep=*/false);
  const auto define = [&](uint32_t result, std::string_view suffix, bool is_weight) {
    if (!call.HasResult(result)) return;
    LoopBuilder loop = call.Loop(columns.sizes(), columns.extents());
    const Indices at = columns.InReduction(loop);
    Indices row = at;
    for (size_t i = dimensions - b.normalized; i < dimensions; ++i) row[i] = loop.Place(0);
    const Expr g = loop.Load(b.gradient, at).As(b.type);
    call.DefineCombined(
        result, suffix,
        loop.Reduction(loops::Combine::kSum, is_weight ? g * Normalized(loop, b, at, row) : g));
  };
  define(1, "weight", true);
  define(2, "bias", false);
}

bool LayerNormBackward(Call& call) {
  const size_t normalized = call.Ints(2).size();
  // Without rows there is nothing to sum over.
  if (call.Described(1).sizes.size() == normalized) return false;
  const Backward b{.gradient = call.Tensor(0),
                   .input = call.Tensor(1),
                   .mean = call.Tensor(3),
                   .rstd = call.Tensor(4),
                   .weight = call.OptionalTensor(5),
                   .normalized = normalized,
                   .type = loops::TypeInRegisters(call.Described(1).dtype)};
  if (call.HasResult(0)) DefineInputGradient(call, b);
  DefineParameterGradients(call, b);
  return true;
}

constexpr LoweringRule kRules[] = {
    {"aten::native_layer_norm", LayerNorm, "mean and variance in two passes", kFloats},
    {"aten::native_layer_norm_backward", LayerNormBackward, "to input, weight and bias", kFloats},
};

}  // namespace

std::span<const LoweringRule> LayerNormRules() {
  return kRules;
}

}  // namespace culprit::compiler::lower
