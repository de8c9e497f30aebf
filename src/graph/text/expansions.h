// SPDX-License-Identifier: Apache-2.0
//
// The functions of FunctionTranslations(). Each has the parameters of its row in translation_table.cc.
#pragma once

#include "graph/text/expansion.h"

namespace culprit::graph::text {

#define CULPRIT_EXPANSION(name) \
  base::Result<std::vector<Argument>> name(const WrittenArguments& call, Emitter& emitter)

// expand_shapes.cc
CULPRIT_EXPANSION(ExpandSqueezeDims);
CULPRIT_EXPANSION(ExpandEmptyPermuted);
CULPRIT_EXPANSION(ExpandBroadcastInDim);

// expand_indexing.cc
CULPRIT_EXPANSION(ExpandMaskedIndex);
CULPRIT_EXPANSION(ExpandMaskedIndexPut);

// expand_max_pool.cc
CULPRIT_EXPANSION(ExpandMaxPoolWithOffsets);
CULPRIT_EXPANSION(ExpandMaxPoolOffsets);
CULPRIT_EXPANSION(ExpandMaxPool2dOffsets);

// expand_rms_norm.cc
CULPRIT_EXPANSION(ExpandRmsNorm);
CULPRIT_EXPANSION(ExpandFusedRmsNorm);
CULPRIT_EXPANSION(ExpandFusedRmsNormBackward);

// expand_attention.cc
CULPRIT_EXPANSION(ExpandAttention);
CULPRIT_EXPANSION(ExpandFlashAttention);
CULPRIT_EXPANSION(ExpandCpuFlashAttention);
CULPRIT_EXPANSION(ExpandEfficientAttention);
CULPRIT_EXPANSION(ExpandCudnnAttention);
CULPRIT_EXPANSION(ExpandOverrideableAttention);

// expand_attention_backward.cc
CULPRIT_EXPANSION(ExpandFlashAttentionBackward);
CULPRIT_EXPANSION(ExpandCpuFlashAttentionBackward);
CULPRIT_EXPANSION(ExpandEfficientAttentionBackward);
CULPRIT_EXPANSION(ExpandCudnnAttentionBackward);
CULPRIT_EXPANSION(ExpandOverrideableAttentionBackward);

#undef CULPRIT_EXPANSION

}  // namespace culprit::graph::text
