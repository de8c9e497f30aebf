// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "graph/translate/expansions.h"

namespace culprit::graph::translate {

// (a, shape, broadcast_dimensions): dimension i of `a` becomes broadcast_dimensions[i] of the result.
base::Result<std::vector<Argument>> ExpandBroadcastInDim(const WrittenArguments& call, Emitter& emitter) {
  if (!call.positional[1].is_list()) return base::Diagnostic{{}, "argument 'shape' must be a list"};
  const std::vector<int64_t> kept = CULPRIT_TRY(ConstantInts(call.positional[2], "broadcast_dimensions"));
  const auto rank = static_cast<int64_t>(call.positional[1].list().size());
  Argument result = call.positional[0];
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (std::find(kept.begin(), kept.end(), dim) != kept.end()) continue;
    result = CULPRIT_TRY(emitter.EmitOne("aten::unsqueeze", {result, Constant(dim)}));
  }
  return std::vector<Argument>{CULPRIT_TRY(emitter.EmitOne("aten::expand", {result, call.positional[1]}))};
}

}  // namespace culprit::graph::translate
