// SPDX-License-Identifier: Apache-2.0
//
// Indexing under a mask. Where the mask is false the indices may be out of range: they are clamped, and what
// they find is replaced (reading) or counts as zero (writing).
#include "graph/text/expansions.h"

namespace culprit::graph::text {
namespace {

base::Result<Argument> ClampedIndices(const Argument& self, const Argument& indices, Emitter& emitter) {
  if (!indices.is_list()) return base::Diagnostic{{}, "argument 'indices' must be a list"};
  Argument::List clamped;
  for (size_t dim = 0; dim < indices.list().size(); ++dim) {
    const Argument& index = indices.list()[dim];
    if (index.is_none()) {
      clamped.push_back(index);
      continue;
    }
    const Argument size =
        CULPRIT_TRY(emitter.EmitOne("aten::sym_size.int", {self, Constant(static_cast<int64_t>(dim))}));
    const Argument lowest = CULPRIT_TRY(emitter.EmitOne("python::neg.int", {size}));
    const Argument highest = CULPRIT_TRY(emitter.EmitOne("python::sub.int", {size, Constant(1)}));
    clamped.push_back(CULPRIT_TRY(emitter.EmitOne("aten::clamp", {index, lowest, highest})));
  }
  return Argument(std::move(clamped));
}

}  // namespace

// (self, mask, indices, fill)
base::Result<std::vector<Argument>> ExpandMaskedIndex(const WrittenArguments& call, Emitter& emitter) {
  const Argument& self = call.positional[0];
  const Argument indices = CULPRIT_TRY(ClampedIndices(self, call.positional[2], emitter));
  const Argument found = CULPRIT_TRY(emitter.EmitOne("aten::index.Tensor", {self, indices}));
  const Argument hidden = CULPRIT_TRY(emitter.EmitOne("aten::logical_not", {call.positional[1]}));
  return std::vector<Argument>{
      CULPRIT_TRY(emitter.EmitOne("aten::masked_fill.Scalar", {found, hidden, call.positional[3]}))};
}

// (self, mask, indices, values)
base::Result<std::vector<Argument>> ExpandMaskedIndexPut(const WrittenArguments& call, Emitter& emitter) {
  const Argument& self = call.positional[0];
  const Argument indices = CULPRIT_TRY(ClampedIndices(self, call.positional[2], emitter));
  const Argument hidden = CULPRIT_TRY(emitter.EmitOne("aten::logical_not", {call.positional[1]}));
  const Argument values =
      CULPRIT_TRY(emitter.EmitOne("aten::masked_fill.Scalar", {call.positional[3], hidden, Constant(0)}));
  return std::vector<Argument>{
      CULPRIT_TRY(emitter.EmitOne("aten::index_put", {self, indices, values, Constant(true)}))};
}

}  // namespace culprit::graph::text
