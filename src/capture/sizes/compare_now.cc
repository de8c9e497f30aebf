// SPDX-License-Identifier: Apache-2.0
#include "capture/sizes/compare_now.h"

#include <fmt/format.h>

#include <algorithm>

#include "capture/sizes/recipes_of.h"
#include "capture/sizes/same_segment.h"
#include "graph/sizes/generalise/disagreement.h"

namespace culprit::capture {
namespace {

using c10::IValue;

std::string LineOf(const Segment& walked, graph::NodeId node) {
  return fmt::format("{} at {}", walked.graph.node(node).op->qualified_name(),
                     TextOf(walked.origins[Index(node)]).ToString());
}

/// Whether following it gives what the walk had.
bool Gives(const Recipe& recipe, const Recipe& walked, const std::vector<int64_t>& symbols) {
  if (recipe.kind != Recipe::Kind::kSize) return recipe.kind == walked.kind && IsSame(recipe, walked);
  const std::optional<int64_t> number = Evaluate(*recipe.size, symbols);
  return walked.kind == Recipe::Kind::kConstant && walked.constant.isInt() &&
         number == walked.constant.toInt();
}

std::optional<std::string> CompareGraphs(const Segment& segment, const std::vector<const IValue*>& found,
                                         const Segment& walked, std::vector<std::vector<int64_t>> sizes) {
  const auto different =
      graph::sizes::CompareAt(segment.graph, InputsOf(segment, found), {walked.graph, std::move(sizes)});
  if (!different) return std::nullopt;
  if (!different->node) return different->what;
  return fmt::format("{}: {}", LineOf(walked, *different->node), different->what);
}

}  // namespace

std::optional<std::string> CompareNow(const Segment& segment, const vm::State& state,
                                      const std::vector<const IValue*>& found, vm::CodeBook& book,
                                      const WalkOptions& options) {
  Sample sample;
  const Segment walked = Walk(state, book, options, segment.name, &sample);
  if (sample.log.path() != segment.path || !HasSameEnd(segment, walked))
    return "the program goes another way";
  if (walked.inputs != segment.inputs || walked.guards.size() != segment.guards.size() ||
      walked.checkpoints.size() != segment.checkpoints.size())
    return "the program looks at other values";
  if (auto different = CompareGraphs(segment, found, walked, std::move(sample.sizes))) return different;
  const std::vector<int64_t> symbols = SymbolsOf(segment, found);
  const bool keeps_same = std::ranges::equal(
      RecipesOf(segment), RecipesOf(walked),
      [&](const Recipe* recipe, const Recipe* now) { return Gives(*recipe, *now, symbols); });
  return keeps_same ? std::nullopt : std::optional<std::string>("the program keeps another number");
}

}  // namespace culprit::capture
