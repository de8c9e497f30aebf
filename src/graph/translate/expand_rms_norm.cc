// SPDX-License-Identifier: Apache-2.0
//
// The backward of x / sqrt(mean(x^2) + eps) * weight over the last dimensions. `rstd` is float32 where the
// input is of half precision, so that products with it are too.
#include "graph/translate/expansions.h"

namespace culprit::graph::translate {
namespace {

base::Result<Argument> NormalizedDims(const Argument& normalized_shape) {
  if (!normalized_shape.is_list()) {
    return base::Diagnostic{{}, "argument 'normalized_shape' must be a list"};
  }
  std::vector<int64_t> dims;
  for (auto dim = -static_cast<int64_t>(normalized_shape.list().size()); dim < 0; ++dim) dims.push_back(dim);
  return Argument::Ints(dims);
}

}  // namespace

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

}  // namespace culprit::graph::translate
