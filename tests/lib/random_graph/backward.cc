// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/random_graph/operators.h"

namespace culprit::tests {
namespace {

using enum Dtypes;
using graph::Argument;
using graph::Operator;

// Which gradients are wanted; those that are not come back undefined.
Argument OutputMask(GraphMaker& maker) {
  Argument::List mask;
  for (int i = 0; i < 3; ++i) mask.push_back(Constant(maker.Chance(70)));
  return Argument(std::move(mask));
}

bool AddConvolutionBackward(GraphMaker& maker, const Operator& op) {
  const at::ScalarType dtype = maker.Choice({at::kFloat, at::kDouble});
  const int64_t batch = maker.Between(1, 2);
  return maker.Call(op, {{"grad_output", maker.Sized(dtype, {batch, 3, 4, 4})},
                         {"input", maker.Sized(dtype, {batch, 2, 4, 4})},
                         {"weight", maker.Sized(dtype, {3, 2, 3, 3})},
                         {"bias_sizes", maker.Chance(30) ? None() : Argument::Ints({3})},
                         {"stride", Argument::Ints({1, 1})},
                         {"padding", Argument::Ints({1, 1})},
                         {"dilation", Argument::Ints({1, 1})},
                         {"transposed", Constant(false)},
                         {"output_padding", Argument::Ints({0, 0})},
                         {"groups", Constant<int64_t>(1)},
                         {"output_mask", OutputMask(maker)}});
}

bool AddLayerNormBackward(GraphMaker& maker, const Operator& op) {
  const at::ScalarType dtype = maker.Choice({at::kFloat, at::kDouble});
  const int64_t rows = maker.Between(1, 4), columns = maker.Between(1, 5);
  return maker.Call(op, {{"grad_out", maker.Sized(dtype, {rows, columns})},
                         {"input", maker.Sized(dtype, {rows, columns})},
                         {"normalized_shape", maker.SizeList({columns})},
                         {"mean", maker.Sized(dtype, {rows, 1})},
                         {"rstd", maker.Sized(dtype, {rows, 1})},
                         {"weight", maker.Sized(dtype, {columns})},
                         {"bias", maker.Sized(dtype, {columns})},
                         {"output_mask", OutputMask(maker)}});
}

bool AddBatchNormBackward(GraphMaker& maker, const Operator& op) {
  const at::ScalarType dtype = maker.Choice({at::kFloat, at::kDouble});
  const Sizes sizes = {maker.Between(1, 3), 2, 3};
  return maker.Call(op, {{"grad_out", maker.Sized(dtype, sizes)},
                         {"input", maker.Sized(dtype, sizes)},
                         {"weight", maker.Sized(dtype, {2})},
                         {"running_mean", None()},
                         {"running_var", None()},
                         {"save_mean", maker.Sized(dtype, {2})},
                         {"save_invstd", maker.Sized(dtype, {2})},
                         {"train", Constant(true)},
                         {"eps", Constant(1e-05)},
                         {"output_mask", OutputMask(maker)}});
}

bool AddSoftmaxBackward(GraphMaker& maker, const Operator& op) {
  const Operand output = maker.Pick(kFloating);
  return maker.Complete(op,
                        {{"grad_output", maker.Sized(output.dtype(), output.sizes())},
                         {"output", output},
                         {"input_dtype", Constant(static_cast<int64_t>(output.dtype()))}},
                        output.tensor);
}

bool AddLogSigmoidBackward(GraphMaker& maker, const Operator& op) {
  const Operand input = maker.Sized(at::kFloat, maker.RandomSizes());
  const auto another = [&] { return maker.Sized(at::kFloat, input.sizes()); };
  return maker.Call(op, {{"grad_output", another()}, {"self", input}, {"buffer", another()}});
}

bool AddMaxPoolBackward(GraphMaker& maker, const Operator& op) {
  return maker.Call(op, {{"grad_output", maker.Sized(at::kFloat, {1, 2, 2, 2})},
                         {"self", maker.Sized(at::kFloat, {1, 2, 4, 4})},
                         {"kernel_size", Argument::Ints({2, 2})},
                         {"stride", Argument::Ints({})},
                         {"padding", Argument::Ints({0, 0})},
                         {"dilation", Argument::Ints({1, 1})},
                         {"ceil_mode", Constant(false)},
                         {"indices", maker.FreshIndex({1, 2, 2, 2}, 16)}});
}

bool AddAvgPoolBackward(GraphMaker& maker, const Operator& op) {
  return maker.Call(op, {{"grad_output", maker.Sized(at::kFloat, {1, 2, 2, 2})},
                         {"self", maker.Sized(at::kFloat, {1, 2, 4, 4})},
                         {"kernel_size", Argument::Ints({2, 2})},
                         {"stride", Argument::Ints({2, 2})},
                         {"padding", Argument::Ints({0, 0})},
                         {"ceil_mode", Constant(false)},
                         {"count_include_pad", Constant(maker.Chance(50))},
                         {"divisor_override", maker.Chance(50) ? None() : Constant<int64_t>(3)}});
}

bool AddEmbeddingBackward(GraphMaker& maker, const Operator& op) {
  const int64_t count = maker.Between(1, 4);
  return maker.Call(op, {{"grad_output", maker.Sized(at::kFloat, {count, 3})},
                         {"indices", maker.FreshIndex({count}, 5)},
                         {"num_weights", maker.SizeList({5}).list()[0]},
                         {"padding_idx", Constant(maker.Between(-1, 2))},
                         {"scale_grad_by_freq", Constant(false)}});
}

bool AddSelectBackward(GraphMaker& maker, const Operator& op) {
  const Operand grad = maker.PickRanks(kFloating, 0, 3);
  Sizes sizes = grad.sizes();
  sizes.insert(sizes.begin(), 3);
  return maker.Call(op, {{"grad_output", grad},
                         {"input_sizes", maker.SizeList(sizes)},
                         {"dim", Constant<int64_t>(0)},
                         {"index", Constant(maker.Between(-3, 2))}});
}

bool AddSliceBackward(GraphMaker& maker, const Operator& op) {
  const Operand grad = maker.PickRanks(kFloating, 1, 3);
  Sizes sizes = grad.sizes();
  const int64_t taken = sizes[0];
  sizes[0] += 2;
  return maker.Call(op, {{"grad_output", grad},
                         {"input_sizes", maker.SizeList(sizes)},
                         {"dim", Constant<int64_t>(0)},
                         {"start", Constant<int64_t>(1)},
                         {"end", Constant(taken + 1)},
                         {"step", Constant<int64_t>(1)}});
}

bool AddNllLossBackward(GraphMaker& maker, const Operator& op) {
  return maker.Call(op, {{"grad_output", maker.Sized(at::kFloat, {})},
                         {"self", maker.Sized(at::kFloat, {2, 4})},
                         {"target", maker.FreshIndex({2}, 4)},
                         {"weight", None()},
                         {"reduction", Constant<int64_t>(1)},
                         {"ignore_index", Constant<int64_t>(-100)},
                         {"total_weight", maker.Sized(at::kFloat, {})}});
}

bool AddDropoutBackward(GraphMaker& maker, const Operator& op) {
  const Operand grad = maker.Pick(kFloating);
  return maker.Call(op, {{"grad_output", grad},
                         {"mask", maker.Sized(at::kBool, grad.sizes())},
                         {"scale", Constant(1.1111111111111112)}});
}

bool AddUpsampleBackward(GraphMaker& maker, const Operator& op) {
  return maker.Call(op, {{"grad_output", maker.Sized(at::kFloat, {1, 2, 4, 6})},
                         {"output_size", maker.SizeList({4, 6})},
                         {"input_size", maker.SizeList({1, 2, 2, 3})}});
}

// The loss backwards reduce as their forwards do: 0 keeps the sizes.
bool AddLossBackward(GraphMaker& maker, const Operator& op) {
  const Operand grad = maker.Pick(kFloating);
  const auto another = [&] { return maker.Sized(grad.dtype(), grad.sizes()); };
  return maker.Complete(op,
                        {{"grad_output", grad},
                         {"self", another()},
                         {"target", another()},
                         {"reduction", Constant(maker.Between(0, 2))}},
                        grad.tensor);
}

constexpr OperatorRow kRows[] = {
    {"aten::_adaptive_avg_pool2d_backward",
     [](GraphMaker& maker, const Operator& op) {
       return maker.Call(op, {{"grad_output", maker.Sized(at::kFloat, {1, 2, 1, 1})},
                              {"self", maker.Sized(at::kFloat, {1, 2, 4, 4})}});
     }},
    {"aten::_log_softmax_backward_data", AddSoftmaxBackward},
    {"aten::_softmax_backward_data", AddSoftmaxBackward},
    {"aten::avg_pool2d_backward", AddAvgPoolBackward},
    {"aten::convolution_backward", AddConvolutionBackward},
    {"aten::elu_backward", Matching<kFloating>},
    {"aten::embedding_dense_backward", AddEmbeddingBackward},
    {"aten::gelu_backward", Matching<kFloating>},
    {"aten::hardshrink_backward", Matching<kFloating>},
    {"aten::hardsigmoid_backward", Matching<kFloating>},
    {"aten::hardswish_backward", Matching<kFloating>},
    {"aten::hardtanh_backward", Matching<kFloating>},
    {"aten::leaky_relu_backward", Matching<kFloating>},
    {"aten::log_sigmoid_backward", AddLogSigmoidBackward},
    {"aten::logit_backward", Matching<kFloating>},
    {"aten::max_pool2d_with_indices_backward", AddMaxPoolBackward},
    {"aten::mish_backward", Matching<kFloating>},
    {"aten::mse_loss_backward", AddLossBackward},
    {"aten::native_batch_norm_backward", AddBatchNormBackward},
    {"aten::native_dropout_backward", AddDropoutBackward},
    {"aten::native_layer_norm_backward", AddLayerNormBackward},
    {"aten::nll_loss_backward", AddNllLossBackward},
    {"aten::select_backward", AddSelectBackward},
    {"aten::sigmoid_backward", Matching<kFloating>},
    {"aten::silu_backward", Matching<kFloating>},
    {"aten::slice_backward", AddSliceBackward},
    {"aten::smooth_l1_loss_backward", AddLossBackward},
    {"aten::softplus_backward", Matching<kFloating>},
    {"aten::tanh_backward", Matching<kFloating>},
    {"aten::threshold_backward", Matching<kFloating>},
    {"aten::upsample_nearest2d_backward", AddUpsampleBackward},
};

}  // namespace

std::span<const OperatorRow> BackwardOperators() {
  return kRows;
}

}  // namespace culprit::tests
