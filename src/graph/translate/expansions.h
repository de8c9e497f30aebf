// SPDX-License-Identifier: Apache-2.0
//
// The functions of FunctionTranslations() and CudaOnlyFunctions(). Each has the parameters of its row in
// table.cc.
#pragma once

#include "graph/translate/expansion.h"

namespace culprit::graph::translate {

#define CULPRIT_EXPANSION(name) \
  base::Result<std::vector<Argument>> name(const WrittenArguments& call, Emitter& emitter)

// expand_shapes.cc
CULPRIT_EXPANSION(ExpandBroadcastInDim);

// expand_max_pool.cc
CULPRIT_EXPANSION(ExpandMaxPoolWithOffsets);
CULPRIT_EXPANSION(ExpandMaxPoolOffsets);
CULPRIT_EXPANSION(ExpandMaxPool2dOffsets);

// expand_rms_norm.cc
CULPRIT_EXPANSION(ExpandFusedRmsNormBackward);

// expand_attention.cc
CULPRIT_EXPANSION(ExpandFlashAttention);
CULPRIT_EXPANSION(ExpandEfficientAttention);
CULPRIT_EXPANSION(ExpandCudnnAttention);
CULPRIT_EXPANSION(ExpandOverrideableAttention);

// expand_attention_backward.cc
CULPRIT_EXPANSION(ExpandFlashAttentionBackward);
CULPRIT_EXPANSION(ExpandEfficientAttentionBackward);
CULPRIT_EXPANSION(ExpandCudnnAttentionBackward);
CULPRIT_EXPANSION(ExpandOverrideableAttentionBackward);

// expand_collectives.cc
CULPRIT_EXPANSION(ExpandAllGather);
CULPRIT_EXPANSION(ExpandOldAllGather);
CULPRIT_EXPANSION(ExpandAllGatherOut);
CULPRIT_EXPANSION(ExpandAllGatherAll);
CULPRIT_EXPANSION(ExpandReduceScatterAll);
CULPRIT_EXPANSION(ExpandCopyAll);
CULPRIT_EXPANSION(ExpandAllToAll);

#undef CULPRIT_EXPANSION

}  // namespace culprit::graph::translate
