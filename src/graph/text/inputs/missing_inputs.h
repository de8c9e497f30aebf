// SPDX-License-Identifier: Apache-2.0
//
// Inputs that PyTorch could not write down and left as a comment in load_args:
//
//   # fwd_rng_state_0 was unsupported type for dumping: <class 'torch._C.Generator'>
#pragma once

#include <string_view>
#include <vector>

#include "graph/tensors/input_spec.h"

namespace culprit::graph::text {

struct MissingInput {
  /// Of the comment in the text.
  size_t offset = 0;
  /// A generator, or what the input was of.
  InputSpec spec;
};

/// In the order of the text. Comments inside of strings describe the parts of such an input and do not
/// count; they name no parameter, but `x[0]`.
std::vector<MissingInput> FindMissingInputs(std::string_view text, size_t begin, size_t end);

}  // namespace culprit::graph::text
