// SPDX-License-Identifier: Apache-2.0
//
// Larger and smaller images: last two dimensions. Positions are rounded as libtorch's are.
#include <cmath>

#include "compiler/loops/type_rules.h"
#include "compiler/lower/patterns/pooling.h"
#include "compiler/lower/rules.h"

namespace culprit::compiler::lower {
namespace {

/// The scale that the caller has given for a dimension (0: rows, 1: columns). Operators with overload "vec"
/// have a list of them, the others one argument each, from `argument`.
std::optional<double> GivenScale(const Call& call, size_t argument, size_t dimension) {
  const bool is_list = call.node().op->overload() == "vec";
  if (!is_list) argument += dimension;
  if (call.IsNone(argument)) return std::nullopt;
  if (!is_list) return call.Double(argument);
  const graph::Argument& scales = call.node().arguments[argument];
  if (!scales.is_list()) return std::nullopt;
  const graph::Argument& scale = scales.list()[dimension];
  return scale.is_constant() ? std::optional(scale.constant().toScalar().toDouble()) : std::nullopt;
}

/// How many places of the input a step of the output is.
double StepOf(std::optional<double> scale, int64_t input, int64_t output) {
  return scale && *scale > 0 ? 1 / *scale : static_cast<double>(input) / static_cast<double>(output);
}

/// libtorch takes the pixel floor(place * step), but no further than the last one, in one of two ways:
/// gradients and images that are small or lie in channels_last are as large or twice as large by their sizes,
/// whatever the scale is, and have steps in Float; the others have steps of the type that they are computed
/// in.
enum class NearestBy : uint8_t { kSizes, kSteps };

struct Nearest {
  int64_t input = 0;
  int64_t output = 0;
  double step = 0;
  /// What a place is multiplied by the step in; the product is a Float.
  Type type = Type::Float;
  /// How many places of the output are one of the input, if that is the same for all of them.
  std::optional<int64_t> factor;

  int64_t PixelOf(int64_t place) const {
    const auto product = type == Type::Double ? static_cast<float>(static_cast<double>(place) * step)
                                              : static_cast<float>(place) * static_cast<float>(step);
    return std::min(static_cast<int64_t>(std::floor(product)), input - 1);
  }
};

/// Steps that are rounded miss some whole factors: with one of 41 place 41 takes pixel 0.
std::optional<int64_t> WholeFactor(const Nearest& nearest, NearestBy by) {
  if (nearest.input == 0 || nearest.output % nearest.input != 0) return std::nullopt;
  const int64_t factor = nearest.output / nearest.input;
  if (by == NearestBy::kSizes && factor <= 2) return factor;
  for (int64_t place = 0; place < nearest.output; ++place)
    if (nearest.PixelOf(place) != place / factor) return std::nullopt;
  return factor;
}

Nearest NearestOf(std::optional<double> scale, int64_t input, int64_t output, NearestBy by,
                  at::ScalarType dtype) {
  Nearest nearest{.input = input, .output = output, .step = StepOf(scale, input, output)};
  if (by == NearestBy::kSteps && dtype == at::kDouble) nearest.type = Type::Double;
  nearest.factor = WholeFactor(nearest, by);
  return nearest;
}

Expr NearestPlace(LoopBuilder& loop, Expr place, const Nearest& nearest) {
  if (nearest.factor) return *nearest.factor == 1 ? place : FloorDiv(place, loop.Extent(*nearest.factor));
  const Expr product = place.As(nearest.type) * nearest.step;
  return Min(Apply(Op::kFloor, product.As(Type::Float)).As(Type::Long), loop.Extent(nearest.input - 1));
}

/// Where libtorch has measured that its kernel for whole vectors of channels is the faster one.
NearestBy WayOf(const Call& call) {
  const Sizes& output = call.Result().sizes;
  const bool is_small = output[2] + output[3] <= 128;
  const bool has_vectors = call.Fake(0).is_contiguous(at::MemoryFormat::ChannelsLast) && output[1] > 3;
  return is_small || has_vectors ? NearestBy::kSizes : NearestBy::kSteps;
}

template <size_t kScales>
bool NearestImage(Call& call) {
  const Sizes& input = call.Described(0).sizes;
  LoopBuilder loop = call.LoopOver(0);
  const Indices at = loop.Variables();
  const NearestBy by = WayOf(call);
  const auto place = [&](size_t dimension) {
    const size_t i = at.size() - 2 + dimension;
    return NearestPlace(loop, at[i],
                        NearestOf(GivenScale(call, kScales, dimension), input[i], loop.sizes()[i], by,
                                  call.Described(0).dtype));
  };
  call.DefineEach(0, loop, loop.Load(call.Tensor(0), WithLast(at, place(0), place(1))));
  return true;
}

/// Only where each place of the input has gone to as many: their gradients are summed up.
template <size_t kScales>
bool NearestBackward(Call& call) {
  const Sizes& input = call.Result().sizes;
  const Sizes& output = call.Described(0).sizes;
  const size_t last = input.size() - 1;
  const auto factor = [&](size_t dimension) {
    const size_t i = last - 1 + dimension;
    return NearestOf(GivenScale(call, kScales, dimension), input[i], output[i], NearestBy::kSizes,
                     call.Result().dtype)
        .factor;
  };
  const auto rows = factor(0);
  const auto columns = factor(1);
  if (!rows || !columns) return false;
  LoopBuilder loop = call.LoopOver(0, {*rows, *columns});
  const Indices at = loop.Variables();
  const Indices place = WithLast(at, at[last - 1] * loop.Extent(*rows) + loop.Variable(last + 1),
                                 at[last] * loop.Extent(*columns) + loop.Variable(last + 2));
  call.DefineCombined(0, "sum", loop.Reduction(loops::Combine::kSum, loop.Load(call.Tensor(0), place)));
  return true;
}

/// Two neighbours and how much the second one counts.
struct Between {
  Expr first;
  Expr second;
  Expr weight;
};

Between BetweenPlaces(LoopBuilder& loop, Expr place, bool align, std::optional<double> scale, int64_t input,
                      int64_t output, Type type) {
  // No neighbour is looked at, whose NaN would not vanish by a weight of 0.
  if (input == output) return {place, place, loop.Number(0, type)};
  double step = StepOf(scale, input, output);
  if (align) step = output > 1 ? static_cast<double>(input - 1) / static_cast<double>(output - 1) : 0;
  if (type == Type::Float) step = static_cast<float>(step);
  Expr position = place.As(type);
  position = align ? position * step : Max((position + 0.5) * step - 0.5, position.Like(0));
  const Expr first = Min(position.As(Type::Long), loop.Extent(input - 1));
  const Expr second = Min(first + loop.Place(1), loop.Extent(input - 1));
  const Expr weight = Min(Max(position - first.As(type), position.Like(0)), position.Like(1));
  return {first, second, weight};
}

template <size_t kScales>
bool Bilinear(Call& call) {
  const Sizes& input = call.Described(0).sizes;
  const Type type = loops::TypeInRegisters(call.Described(0).dtype);
  LoopBuilder loop = call.LoopOver(0);
  const Indices at = loop.Variables();
  const auto between = [&](size_t dimension) {
    const size_t i = at.size() - 2 + dimension;
    return BetweenPlaces(loop, at[i], call.Bool(2), GivenScale(call, kScales, dimension), input[i],
                         loop.sizes()[i], type);
  };
  const Between rows = between(0);
  const Between columns = between(1);
  const auto in_row = [&](Expr row) {
    const Expr left = loop.Load(call.Tensor(0), WithLast(at, row, columns.first));
    const Expr right = loop.Load(call.Tensor(0), WithLast(at, row, columns.second));
    return (1.0 - columns.weight) * left + columns.weight * right;
  };
  call.DefineEach(0, loop, (1.0 - rows.weight) * in_row(rows.first) + rows.weight * in_row(rows.second));
  return true;
}

constexpr LoweringRule kRules[] = {
    {"aten::upsample_nearest2d", NearestImage<2>, "", kFloatsAndByte},
    {"aten::upsample_nearest2d.vec", NearestImage<2>, "", kFloatsAndByte},
    {"aten::upsample_bilinear2d", Bilinear<3>, "", kFloats},
    {"aten::upsample_bilinear2d.vec", Bilinear<3>, "", kFloats},
    {"aten::upsample_nearest2d_backward", NearestBackward<3>, "by whole factors", kFloats},
};

}  // namespace

std::span<const LoweringRule> UpsampleRules() {
  return kRules;
}

}  // namespace culprit::compiler::lower
