// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/random_graph/operators.h"

namespace culprit::tests {
namespace {

using enum Dtypes;
using graph::Argument;
using graph::Operator;

at::ScalarType LayerDtype(GraphMaker& maker) {
  return maker.Choice({at::kFloat, at::kFloat, at::kFloat, at::kDouble});
}

Operand Image(GraphMaker& maker) {
  return maker.Sized(LayerDtype(maker), {maker.Between(1, 2), 4, maker.Between(4, 6), maker.Between(4, 6)});
}

Argument Maybe(GraphMaker& maker, const Operand& operand) {
  return maker.Chance(30) ? None() : Argument(operand);
}

bool AddConvolution(GraphMaker& maker, const Operator& op) {
  const Operand input = Image(maker);
  const int64_t groups = maker.Choice<int64_t>({1, 1, 2, 4});
  const bool transposed = maker.Chance(20);
  const Operand weight = maker.Sized(input.dtype(), {4, 4 / groups, 3, maker.Between(1, 3)});
  return maker.Call(
      op, {{"input", input},
           {"weight", weight},
           {"bias", Maybe(maker, maker.Sized(input.dtype(), {transposed ? 4 / groups * groups : 4}))},
           {"stride", Argument::Ints({maker.Between(1, 2), 1})},
           {"padding", Argument::Ints({1, maker.Between(0, 1)})},
           {"dilation", Argument::Ints({1, 1})},
           {"transposed", Constant(transposed)},
           {"output_padding", Argument::Ints({0, 0})},
           {"groups", Constant(groups)}});
}

bool AddConv(GraphMaker& maker, const Operator& op) {
  const bool two = op.name() != "aten::conv1d";
  const Operand input = two ? Image(maker) : maker.Sized(LayerDtype(maker), {2, 4, 6});
  const Operand weight = maker.Sized(input.dtype(), two ? Sizes{4, 4, 2, 2} : Sizes{4, 4, 3});
  const Operand bias = maker.Sized(input.dtype(), {4});
  return maker.Call(
      op, {{"input", input},
           {"weight", weight},
           {"bias", Maybe(maker, bias)},
           {"stride", maker.Chance(50) ? Constant<int64_t>(2) : Argument::Ints(Sizes(two ? 2 : 1, 1))}});
}

bool AddPool(GraphMaker& maker, const Operator& op) {
  const Operand input = Image(maker);
  return maker.Call(op, {{"self", input},
                         {"kernel_size", Argument::Ints({2, maker.Between(1, 3)})},
                         {"stride", maker.Chance(30) ? Argument::Ints({}) : Argument::Ints({2, 1})},
                         {"ceil_mode", Constant(maker.Chance(30))}});
}

bool AddAdaptivePool(GraphMaker& maker, const Operator& op) {
  return maker.Call(op, {{"self", Image(maker)}, {"output_size", maker.SizeList({maker.Between(1, 3), 2})}});
}

// Without scales: with scales that contradict the sizes the kernels read out of bounds.
bool AddUpsample(GraphMaker& maker, const Operator& op) {
  const Operand input = Image(maker);
  return maker.Complete(op,
                        {{"self", input},
                         {"output_size", maker.SizeList({maker.Between(2, 8), 5})},
                         {"scales_h", None()},
                         {"scales_w", None()}},
                        input.tensor);
}

bool AddPad2d(GraphMaker& maker, const Operator& op) {
  return maker.Call(op,
                    {{"self", Image(maker)}, {"padding", maker.SizeList({1, maker.Between(0, 2), 2, 1})}});
}

bool AddLayerNorm(GraphMaker& maker, const Operator& op) {
  const Operand input = maker.PickRanks(kFloating, 1, 4);
  const Sizes shape = {input.size(-1)};
  return maker.Complete(op,
                        {{"input", input},
                         {"normalized_shape", maker.SizeList(shape)},
                         {"weight", Maybe(maker, maker.Sized(input.dtype(), shape))},
                         {"bias", Maybe(maker, maker.Sized(input.dtype(), shape))}},
                        input.tensor);
}

bool AddGroupNorm(GraphMaker& maker, const Operator& op) {
  const Operand input = Image(maker);
  const bool native = op.name() == "aten::native_group_norm";
  NamedArguments given = {{"input", input},
                          {"weight", Maybe(maker, maker.Sized(input.dtype(), {4}))},
                          {"bias", Maybe(maker, maker.Sized(input.dtype(), {4}))},
                          {"eps", Constant(1e-05)}};
  if (!native) {
    given.emplace_back("num_groups", Constant<int64_t>(2));
    return maker.Complete(op, std::move(given), input.tensor);
  }
  given.emplace_back("group", Constant<int64_t>(2));
  given.emplace_back("N", maker.SizeList({input.size(0)}).list()[0]);
  given.emplace_back("C", Constant<int64_t>(4));
  given.emplace_back("HxW", Constant(input.size(2) * input.size(3)));
  return maker.Call(op, std::move(given));
}

bool AddBatchNorm(GraphMaker& maker, const Operator& op) {
  const Operand input = Image(maker);
  const bool training = maker.Chance(60);
  const bool running = !training || maker.Chance(50);
  // New ones, since training writes into them.
  const Argument mean = running ? Argument(maker.Fresh(input.dtype(), {4})) : None();
  const Argument var = running ? Argument(maker.Fresh(input.dtype(), {4})) : None();
  return maker.Complete(op,
                        {{"input", input},
                         {"weight", Maybe(maker, maker.Sized(input.dtype(), {4}))},
                         {"bias", Maybe(maker, maker.Sized(input.dtype(), {4}))},
                         {"running_mean", mean},
                         {"running_var", var},
                         {"training", Constant(training)}},
                        input.tensor);
}

bool AddNllLoss(GraphMaker& maker, const Operator& op) {
  const Operand scores = maker.Sized(LayerDtype(maker), {maker.Between(1, 3), 4});
  return maker.Complete(op,
                        {{"self", scores},
                         {"target", maker.FreshIndex({scores.size(0)}, 4)},
                         {"weight", Maybe(maker, maker.Sized(scores.dtype(), {4}))},
                         {"ignore_index", Constant<int64_t>(-100)}},
                        scores.tensor);
}

bool AddGlu(GraphMaker& maker, const Operator& op) {
  const Operand input =
      maker.Pick(kFloating, [](const at::Tensor& any) { return any.dim() >= 1 && any.size(-1) % 2 == 0; });
  return maker.Call(op, {{"self", input}, {"dim", Constant<int64_t>(-1)}});
}

bool AddPrelu(GraphMaker& maker, const Operator& op) {
  const Operand input = maker.PickRanks(kFloating, 1, 4);
  return maker.Call(op, {{"self", input}, {"weight", maker.Sized(input.dtype(), {1})}});
}

bool AddIm2col(GraphMaker& maker, const Operator& op) {
  return maker.Call(op, {{"self", Image(maker)},
                         {"kernel_size", Argument::Ints({2, 2})},
                         {"dilation", Constant<int64_t>(1)},
                         {"padding", Argument::Ints({0, 1})},
                         {"stride", Argument::Ints({1, 2})}});
}

bool AddGridSampler(GraphMaker& maker, const Operator& op) {
  const Operand input = Image(maker);
  return maker.Call(op, {{"input", input},
                         {"grid", maker.Sized(input.dtype(), {input.size(0), 2, 3, 2})},
                         {"interpolation_mode", Constant(maker.Between(0, 1))},
                         {"padding_mode", Constant(maker.Between(0, 2))},
                         {"align_corners", Constant(maker.Chance(50))}});
}

constexpr OperatorRow kRows[] = {
    {"aten::_adaptive_avg_pool2d", AddAdaptivePool},
    {"aten::adaptive_avg_pool2d", AddAdaptivePool},
    {"aten::adaptive_max_pool2d", AddAdaptivePool},
    {"aten::avg_pool2d", AddPool},
    {"aten::batch_norm",
     [](GraphMaker& maker, const Operator& op) {
       const Operand input = Image(maker);
       return maker.Complete(op,
                             {{"input", input},
                              {"weight", None()},
                              {"bias", Maybe(maker, maker.Sized(input.dtype(), {4}))},
                              {"running_mean", None()},
                              {"running_var", None()},
                              {"training", Constant(true)},
                              {"cudnn_enabled", Constant(true)}},
                             input.tensor);
     }},
    {"aten::conv1d", AddConv},
    {"aten::conv2d", AddConv},
    {"aten::conv_transpose2d.input", AddConv},
    {"aten::convolution", AddConvolution},
    {"aten::glu", AddGlu},
    {"aten::grid_sampler_2d", AddGridSampler},
    {"aten::group_norm", AddGroupNorm},
    {"aten::im2col", AddIm2col},
    {"aten::layer_norm", AddLayerNorm},
    {"aten::max_pool2d", AddPool},
    {"aten::max_pool2d_with_indices", AddPool},
    {"aten::native_batch_norm", AddBatchNorm},
    {"aten::native_group_norm", AddGroupNorm},
    {"aten::native_layer_norm", AddLayerNorm},
    {"aten::nll_loss_forward", AddNllLoss},
    {"aten::prelu", AddPrelu},
    {"aten::reflection_pad2d", AddPad2d},
    {"aten::replication_pad2d", AddPad2d},
    {"aten::upsample_bicubic2d", AddUpsample},
    {"aten::upsample_bilinear2d", AddUpsample},
    {"aten::upsample_nearest2d", AddUpsample},
};

}  // namespace

std::span<const OperatorRow> NeuralOperators() {
  return kRows;
}

}  // namespace culprit::tests
