// SPDX-License-Identifier: Apache-2.0
//
// Batch norm below autograd, where nothing is written into: in training without running statistics (what
// becomes of those are operators of their own, by compiler/passes), otherwise with them. Channels are
// dimension 1.
#include "compiler/loops/type_rules.h"
#include "compiler/lower/patterns/moments.h"
#include "compiler/lower/rules.h"

namespace culprit::compiler::lower {
namespace {

using loops::ValueIndex;

/// All dimensions but the channels become one.
Reduced PerChannel(const loops::Value& input) {
  Sizes axes;
  for (size_t i = 0; i < input.sizes.size(); ++i)
    if (i != 1) axes.push_back(static_cast<int64_t>(i));
  return {input, axes, /*keep=*/false};
}

/// "<name>.<suffix>", one number per channel.
template <typename Function>
ValueIndex PerChannelHelper(Call& call, std::string_view suffix, int64_t channels, const Function& function) {
  LoopBuilder loop = call.Loop({channels});
  const Expr each = function(loop, loop.Variables());
  return call.Helper(suffix, {channels}, loop.Pointwise(each));
}

ValueIndex InverseDeviation(Call& call, ValueIndex variance, double eps, Type type) {
  return PerChannelHelper(call, "invstd", call[variance].sizes[0],
                          [&](LoopBuilder& loop, const Indices& channel) {
                            return 1.0 / Sqrt(loop.Load(variance, channel).As(type) + eps);
                          });
}

void DefineNormalized(Call& call, ValueIndex mean, ValueIndex invstd, Type type) {
  LoopBuilder loop = call.LoopOver(0);
  const Indices channel = {loop.Variable(1)};
  Expr scale = loop.Load(invstd, channel).As(type);
  if (const auto weight = call.OptionalTensor(1)) scale = scale * loop.Load(*weight, channel).As(type);
  const Expr x = loop.Load(call.Tensor(0), loop.Variables()).As(type);
  Expr y = (x - loop.Load(mean, channel).As(type)) * scale;
  if (const auto bias = call.OptionalTensor(2)) y = y + loop.Load(*bias, channel).As(type);
  call.DefineEach(0, loop, y);
}

/// What training would have saved has no elements.
void DefineNothingSaved(Call& call) {
  for (const uint32_t result : {1U, 2U}) {
    if (!call.HasResult(result) || Product(call.Result(result).sizes) != 0) continue;
    LoopBuilder loop = call.LoopOver(result);
    call.DefineEach(result, loop, loop.Number(0, loops::TypeInRegisters(call.Result(result).dtype)));
  }
}

bool BatchNorm(Call& call) {
  const ValueIndex input = call.Tensor(0);
  if (call[input].sizes.size() < 2) return false;
  const Type type = loops::TypeInRegisters(call[input].dtype);
  const double eps = call.Double(7);
  if (!call.Bool(5)) {
    if (!call.IsTensor(3) || !call.IsTensor(4)) return false;
    DefineNormalized(call, call.Tensor(3), InverseDeviation(call, call.Tensor(4), eps, type), type);
    DefineNothingSaved(call);
    return true;
  }
  const Reduced channels = PerChannel(call[input]);
  if (call.Result(1).sizes != channels.sizes()) return false;
  const ValueIndex sum = SumOf(call, channels, input, type);
  const ValueIndex mean = call.DefineCombined(1, "mean", MeanLoop(call, channels, sum));
  const ValueIndex squares = SquaresAround(call, channels, input, mean);
  const ValueIndex invstd =
      call.DefineCombined(2, "invstd", InverseDeviationLoop(call, channels, squares, eps));
  DefineNormalized(call, mean, invstd, type);
  return true;
}

/// Mean and variance. The sums are those of batch norm itself: in a graph that has both, they are made once.
/// The variance is not rounded here, since its batch norm has all digits of it.
bool BatchNormStatistics(Call& call) {
  const ValueIndex input = call.Tensor(0);
  if (call[input].sizes.size() < 2 || !call.IsNone(1) || !call.IsNone(2)) return false;
  const Reduced channels = PerChannel(call[input]);
  const ValueIndex sum = SumOf(call, channels, input, loops::TypeInRegisters(call[input].dtype));
  const ValueIndex mean = call.Helper("mean", channels.sizes(), MeanLoop(call, channels, sum));
  const ValueIndex squares = SquaresAround(call, channels, input, mean);
  LoopBuilder means = call.LoopOver(0);
  call.DefineEach(0, means, means.Load(mean, means.Variables()));
  call.Define(1, MeanLoop(call, channels, squares));
  return true;
}

struct Backward {
  ValueIndex gradient;
  ValueIndex input;
  ValueIndex mean;
  ValueIndex invstd;
  ValueIndex sum;
  ValueIndex product;
  Type type;
  int64_t count;
};

/// The sum of all gradients of a channel, and of their products with the centered input.
void AddSums(Call& call, Backward& b) {
  const Reduced channels = PerChannel(call[b.input]);
  b.count = channels.count();
  b.sum = SumOfEach(call, channels, "sum", [&](LoopBuilder& loop, const Indices& at) {
    return loop.Load(b.gradient, at).As(b.type);
  });
  b.product = SumOfEach(call, channels, "product", [&](LoopBuilder& loop, const Indices& at) {
    const Expr centered = loop.Load(b.input, at).As(b.type) - loop.Load(b.mean, loop.Variables()).As(b.type);
    return loop.Load(b.gradient, at).As(b.type) * centered;
  });
}

void DefineInputGradient(Call& call, const Backward& b, bool train) {
  const int64_t channels = call[b.mean].sizes[0];
  const auto weight = call.OptionalTensor(2);
  const ValueIndex scale =
      PerChannelHelper(call, "scale", channels, [&](LoopBuilder& loop, const Indices& c) {
        const Expr invstd = loop.Load(b.invstd, c).As(b.type);
        return weight ? invstd * loop.Load(*weight, c).As(b.type) : invstd;
      });
  LoopBuilder loop = call.LoopOver(0);
  const Indices channel = {loop.Variable(1)};
  Expr g = loop.Load(b.gradient, loop.Variables()).As(b.type);
  if (train) {
    const ValueIndex slope =
        PerChannelHelper(call, "slope", channels, [&](LoopBuilder& each, const Indices& c) {
          const Expr invstd = each.Load(b.invstd, c).As(b.type);
          return each.Load(b.product, c) * invstd * invstd / each.Extent(b.count, b.type);
        });
    const ValueIndex mean =
        PerChannelHelper(call, "mean", channels, [&](LoopBuilder& each, const Indices& c) {
          return each.Load(b.sum, c) / each.Extent(b.count, b.type);
        });
    const Expr x = loop.Load(b.input, loop.Variables()).As(b.type);
    const Expr centered = x - loop.Load(b.mean, channel).As(b.type);
    g = g - loop.Load(mean, channel) - centered * loop.Load(slope, channel);
  }
  call.DefineEach(0, loop, g * loop.Load(scale, channel));
}

bool BatchNormBackward(Call& call) {
  const bool train = call.Bool(7);
  const ValueIndex input = call.Tensor(1);
  if (call[input].sizes.size() < 2 || !call.IsTensor(train ? 5 : 3) || !call.IsTensor(train ? 6 : 4))
    return false;
  Backward b{.gradient = call.Tensor(0),
             .input = input,
             .mean = call.Tensor(train ? 5 : 3),
             .invstd = call.Tensor(train ? 6 : 4),
             .type = loops::TypeInRegisters(call[input].dtype)};
  if (!train) b.invstd = InverseDeviation(call, b.invstd, call.Double(8), b.type);
  AddSums(call, b);
  if (call.HasResult(0)) DefineInputGradient(call, b, train);
  if (call.HasResult(1)) {
    LoopBuilder loop = call.LoopOver(1);
    call.DefineEach(
        1, loop, loop.Load(b.product, loop.Variables()) * loop.Load(b.invstd, loop.Variables()).As(b.type));
  }
  if (call.HasResult(2)) {
    LoopBuilder loop = call.LoopOver(2);
    call.DefineEach(2, loop, loop.Load(b.sum, loop.Variables()));
  }
  return true;
}

constexpr LoweringRule kRules[] = {
    {"aten::native_batch_norm", BatchNorm, "in training without running statistics", kFloats},
    {"aten::batch_norm_update_stats", BatchNormStatistics, "without running statistics", kFloats},
    {"aten::native_batch_norm_backward", BatchNormBackward, "to input, weight and bias", kFloats},
};

}  // namespace

std::span<const LoweringRule> BatchNormRules() {
  return kRules;
}

}  // namespace culprit::compiler::lower
