// SPDX-License-Identifier: Apache-2.0
#include "capture/sizes/same_segment.h"

#include <algorithm>
#include <tuple>

#include "capture/sizes/recipes_of.h"
#include "graph/ir/argument.h"
#include "graph/sizes/generalise/generalise.h"

namespace culprit::capture {
namespace {

/// What nobody has set yet equals nothing.
bool IsSameConstant(const c10::IValue& a, const c10::IValue& b) {
  constexpr const char* kUnset = "Uninitialized";
  return graph::SameConstant(a, b) || (a.tagKind() == kUnset && b.tagKind() == kUnset);
}

/// All but the constant.
bool HasSameShape(const Recipe& a, const Recipe& b) {
  const auto facts = [](const Recipe& each) {
    return std::tuple(each.kind, each.index, each.place.kind, each.place.frame, each.place.index, each.plus,
                      each.items.size());
  };
  return facts(a) == facts(b);
}

bool IsSameButForNumbers(const Recipe& a, const Recipe& b) {
  const auto is_number = [](const Recipe& each) { return each.constant.isInt() || each.constant.isDouble(); };
  return HasSameShape(a, b) && (IsSameConstant(a.constant, b.constant) || (is_number(a) && is_number(b)));
}

}  // namespace

bool IsSame(const Recipe& a, const Recipe& b) {
  return HasSameShape(a, b) && IsSameConstant(a.constant, b.constant);
}

bool HasSameEnd(const Segment& a, const Segment& b) {
  return a.end.has_value() == b.end.has_value() && (!a.end || a.end->kind == b.end->kind);
}

bool IsSameButForNumbers(const Segment& a, const Segment& b) {
  return HasSameEnd(a, b) && a.guards.size() == b.guards.size() && a.inputs == b.inputs &&
         a.checkpoints.size() == b.checkpoints.size() &&
         graph::sizes::IsSameButForNumbers(a.graph, b.graph) &&
         std::ranges::equal(RecipesOf(a), RecipesOf(b),
                            [](const Recipe* x, const Recipe* y) { return IsSameButForNumbers(*x, *y); });
}

}  // namespace culprit::capture
