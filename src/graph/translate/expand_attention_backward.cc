// SPDX-License-Identifier: Apache-2.0
//
// Attention, backward, from the saved result and logsumexp as the kernels do it:
//
//   weights = exp(scores - logsumexp)
//   grad_value = weights^T @ grad_out
//   grad_scores = weights * (grad_out @ value^T - sum(grad_out * out))
//   grad_query = grad_scores @ key * scale,   grad_key = grad_scores^T @ query * scale
//
// With dropout a fresh mask is drawn, since a seed of CUDA's generator says nothing here: the numbers have
// the right distribution, but do not belong to the forward that made `out`.
#include "graph/translate/attention.h"
#include "graph/translate/expansions.h"

namespace culprit::graph::translate {
namespace {

struct Saved {
  Argument grad_out, out, logsumexp;
};

struct Gradients {
  Argument query, key, value, bias;
};

// Kernels differ in the shape: [batch, heads, length], with a last dimension of 1, or padded in length.
base::Result<Argument> LogsumexpColumn(const Argument& logsumexp, const Argument& query, Emitter& emitter) {
  const Argument flat = CULPRIT_TRY(emitter.EmitOne("aten::flatten.using_ints", {logsumexp, Constant(2)}));
  const Argument length = CULPRIT_TRY(emitter.EmitOne("aten::sym_size.int", {query, Constant(2)}));
  const Argument used =
      CULPRIT_TRY(emitter.EmitOne("aten::slice.Tensor", {flat, Constant(2), Constant(0), length}));
  return emitter.EmitOne("aten::unsqueeze", {used, Constant(-1)});
}

// The weights in the type of the gradient; logsumexp is float32 also where the rest is half precision.
base::Result<Argument> Weights(AttentionBuilder& attention, const Saved& saved) {
  Emitter& emitter = attention.emitter();
  const Argument scores = CULPRIT_TRY(attention.Scores());
  const Argument column = CULPRIT_TRY(LogsumexpColumn(saved.logsumexp, attention.inputs().query, emitter));
  const Argument logarithms = CULPRIT_TRY(emitter.EmitOne("aten::sub.Tensor", {scores, column}));
  const Argument weights = CULPRIT_TRY(emitter.EmitOne("aten::exp", {logarithms}));
  return emitter.EmitOne("aten::type_as", {weights, saved.grad_out});
}

base::Result<Gradients> Backward(AttentionBuilder attention, const Saved& saved) {
  Emitter& emitter = attention.emitter();
  const AttentionBuilder::Inputs& inputs = attention.inputs();
  const auto product = [&](const Argument& a, const Argument& b) {
    return emitter.EmitOne("aten::mul.Tensor", {a, b});
  };

  const Argument weights = CULPRIT_TRY(Weights(attention, saved));
  const Argument values = CULPRIT_TRY(attention.Transposed(inputs.value));
  Argument grad_weights = CULPRIT_TRY(attention.Product(saved.grad_out, values));
  Argument dropped = weights;
  if (inputs.dropout != 0.0) {
    const Argument ones = CULPRIT_TRY(emitter.EmitOne("aten::ones_like", {weights}));
    const Argument mask = CULPRIT_TRY(attention.Dropped(ones));
    dropped = CULPRIT_TRY(product(weights, mask));
    grad_weights = CULPRIT_TRY(product(grad_weights, mask));
  }
  const Argument dropped_columns = CULPRIT_TRY(attention.Transposed(dropped));
  const Argument grad_value = CULPRIT_TRY(attention.Product(dropped_columns, saved.grad_out));

  const Argument grad_times_out = CULPRIT_TRY(product(saved.grad_out, saved.out));
  const Argument total = CULPRIT_TRY(
      emitter.EmitOne("aten::sum.dim_IntList", {grad_times_out, Argument::Ints({-1}), Constant(true)}));
  const Argument centred = CULPRIT_TRY(emitter.EmitOne("aten::sub.Tensor", {grad_weights, total}));
  const Argument grad_scores = CULPRIT_TRY(product(weights, centred));
  const Argument grad_products = CULPRIT_TRY(attention.Scaled(grad_scores));
  const Argument grad_query = CULPRIT_TRY(attention.Product(grad_products, inputs.key));
  const Argument grad_products_columns = CULPRIT_TRY(attention.Transposed(grad_products));
  const Argument grad_key = CULPRIT_TRY(attention.Product(grad_products_columns, inputs.query));
  return Gradients{.query = CULPRIT_TRY(attention.InResultLayout(grad_query)),
                   .key = CULPRIT_TRY(attention.InResultLayout(grad_key)),
                   .value = CULPRIT_TRY(attention.InResultLayout(grad_value)),
                   .bias = grad_scores};
}

}  // namespace

// (grad_out, query, key, value, out, logsumexp, cum_seq_q, cum_seq_k, max_q, max_k, dropout_p, is_causal,
// philox_seed, philox_offset, scale)
base::Result<std::vector<Argument>> ExpandFlashAttentionBackward(const WrittenArguments& call,
                                                                 Emitter& emitter) {
  const std::vector<Argument>& a = call.positional;
  const Gradients grad = CULPRIT_TRY(Backward(
      CULPRIT_TRY(BuildAttention({.query = a[1], .key = a[2], .value = a[3], .bias = {}, .scale = a[14]},
                                 a[11], a[10], emitter)),
      {.grad_out = a[0], .out = a[4], .logsumexp = a[5]}));
  return std::vector<Argument>{grad.query, grad.key, grad.value};
}

// (grad_out_, query, key, value, attn_bias, out, logsumexp, philox_seed, philox_offset, dropout_p,
// grad_input_mask, is_causal, scale) -> (grad_query, grad_key, grad_value, grad_bias)
base::Result<std::vector<Argument>> ExpandEfficientAttentionBackward(const WrittenArguments& call,
                                                                     Emitter& emitter) {
  const std::vector<Argument>& a = call.positional;
  const Gradients grad = CULPRIT_TRY(Backward(
      CULPRIT_TRY(BuildAttention({.query = a[1], .key = a[2], .value = a[3], .bias = a[4], .scale = a[12]},
                                 a[11], a[9], emitter)),
      {.grad_out = a[0], .out = a[5], .logsumexp = a[6]}));
  return std::vector<Argument>{grad.query, grad.key, grad.value, a[4].is_none() ? Argument() : grad.bias};
}

// (grad_out, query, key, value, out, logsumexp, philox_seed, philox_offset, attn_bias, cum_seq_q, cum_seq_k,
// max_q, max_k, dropout_p, is_causal, scale)
base::Result<std::vector<Argument>> ExpandCudnnAttentionBackward(const WrittenArguments& call,
                                                                 Emitter& emitter) {
  const std::vector<Argument>& a = call.positional;
  const Gradients grad = CULPRIT_TRY(Backward(
      CULPRIT_TRY(BuildAttention({.query = a[1], .key = a[2], .value = a[3], .bias = a[8], .scale = a[15]},
                                 a[14], a[13], emitter)),
      {.grad_out = a[0], .out = a[4], .logsumexp = a[5]}));
  return std::vector<Argument>{grad.query, grad.key, grad.value};
}

// (grad_out, query, key, value, attn_bias, grad_input_mask, out, logsumexp, cum_seq_q, cum_seq_k, max_q,
// max_k, dropout_p, is_causal, philox_seed, philox_offset, scale) -> (grad_query, grad_key, grad_value,
// grad_bias)
base::Result<std::vector<Argument>> ExpandOverrideableAttentionBackward(const WrittenArguments& call,
                                                                        Emitter& emitter) {
  const std::vector<Argument>& a = call.positional;
  const Gradients grad = CULPRIT_TRY(Backward(
      CULPRIT_TRY(BuildAttention({.query = a[1], .key = a[2], .value = a[3], .bias = a[4], .scale = a[16]},
                                 a[13], a[12], emitter)),
      {.grad_out = a[0], .out = a[6], .logsumexp = a[7]}));
  return std::vector<Argument>{grad.query, grad.key, grad.value, a[4].is_none() ? Argument() : grad.bias};
}

}  // namespace culprit::graph::translate
