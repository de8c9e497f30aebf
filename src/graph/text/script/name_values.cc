// SPDX-License-Identifier: Apache-2.0
#include "graph/text/script/name_values.h"

#include <fmt/format.h>

#include "graph/ir/verify.h"

namespace culprit::graph::text {
namespace {

// "aten::native_batch_norm" -> "native_batch_norm"
std::string BaseName(const Graph& graph, const Value& value) {
  if (value.origin != Origin::kNode) return "value";
  const std::string& name = graph.nodes()[value.origin_index].op->name();
  const std::string base = name.substr(name.find("::") + 2);
  return IsValidName(base) ? base : base + "_result";
}

}  // namespace

void NameValues::Want(ValueId id, std::string_view name) {
  if (wanted_.contains(id)) return;
  if (IsValidName(name) && taken_.emplace(name).second) {
    wanted_.emplace(id, name);
  } else {
    hints_.emplace(id, name);
  }
}

void NameValues::HintAll(const std::vector<Argument>& values, std::string_view name) {
  for (const Argument& value : values) {
    if (value.is_value()) hints_.emplace(value.value(), name);
  }
}

void NameValues::Apply(Graph& graph) {
  std::unordered_map<std::string, size_t> next_suffix;
  for (uint32_t i = 0; i < graph.values().size(); ++i) {
    const ValueId id{i};
    if (const auto wanted = wanted_.find(id); wanted != wanted_.end()) {
      graph.RenameValue(id, wanted->second);
      continue;
    }
    const auto hint = hints_.find(id);
    std::string base =
        hint != hints_.end() && IsValidName(hint->second) ? hint->second : BaseName(graph, graph.value(id));
    std::string name = base;
    for (size_t& suffix = next_suffix[base]; !taken_.insert(name).second;)
      name = fmt::format("{}_{}", base, ++suffix);
    graph.RenameValue(id, std::move(name));
  }
}

}  // namespace culprit::graph::text
