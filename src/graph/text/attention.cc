// SPDX-License-Identifier: Apache-2.0
#include "graph/text/attention.h"

#include <limits>

namespace culprit::graph::text {

base::Result<AttentionBuilder> BuildAttention(AttentionBuilder::Inputs tensors, const Argument& is_causal,
                                              const Argument& dropout_p, Emitter& emitter) {
  tensors.causal = CULPRIT_TRY(ConstantBool(is_causal, "is_causal"));
  tensors.dropout = CULPRIT_TRY(ConstantNumber(dropout_p, "dropout_p"));
  return AttentionBuilder(std::move(tensors), emitter);
}

base::Result<Argument> AttentionBuilder::Scores() {
  const Argument keys = CULPRIT_TRY(Transposed(inputs_.key));
  const Argument products = CULPRIT_TRY(Product(inputs_.query, keys));
  Argument scores = CULPRIT_TRY(Scaled(products));
  if (!inputs_.bias.is_none()) {
    scores = CULPRIT_TRY(emitter_.EmitOne("aten::add.Tensor", {scores, inputs_.bias}));
  }
  if (inputs_.causal) {
    const Argument infinity = Constant(-std::numeric_limits<double>::infinity());
    const Argument all = CULPRIT_TRY(emitter_.EmitOne("aten::full_like", {scores, infinity}));
    const Argument future = CULPRIT_TRY(emitter_.EmitOne("aten::triu", {all, Constant(1)}));
    scores = CULPRIT_TRY(emitter_.EmitOne("aten::add.Tensor", {scores, future}));
  }
  return scores;
}

base::Result<Argument> AttentionBuilder::Scaled(const Argument& tensor) {
  if (!inputs_.scale.is_none()) return emitter_.EmitOne("aten::mul.Scalar", {tensor, inputs_.scale});
  const Argument width = CULPRIT_TRY(emitter_.EmitOne("aten::sym_size.int", {inputs_.query, Constant(-1)}));
  const Argument number = CULPRIT_TRY(emitter_.EmitOne("python::float.int", {width}));
  const Argument root = CULPRIT_TRY(emitter_.EmitOne("python::sqrt.float", {number}));
  return emitter_.EmitOne("aten::div.Scalar", {tensor, root});
}

base::Result<Argument> AttentionBuilder::Dropped(const Argument& weights) {
  if (inputs_.dropout == 0.0) return weights;
  return emitter_.EmitOne("aten::native_dropout", {weights, Constant(inputs_.dropout), Constant(true)});
}

base::Result<Argument> AttentionBuilder::Product(const Argument& a, const Argument& b) {
  return emitter_.EmitOne("aten::matmul", {a, b});
}

base::Result<Argument> AttentionBuilder::Transposed(const Argument& tensor) {
  return emitter_.EmitOne("aten::transpose.int", {tensor, Constant(-2), Constant(-1)});
}

base::Result<Argument> AttentionBuilder::InResultLayout(const Argument& tensor) {
  const Argument heads_last =
      CULPRIT_TRY(emitter_.EmitOne("aten::transpose.int", {tensor, Constant(1), Constant(2)}));
  const Argument memory = CULPRIT_TRY(
      emitter_.EmitOne("aten::clone", {heads_last},
                       {{"memory_format", Constant(static_cast<int64_t>(at::MemoryFormat::Contiguous))}}));
  return emitter_.EmitOne("aten::transpose.int", {memory, Constant(1), Constant(2)});
}

}  // namespace culprit::graph::text
