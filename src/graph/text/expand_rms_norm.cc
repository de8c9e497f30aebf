// SPDX-License-Identifier: Apache-2.0
//
// x / sqrt(mean(x^2) + eps) * weight over the last dimensions. Half precision is computed in float32, as the
// operators of 2.x do: a product with a float32 tensor of one element widens it and leaves float64 alone.
#include <limits>

#include "graph/text/expansions.h"

namespace culprit::graph::text {
namespace {

base::Result<Argument> NormalizedDims(const Argument& normalized_shape) {
  if (!normalized_shape.is_list()) {
    return base::Diagnostic{{}, "argument 'normalized_shape' must be a list"};
  }
  std::vector<int64_t> dims;
  for (auto dim = -static_cast<int64_t>(normalized_shape.list().size()); dim < 0; ++dim) dims.push_back(dim);
  return Argument::Ints(dims);
}

base::Result<Argument> Widen(const Argument& tensor, Emitter& emitter) {
  const Argument one = CULPRIT_TRY(emitter.EmitOne("aten::new_ones", {tensor, Argument::Ints({1})},
                                                   {{"dtype", Constant(static_cast<int64_t>(at::kFloat))}}));
  return emitter.EmitOne("aten::mul.Tensor", {tensor, one});
}

}  // namespace

// (input, normalized_shape, weight, eps) -> (out, rstd)
base::Result<std::vector<Argument>> ExpandFusedRmsNorm(const WrittenArguments& call, Emitter& emitter) {
  const Argument& input = call.positional[0];
  const Argument& weight = call.positional[2];
  const Argument dims = CULPRIT_TRY(NormalizedDims(call.positional[1]));
  // Without eps it is the smallest step from 1 in the input's type; the type is not known here.
  const Argument default_eps = Constant(double{std::numeric_limits<float>::epsilon()});
  const Argument& eps = call.positional[3].is_none() ? default_eps : call.positional[3];

  const Argument wide = CULPRIT_TRY(Widen(input, emitter));
  const Argument squares = CULPRIT_TRY(emitter.EmitOne("aten::mul.Tensor", {wide, wide}));
  const Argument mean = CULPRIT_TRY(emitter.EmitOne("aten::mean.dim", {squares, dims, Constant(true)}));
  const Argument shifted = CULPRIT_TRY(emitter.EmitOne("aten::add.Scalar", {mean, eps}));
  const Argument rstd = CULPRIT_TRY(emitter.EmitOne("aten::rsqrt", {shifted}));
  Argument out = CULPRIT_TRY(emitter.EmitOne("aten::mul.Tensor", {wide, rstd}));
  if (!weight.is_none()) out = CULPRIT_TRY(emitter.EmitOne("aten::mul.Tensor", {out, weight}));
  out = CULPRIT_TRY(emitter.EmitOne("aten::type_as", {out, input}));
  return std::vector<Argument>{out, rstd};
}

// (input, normalized_shape, weight, eps) -> out
base::Result<std::vector<Argument>> ExpandRmsNorm(const WrittenArguments& call, Emitter& emitter) {
  std::vector<Argument> results = CULPRIT_TRY(ExpandFusedRmsNorm(call, emitter));
  results.resize(1);
  return results;
}

// (grad_out, input, normalized_shape, rstd, weight, output_mask) -> (grad_input, grad_weight)
// With y = x * rstd and g = grad_out * weight: grad_input = rstd * (g - y * mean(g * y)).
base::Result<std::vector<Argument>> ExpandFusedRmsNormBackward(const WrittenArguments& call,
                                                               Emitter& emitter) {
  const Argument& grad_out = call.positional[0];
  const Argument& input = call.positional[1];
  const Argument& rstd = call.positional[3];
  const Argument& weight = call.positional[4];
  const Argument dims = CULPRIT_TRY(NormalizedDims(call.positional[2]));
  const auto product = [&](const Argument& a, const Argument& b) {
    return emitter.EmitOne("aten::mul.Tensor", {a, b});
  };

  const Argument normalized = CULPRIT_TRY(product(input, rstd));
  const Argument grad = weight.is_none() ? grad_out : CULPRIT_TRY(product(grad_out, weight));
  const Argument alignment = CULPRIT_TRY(product(grad, normalized));
  const Argument mean = CULPRIT_TRY(emitter.EmitOne("aten::mean.dim", {alignment, dims, Constant(true)}));
  const Argument along = CULPRIT_TRY(product(normalized, mean));
  const Argument across = CULPRIT_TRY(emitter.EmitOne("aten::sub.Tensor", {grad, along}));
  const Argument wide_grad_input = CULPRIT_TRY(product(across, rstd));
  const Argument grad_input = CULPRIT_TRY(emitter.EmitOne("aten::type_as", {wide_grad_input, input}));
  if (weight.is_none()) return std::vector<Argument>{grad_input, Argument()};

  const Argument per_element = CULPRIT_TRY(product(grad_out, normalized));
  const Argument summed =
      CULPRIT_TRY(emitter.EmitOne("aten::sum_to_size", {per_element, call.positional[2]}));
  return std::vector<Argument>{grad_input, CULPRIT_TRY(emitter.EmitOne("aten::type_as", {summed, weight}))};
}

}  // namespace culprit::graph::text
