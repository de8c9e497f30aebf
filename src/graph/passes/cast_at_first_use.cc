// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/cast_at_first_use.h"

#include <unordered_map>

#include "base/internal_error.h"
#include "graph/ir/fresh_names.h"
#include "graph/ir/rebuild.h"
#include "graph/ir/verify.h"

namespace culprit::graph {
namespace {

class Caster {
 public:
  Caster(const Graph& graph, const std::vector<std::optional<c10::ScalarType>>& dtypes)
      : graph_(graph), rebuild_(graph), names_(graph) {
    CULPRIT_CHECK(dtypes.size() == graph.placeholders().size(), "{} dtypes for {} placeholders",
                  dtypes.size(), graph.placeholders().size());
    for (size_t i = 0; i < dtypes.size(); ++i) {
      if (dtypes[i]) uncast_.emplace(Index(graph.placeholders()[i].value), *dtypes[i]);
    }
  }

  Graph Run() {
    rebuild_.CopyPlaceholders();
    rebuild_.CopyConstants();
    for (const Node& node : graph_.nodes()) {
      CastAll(node.arguments);
      rebuild_.CopyNode(node);
    }
    CastAll(graph_.outputs());
    rebuild_.CopyOutputs();
    return std::move(rebuild_).Take();
  }

 private:
  void CastAll(const std::vector<Argument>& arguments) {
    for (const Argument& argument : arguments) ForEachValue(argument, [&](ValueId id) { CastOnce(id); });
  }

  void CastOnce(ValueId id) {
    const auto found = uncast_.find(Index(id));
    if (found == uncast_.end()) return;
    const Argument none;
    std::vector<Argument> arguments = {rebuild_.Map(id),
                                       Argument(c10::IValue(static_cast<int64_t>(found->second))),
                                       none,
                                       none,
                                       none,
                                       Argument(c10::IValue(false)),
                                       none};
    const Node& cast = rebuild_.graph().AddNode(Operator::Get("aten::_to_copy"), std::move(arguments),
                                                {names_.Derive(graph_.value(id).name)});
    rebuild_.Replace(id, cast.results[0]);
    uncast_.erase(found);
  }

  const Graph& graph_;
  Rebuild rebuild_;
  FreshNames names_;
  std::unordered_map<uint32_t, c10::ScalarType> uncast_;
};

}  // namespace

Graph CastAtFirstUse(const Graph& graph, const std::vector<std::optional<c10::ScalarType>>& dtypes) {
  VerifyPass(graph, "before", "CastAtFirstUse");
  Graph cast = Caster(graph, dtypes).Run();
  VerifyPass(cast, "behind", "CastAtFirstUse");
  return cast;
}

}  // namespace culprit::graph
