// SPDX-License-Identifier: Apache-2.0
//
// Simpler dtypes (minify/order/dtype_rank.h) of tensors and of dtype arguments: everywhere, then one dtype at
// a time.
//
//   x: float64, i: int64; y = _to_copy(x, dtype=float64)   =>   x: float32, i: int32; y = ... dtype=float32
#include <fmt/format.h>

#include <algorithm>

#include "minify/order/dtype_rank.h"
#include "minify/program/leaves.h"
#include "minify/rewrite/rewrite.h"
#include "minify/strategies/list_of_edits.h"
#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

using Dtypes = std::vector<at::ScalarType>;
using graph::Argument;

/// Those of the program that have a simpler one, in the order of the table.
Dtypes DtypesOf(const Program& program) {
  std::vector<bool> found(std::size(kSimplerDtypes), false);
  const auto note = [&](at::ScalarType dtype) {
    if (const SimplerDtype* simpler = FindSimplerDtype(dtype)) found[simpler - kSimplerDtypes] = true;
  };
  for (const Leaf& leaf : LeavesOf(program)) {
    if (leaf.is_replaceable) note(leaf.tensor.scalar_type());
  }
  for (const graph::Node& node : program.graph.nodes()) {
    for (size_t i = 0; i < node.arguments.size(); ++i) {
      if (const std::optional<at::ScalarType> dtype = DtypeArgument(node, i)) note(*dtype);
    }
  }
  Dtypes dtypes;
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i]) dtypes.push_back(kSimplerDtypes[i].from);
  }
  return dtypes;
}

/// Nothing if it stays.
std::optional<at::ScalarType> SimplerOf(const Dtypes& changed, at::ScalarType dtype) {
  if (std::ranges::count(changed, dtype) == 0) return std::nullopt;
  return FindSimplerDtype(dtype)->to;
}

base::Result<Program> Simplify(const Subject& subject, const Dtypes& changed) {
  Rewrite rewrite;
  bool changes = false;
  for (const Leaf& leaf : LeavesOf(subject.program())) {
    const std::optional<at::ScalarType> to = SimplerOf(changed, leaf.tensor.scalar_type());
    if (!to || !leaf.is_replaceable) continue;
    rewrite.tensors[leaf.name] = WithGradnessOf(leaf.tensor.detach().to(*to), leaf.tensor);
    changes = true;
  }
  rewrite.change_node = [&](graph::NodeId, graph::Node& node) {
    for (size_t i = 0; i < node.arguments.size(); ++i) {
      const std::optional<at::ScalarType> dtype = DtypeArgument(node, i);
      const std::optional<at::ScalarType> to = dtype ? SimplerOf(changed, *dtype) : std::nullopt;
      if (!to) continue;
      node.arguments[i] = Argument(c10::IValue(static_cast<int64_t>(*to)));
      changes = true;
    }
  };
  Program program = Rewritten(subject.program(), rewrite);
  if (!changes) return base::Diagnostic{{}, "nothing would change"};
  return IfItRuns(std::move(program));
}

std::vector<Edit> EditsOf(const Subject& subject) {
  const Dtypes dtypes = DtypesOf(subject.program());
  std::vector<Edit> edits;
  if (dtypes.size() > 1)
    edits.push_back({"simpler dtypes", [dtypes](const Subject& now) { return Simplify(now, dtypes); }});
  for (const at::ScalarType dtype : dtypes) {
    edits.push_back({fmt::format("{} in the place of {}", c10::toString(FindSimplerDtype(dtype)->to),
                                 c10::toString(dtype)),
                     [dtype](const Subject& now) { return Simplify(now, {dtype}); }});
  }
  return edits;
}

}  // namespace

std::unique_ptr<Strategy> MakeDtypes() {
  return std::make_unique<ListOfEdits>(&EditsOf);
}

}  // namespace culprit::minify::strategies
