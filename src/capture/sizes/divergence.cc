// SPDX-License-Identifier: Apache-2.0
#include "capture/sizes/divergence.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/sizes/generalise/generalise.h"

namespace culprit::capture {
namespace {

bool IsSameCall(const NumberEvent& a, const NumberEvent& b) {
  const auto same_line = [](const torch::jit::StackEntry& x, const torch::jit::StackEntry& y) {
    return x.range == y.range;
  };
  return a.op == b.op && a.ends == b.ends && a.results.size() == b.results.size() &&
         std::ranges::equal(a.origin.lines, b.origin.lines, same_line);
}

/// Numbers may differ, but not what was decided by them.
bool HasSameDecisions(const NumberEvent& a, const NumberEvent& b) {
  return std::ranges::equal(a.results, b.results, [&](const c10::IValue& x, const c10::IValue& y) {
    return !x.isBool() || !y.isBool() || x.toBool() == y.toBool();
  });
}

std::string Name(std::string_view op, const CodeOrigin& origin) {
  return fmt::format("{} at {}", op, TextOf(origin).ToString());
}

}  // namespace

std::string DivergenceOf(const Segment& a, const NumberLog& log_of_a, const Segment& b,
                         const NumberLog& log_of_b) {
  const size_t events = std::min(log_of_a.events().size(), log_of_b.events().size());
  for (size_t i = 0; i < events; ++i) {
    const NumberEvent& x = log_of_a.events()[i];
    const NumberEvent& y = log_of_b.events()[i];
    if (!IsSameCall(x, y) || !HasSameDecisions(x, y)) return Name(x.op, x.origin);
  }
  const size_t nodes = std::min(a.graph.nodes().size(), b.graph.nodes().size());
  for (size_t i = 0; i < nodes; ++i) {
    if (!graph::sizes::IsSameButForNumbers(a.graph.nodes()[i], b.graph.nodes()[i]))
      return Name(a.graph.nodes()[i].op->qualified_name(), a.origins[i]);
  }
  // One of them goes further.
  const Segment& longer = a.graph.nodes().size() > nodes ? a : b;
  if (longer.graph.nodes().size() > nodes)
    return Name(longer.graph.nodes()[nodes].op->qualified_name(), longer.origins[nodes]);
  const std::optional<Break>& end = a.end ? a.end : b.end;
  return end ? Name(end->reason, end->origin) : "what is kept";
}

}  // namespace culprit::capture
