// SPDX-License-Identifier: Apache-2.0
//
//   parts = split(x, 2, 1)         =>
//   a = parts[0]                       a = slice(x, 1, 0, 2, 1)
//   b = parts[1]                       b = slice(x, 1, 2, 4, 1)
#include "compiler/passes/rewriter.h"

namespace culprit::compiler::passes {
namespace {

using c10::IValue;
using graph::Argument;
using graph::Node;
using graph::NodeId;

std::optional<int64_t> ConstantInt(const Argument& argument) {
  if (!argument.is_constant() || !argument.constant().isInt()) return std::nullopt;
  return argument.constant().toInt();
}

/// Which part a node picks; nothing if it does something else with the list.
std::optional<int64_t> PickedBy(const Node& user) {
  static const graph::Operator& getitem = graph::Operator::Get("python::getitem.Tensor");
  const auto index = user.op == &getitem ? ConstantInt(user.arguments[1]) : std::nullopt;
  return index && *index >= 0 ? index : std::nullopt;
}

struct Slice {
  int64_t begin = 0;
  int64_t end = 0;
};

/// Where a part of split or split_with_sizes is; nothing if sizes are not known.
std::optional<Slice> PartOf(const Node& split, int64_t part) {
  if (!split.arguments[1].is_list()) {
    const auto size = ConstantInt(split.arguments[1]);
    return size && *size > 0 ? std::optional(Slice{part * *size, (part + 1) * *size}) : std::nullopt;
  }
  const Argument::List& sizes = split.arguments[1].list();
  if (part >= static_cast<int64_t>(sizes.size())) return std::nullopt;
  Slice slice;
  for (size_t i = 0; i <= static_cast<size_t>(part); ++i) {
    const auto size = ConstantInt(sizes[i]);
    if (!size) return std::nullopt;
    slice = {slice.end, slice.end + *size};
  }
  return slice;
}

void AddPart(Rewriter& rewriter, const Node& split, const Node& user) {
  const int64_t part = *PickedBy(user);
  const Argument tensor = rewriter.rebuild().Map(split.arguments[0]);
  if (split.op->name() == "aten::unbind") {
    rewriter.AddInPlaceOf(user.results[0], "aten::select.int",
                          {tensor, rewriter.rebuild().Map(split.arguments[1]), Argument(IValue(part))}, user);
    return;
  }
  const auto [begin, end] = *PartOf(split, part);
  rewriter.AddInPlaceOf(user.results[0], "aten::slice.Tensor",
                        {tensor, rewriter.rebuild().Map(split.arguments[2]), Argument(IValue(begin)),
                         Argument(IValue(end)), Argument(IValue(int64_t{1}))},
                        user);
}

}  // namespace

std::optional<Replacement> RewriteSplit(const Rewriter& rewriter, NodeId node) {
  const Node& split = rewriter.source().node(node);
  if (rewriter.IsOutput(split.results[0])) return std::nullopt;
  const std::vector<NodeId>& users = rewriter.UsersOf(split.results[0]);
  const bool is_unbind = split.op->name() == "aten::unbind";
  for (const NodeId user : users) {
    const auto part = PickedBy(rewriter.source().node(user));
    if (!part || (!is_unbind && !PartOf(split, *part))) return std::nullopt;
  }
  return Replacement{users, [&split, users](Rewriter& target) {
                       for (const NodeId user : users) AddPart(target, split, target.source().node(user));
                     }};
}

}  // namespace culprit::compiler::passes
