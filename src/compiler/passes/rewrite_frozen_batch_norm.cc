// SPDX-License-Identifier: Apache-2.0
//
// With frozen parameters, batch norm behind a convolution is another convolution:
//
//   c = convolution(x, W, B, ...)
//   y, mean, invstd = native_batch_norm(c, w, b, m, v, False, momentum, eps)
//
// where W, B, w, b, m and v are constants (B, w and b may be missing) and nobody else reads c, mean or
// invstd:
//
//   scale = rsqrt(v + eps) * w
//   y = convolution(x, W * scale, (B - m) * scale + b, ...)
//
// What is computed of constants is left to constant folding.
#include "compiler/passes/rewriter.h"

namespace culprit::compiler::passes {
namespace {

using c10::IValue;
using graph::Argument;
using graph::Node;
using graph::NodeId;
using graph::ValueId;

struct BatchNorm {
  Argument weight, bias, mean, variance, eps;

  explicit BatchNorm(const Node& node)
      : weight(node.arguments[1]),
        bias(node.arguments[2]),
        mean(node.arguments[3]),
        variance(node.arguments[4]),
        eps(node.arguments[7]) {}
};

constexpr size_t kTraining = 5;
constexpr size_t kWeight = 1;
constexpr size_t kBias = 2;
constexpr size_t kTransposed = 6;

bool IsConstantFalse(const Argument& argument) {
  return argument.is_constant() && argument.constant().isBool() && !argument.constant().toBool();
}

bool IsUnused(const Rewriter& rewriter, ValueId id) {
  return rewriter.UsersOf(id).empty() && !rewriter.IsOutput(id);
}

/// One number per channel of the convolution, in the dtype of its weights.
bool IsPerChannel(const Rewriter& rewriter, const Argument& argument, const at::Tensor& weight) {
  const at::Tensor* tensor = rewriter.ConstantOf(argument);
  return tensor != nullptr && tensor->layout() == at::kStrided && tensor->dim() == 1 &&
         tensor->scalar_type() == weight.scalar_type() && tensor->size(0) == weight.size(0);
}

bool MayBePerChannel(const Rewriter& rewriter, const Argument& argument, const at::Tensor& weight) {
  return argument.is_none() || IsPerChannel(rewriter, argument, weight);
}

/// The convolution, if batch norm can become part of it.
const Node* FoldableConvolution(const Rewriter& rewriter, const Node& node) {
  const Argument& input = node.arguments[0];
  if (!input.is_value() || rewriter.IsOutput(input.value()) || rewriter.UsersOf(input.value()).size() != 1)
    return nullptr;
  const Node* convolution = rewriter.ProducerOf(input.value());
  if (convolution == nullptr || convolution->op->qualified_name() != "aten::convolution" ||
      !IsConstantFalse(convolution->arguments[kTransposed]))
    return nullptr;
  const at::Tensor* weight = rewriter.ConstantOf(convolution->arguments[kWeight]);
  const bool is_foldable = weight != nullptr && weight->layout() == at::kStrided &&
                           (weight->scalar_type() == at::kFloat || weight->scalar_type() == at::kDouble);
  if (!is_foldable || !MayBePerChannel(rewriter, convolution->arguments[kBias], *weight)) return nullptr;
  const BatchNorm norm(node);
  const bool is_frozen = IsPerChannel(rewriter, norm.mean, *weight) &&
                         IsPerChannel(rewriter, norm.variance, *weight) &&
                         MayBePerChannel(rewriter, norm.weight, *weight) &&
                         MayBePerChannel(rewriter, norm.bias, *weight) && norm.eps.is_constant();
  return is_frozen ? convolution : nullptr;
}

void AddConvolution(Rewriter& rewriter, const Node& convolution, const Node& node) {
  const std::string& name = rewriter.source().value(node.results[0]).name;
  const auto add = [&](std::string_view op, std::vector<Argument> arguments) {
    return rewriter.Add(op, std::move(arguments), name, node);
  };
  const auto map = [&](const Argument& argument) { return rewriter.rebuild().Map(argument); };
  const Argument one(IValue(int64_t{1}));
  const BatchNorm norm(node);
  const at::Tensor& weight = *rewriter.ConstantOf(convolution.arguments[kWeight]);

  Argument scale = add("aten::rsqrt", {add("aten::add.Scalar", {map(norm.variance), norm.eps, one})});
  if (!norm.weight.is_none()) scale = add("aten::mul.Tensor", {scale, map(norm.weight)});
  Argument::List sizes(static_cast<size_t>(weight.dim()), one);
  sizes[0] = Argument(IValue(int64_t{-1}));
  const Argument column = add("aten::view", {scale, Argument(std::move(sizes))});
  const Argument former = map(convolution.arguments[kBias]);
  const Argument mean = map(norm.mean);
  Argument bias = former.is_none() ? add("aten::neg", {mean}) : add("aten::sub.Tensor", {former, mean, one});
  bias = add("aten::mul.Tensor", {bias, scale});
  if (!norm.bias.is_none()) bias = add("aten::add.Tensor", {bias, map(norm.bias), one});

  std::vector<Argument> arguments;
  for (const Argument& argument : convolution.arguments) arguments.push_back(map(argument));
  arguments[kWeight] = add("aten::mul.Tensor", {arguments[kWeight], column});
  arguments[kBias] = bias;
  rewriter.AddInPlaceOf(node.results[0], "aten::convolution", std::move(arguments), convolution);
}

}  // namespace

std::optional<Replacement> RewriteFrozenBatchNorm(const Rewriter& rewriter, NodeId id) {
  const Node& node = rewriter.source().node(id);
  if (!IsConstantFalse(node.arguments[kTraining]) || !IsUnused(rewriter, node.results[1]) ||
      !IsUnused(rewriter, node.results[2]))
    return std::nullopt;
  const Node* convolution = FoldableConvolution(rewriter, node);
  if (convolution == nullptr) return std::nullopt;
  const NodeId place{rewriter.source().value(convolution->results[0]).origin_index};
  return Replacement{{place},
                     [&node, convolution](Rewriter& target) { AddConvolution(target, *convolution, node); }};
}

}  // namespace culprit::compiler::passes
