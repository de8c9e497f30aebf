// SPDX-License-Identifier: Apache-2.0
//
// What the attention operators for CUDA have in common: the scores
//
//   query @ key^T * scale + bias,   -inf above the diagonal if causal
//
// and the layout of their results: [batch, heads, length, width] whose memory is [batch, length, heads,
// width]. Later views in a graph depend on that layout.
#pragma once

#include "graph/translate/expansion.h"

namespace culprit::graph::translate {

class AttentionBuilder {
 public:
  struct Inputs {
    Argument query, key, value;
    /// Added to the scores; None for none.
    Argument bias;
    /// None stands for 1 / sqrt(width of the query).
    Argument scale;
    bool causal = false;
    double dropout = 0.0;
  };

  AttentionBuilder(Inputs inputs, Emitter& emitter) : inputs_(std::move(inputs)), emitter_(emitter) {}

  base::Result<Argument> Scores();
  /// The tensor times the scale of the scores.
  base::Result<Argument> Scaled(const Argument& tensor);
  /// The weights with some set to 0 and the others enlarged, if there is dropout.
  base::Result<Argument> Dropped(const Argument& weights);
  base::Result<Argument> Product(const Argument& a, const Argument& b);
  base::Result<Argument> Transposed(const Argument& tensor);
  /// The same values, with the memory of an attention result.
  base::Result<Argument> InResultLayout(const Argument& tensor);

  const Inputs& inputs() const { return inputs_; }
  Emitter& emitter() { return emitter_; }

 private:
  Inputs inputs_;
  Emitter& emitter_;
};

/// The constants among the options of a call.
base::Result<AttentionBuilder> BuildAttention(AttentionBuilder::Inputs tensors, const Argument& is_causal,
                                              const Argument& dropout_p, Emitter& emitter);

}  // namespace culprit::graph::translate
