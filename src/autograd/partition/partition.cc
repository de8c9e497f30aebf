// SPDX-License-Identifier: Apache-2.0
#include "autograd/partition/partition.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "autograd/joint/simplify.h"
#include "autograd/partition/backward_order.h"
#include "base/internal_error.h"
#include "graph/ir/placeholder_word.h"
#include "graph/ir/rebuild.h"
#include "graph/passes/eliminate_dead_code.h"

namespace culprit::autograd {
namespace {

using graph::Argument;
using graph::Graph;
using graph::Origin;
using graph::PlaceholderKind;
using graph::Rebuild;
using graph::ValueId;

std::string NameOf(const Graph& joint, std::string_view part) {
  constexpr std::string_view kCaptured = "captured";
  const std::string& name = joint.name();
  if (name.empty()) return std::string(part);
  if (name.ends_with(kCaptured)) return name.substr(0, name.size() - kCaptured.size()).append(part);
  return fmt::format("{}_{}", name, part);
}

size_t CapturedPlaceholders(const Joint& joint) {
  return joint.graph.placeholders().size() - joint.tangents;
}

std::vector<SavedValue> ListSaved(const Joint& joint, const std::vector<ValueId>& ids) {
  std::vector<SavedValue> placeholders;
  std::vector<SavedValue> intermediates;
  for (const ValueId id : ids) {
    const graph::Value& value = joint.graph.value(id);
    SavedValue saved{.name = value.name, .kind = value.kind, .bytes = joint.bytes[Index(id)]};
    if (value.origin == Origin::kPlaceholder) {
      saved.placeholder = value.origin_index;
      saved.why = ToString(joint.graph.placeholders()[value.origin_index].kind);
      placeholders.push_back(std::move(saved));
    } else {
      saved.additional_output = intermediates.size();
      saved.why = "intermediate";
      intermediates.push_back(std::move(saved));
    }
  }
  placeholders.insert(placeholders.end(), intermediates.begin(), intermediates.end());
  return placeholders;
}

using ValuesByName = std::unordered_map<std::string_view, ValueId>;

ValuesByName IndexByName(const Graph& graph) {
  ValuesByName ids;
  for (size_t i = 0; i < graph.values().size(); ++i) ids.emplace(graph.values()[i].name, ValueId(i));
  return ids;
}

Graph BuildForward(const Joint& joint, const std::vector<SavedValue>& saved) {
  Rebuild rebuild(joint.graph);
  for (size_t i = 0; i < CapturedPlaceholders(joint); ++i)
    rebuild.CopyPlaceholder(joint.graph.placeholders()[i]);
  rebuild.CopyConstants();
  for (size_t i = 0; i < joint.forward_nodes; ++i) rebuild.CopyNode(joint.graph.nodes()[i]);

  std::vector<Argument> outputs;
  for (size_t i = 0; i < joint.forward_outputs; ++i) outputs.push_back(rebuild.Map(joint.graph.outputs()[i]));
  const ValuesByName ids = IndexByName(joint.graph);
  for (const SavedValue& value : saved) {
    if (value.additional_output) outputs.push_back(rebuild.Map(Argument(ids.at(value.name))));
  }
  rebuild.graph().SetOutputs(std::move(outputs));
  rebuild.graph().set_name(NameOf(joint.graph, "forward"));
  return graph::EliminateDeadCode(std::move(rebuild).Take());
}

PlaceholderKind KindOf(const Joint& joint, const SavedValue& value) {
  return value.placeholder ? joint.graph.placeholders()[*value.placeholder].kind : PlaceholderKind::kInput;
}

std::optional<Graph> BuildBackward(const Joint& joint, const std::vector<Recompute>& recompute,
                                   const std::vector<SavedValue>& saved) {
  const ValuesByName ids = IndexByName(joint.graph);
  Rebuild rebuild(joint.graph);
  std::vector<bool> is_saved(joint.graph.values().size(), false);
  for (const SavedValue& value : saved) {
    const ValueId placeholder = rebuild.graph().AddPlaceholder(value.name, KindOf(joint, value), value.kind);
    const auto found = ids.find(value.name);
    if (found == ids.end()) continue;
    if (!IsForward(joint, found->second)) return std::nullopt;
    rebuild.Replace(found->second, placeholder);
    is_saved[Index(found->second)] = true;
  }
  const std::optional<std::vector<size_t>> order = OrderBackward(joint, recompute, is_saved);
  if (!order) return std::nullopt;

  for (size_t i = CapturedPlaceholders(joint); i < joint.graph.placeholders().size(); ++i)
    rebuild.CopyPlaceholder(joint.graph.placeholders()[i]);
  rebuild.CopyConstants();
  for (const size_t node : *order) rebuild.CopyNode(joint.graph.nodes()[node]);
  std::vector<Argument> gradients;
  for (size_t i = joint.forward_outputs; i < joint.graph.outputs().size(); ++i)
    gradients.push_back(rebuild.Map(joint.graph.outputs()[i]));
  rebuild.graph().SetOutputs(std::move(gradients));
  rebuild.graph().set_name(NameOf(joint.graph, "backward"));
  return graph::EliminateDeadCode(std::move(rebuild).Take());
}

bool IsHeldAnyway(const SavedValue& value) {
  return value.why == "parameter" || value.why == "buffer";
}

}  // namespace

const PartitionMode* FindPartitionMode(std::string_view name) {
  const auto* const found = std::find_if(kPartitionModes.begin(), kPartitionModes.end(),
                                         [&](const PartitionMode& mode) { return mode.name == name; });
  return found == kPartitionModes.end() ? nullptr : found;
}

Partition Split(const Joint& joint, const PartitionMode& mode) {
  const Joint live = EliminateDeadCode(joint);
  const std::vector<Recompute> recompute = RecomputeOf(live);
  std::vector<SavedValue> saved = ListSaved(live, mode.choose(live, recompute));
  std::optional<Graph> backward = BuildBackward(live, recompute, saved);
  CULPRIT_CHECK(backward.has_value(), "{} saves too little", mode.name);
  return {BuildForward(live, saved), *std::move(backward), joint.forward_outputs, std::move(saved)};
}

std::optional<Graph> BackwardFrom(const Joint& joint, const std::vector<SavedValue>& saved) {
  const Joint live = EliminateDeadCode(joint);
  return BuildBackward(live, RecomputeOf(live), saved);
}

int64_t SavedBytes(const Partition& partition) {
  int64_t bytes = 0;
  for (const SavedValue& value : partition.saved) bytes += IsHeldAnyway(value) ? 0 : value.bytes;
  return bytes;
}

std::string Describe(const Partition& partition) {
  size_t width = 0;
  int64_t total = 0;
  for (const SavedValue& value : partition.saved) {
    width = std::max(width, value.name.size());
    total += value.bytes;
  }
  std::string text;
  for (const SavedValue& value : partition.saved) {
    fmt::format_to(std::back_inserter(text), "{:<{}}  {:<12}  {:>12} bytes\n", value.name, width, value.why,
                   value.bytes);
  }
  const int64_t saved = SavedBytes(partition);
  fmt::format_to(std::back_inserter(text), "{} saved for backward: {} bytes", partition.saved.size(), saved);
  if (saved < total)
    fmt::format_to(std::back_inserter(text), ", and {} of parameters and buffers", total - saved);
  return text += '\n';
}

}  // namespace culprit::autograd
