// SPDX-License-Identifier: Apache-2.0
//
// Attention, forward: softmax(scores) @ value, and the logarithm of the softmax's denominator, which the
// backward needs. Computed in the type of the inputs. With dropout the distribution is right and the stream
// is libtorch's own; the seeds that come out are zeros. Query and key must have the same number of heads.
#include "graph/translate/attention.h"
#include "graph/translate/expansions.h"

namespace culprit::graph::translate {
namespace {

struct Output {
  Argument out, logsumexp;
};

base::Result<Output> Forward(AttentionBuilder attention) {
  Emitter& emitter = attention.emitter();
  const Argument scores = CULPRIT_TRY(attention.Scores());
  const Argument logsumexp = CULPRIT_TRY(emitter.EmitOne("aten::logsumexp", {scores, Argument::Ints({-1})}));
  const Argument weights =
      CULPRIT_TRY(emitter.EmitOne("aten::_softmax", {scores, Constant(-1), Constant(false)}));
  const Argument dropped = CULPRIT_TRY(attention.Dropped(weights));
  const Argument out = CULPRIT_TRY(attention.Product(dropped, attention.inputs().value));
  return Output{CULPRIT_TRY(attention.InResultLayout(out)), logsumexp};
}

base::Result<Argument> Seed(const Argument& query, Emitter& emitter) {
  return emitter.EmitOne("aten::new_zeros", {query, Argument::Ints({})},
                         {{"dtype", Constant(static_cast<int64_t>(at::kLong))}});
}

// (out, logsumexp, cum_seq_q, cum_seq_k, max_q, max_k, seed, offset, debug_mask)
base::Result<std::vector<Argument>> NineResults(AttentionBuilder attention) {
  Emitter& emitter = attention.emitter();
  const AttentionBuilder::Inputs inputs = attention.inputs();
  const Output output = CULPRIT_TRY(Forward(std::move(attention)));
  const Argument max_q = CULPRIT_TRY(emitter.EmitOne("aten::sym_size.int", {inputs.query, Constant(2)}));
  const Argument max_k = CULPRIT_TRY(emitter.EmitOne("aten::sym_size.int", {inputs.key, Constant(2)}));
  const Argument seed = CULPRIT_TRY(Seed(inputs.query, emitter));
  return std::vector<Argument>{output.out, output.logsumexp, Argument(), Argument(), max_q, max_k, seed,
                               seed,       Argument()};
}

}  // namespace

// (query, key, value, dropout_p, is_causal, return_debug_mask, scale)
base::Result<std::vector<Argument>> ExpandFlashAttention(const WrittenArguments& call, Emitter& emitter) {
  const std::vector<Argument>& a = call.positional;
  return NineResults(CULPRIT_TRY(BuildAttention(
      {.query = a[0], .key = a[1], .value = a[2], .bias = {}, .scale = a[6]}, a[4], a[3], emitter)));
}

// (query, key, value, attn_bias, compute_log_sumexp, dropout_p, is_causal, scale) -> (out, logsumexp, seed,
// offset)
base::Result<std::vector<Argument>> ExpandEfficientAttention(const WrittenArguments& call, Emitter& emitter) {
  const std::vector<Argument>& a = call.positional;
  const Output output = CULPRIT_TRY(Forward(CULPRIT_TRY(BuildAttention(
      {.query = a[0], .key = a[1], .value = a[2], .bias = a[3], .scale = a[7]}, a[6], a[5], emitter))));
  const Argument seed = CULPRIT_TRY(Seed(a[0], emitter));
  return std::vector<Argument>{output.out, output.logsumexp, seed, seed};
}

// (query, key, value, attn_bias, compute_log_sumexp, dropout_p, is_causal, return_debug_mask, scale)
base::Result<std::vector<Argument>> ExpandCudnnAttention(const WrittenArguments& call, Emitter& emitter) {
  const std::vector<Argument>& a = call.positional;
  return NineResults(CULPRIT_TRY(BuildAttention(
      {.query = a[0], .key = a[1], .value = a[2], .bias = a[3], .scale = a[8]}, a[6], a[5], emitter)));
}

// (query, key, value, attn_bias, dropout_p, is_causal, return_debug_mask, scale)
base::Result<std::vector<Argument>> ExpandOverrideableAttention(const WrittenArguments& call,
                                                                Emitter& emitter) {
  const std::vector<Argument>& a = call.positional;
  return NineResults(CULPRIT_TRY(BuildAttention(
      {.query = a[0], .key = a[1], .value = a[2], .bias = a[3], .scale = a[7]}, a[5], a[4], emitter)));
}

}  // namespace culprit::graph::translate
