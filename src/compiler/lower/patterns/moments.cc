// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/patterns/moments.h"

namespace culprit::compiler::lower {

using loops::Combine;
using loops::ValueIndex;

ValueIndex SumOf(Call& call, const Reduced& reduced, ValueIndex operand, Type type) {
  return call.Helper(
      "sum", reduced.sizes(),
      ReduceEach(call, reduced, operand, Combine::kSum, [&](LoopBuilder&, Expr x) { return x.As(type); }));
}

ValueIndex SumOfEach(Call& call, const Reduced& reduced, std::string_view suffix,
                     const std::function<Expr(LoopBuilder&, const Indices&)>& each) {
  LoopBuilder loop = call.Loop(reduced.sizes(), reduced.extents());
  const Expr summed = each(loop, reduced.InReduction(loop));
  return call.Helper(suffix, reduced.sizes(), loop.Reduction(Combine::kSum, summed));
}

Expr Finished(Expr statistic, Infinite infinite) {
  return infinite == Infinite::kStays ? statistic : statistic + (statistic - statistic);
}

std::shared_ptr<loops::Loop> MeanLoop(const Call& call, const Reduced& reduced, ValueIndex sum,
                                      Infinite infinite) {
  LoopBuilder loop = call.Loop(reduced.sizes());
  const Expr total = loop.Load(sum, loop.Variables());
  return loop.Pointwise(Finished(total / loop.Extent(reduced.count(), total.type()), infinite));
}

ValueIndex SquaresAround(Call& call, const Reduced& reduced, ValueIndex operand, ValueIndex mean) {
  return SumOfEach(call, reduced, "squares", [&](LoopBuilder& loop, const Indices& indices) {
    const Expr center = loop.Load(mean, loop.Variables());
    const Expr difference = loop.Load(operand, indices).As(center.type()) - center;
    return difference * difference;
  });
}

std::shared_ptr<loops::Loop> InverseDeviationLoop(const Call& call, const Reduced& reduced,
                                                  ValueIndex squares, double eps) {
  LoopBuilder loop = call.Loop(reduced.sizes());
  const Expr total = loop.Load(squares, loop.Variables());
  return loop.Pointwise(1.0 / Sqrt(total / loop.Extent(reduced.count(), total.type()) + eps));
}

}  // namespace culprit::compiler::lower
