// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/extract.h"

#include <algorithm>

#include "graph/ir/verify.h"
#include "graph/passes/extract_plan.h"

namespace culprit::graph {
namespace {

/// Builds the graph of a finished plan.
class ExtractionBuilder {
 public:
  ExtractionBuilder(const Graph& source, const ExtractionPlan& plan)
      : source_(source), plan_(plan), built_(plan.value_count()) {}

  Extraction Build() {
    extraction_.graph.set_name(source_.name());
    AddPlaceholders();
    AddConstants();
    for (const PlannedNode& node : plan_.nodes()) AddNode(node);
    std::vector<Argument> outputs;
    for (const PlannedOutput& output : plan_.outputs()) {
      outputs.push_back(Built(output.planned));
      extraction_.outputs.push_back(output.output);
    }
    extraction_.graph.SetOutputs(std::move(outputs));
    return std::move(extraction_);
  }

 private:
  const Argument& Built(ValueId planned) const { return built_[Index(planned)]; }

  void AddPlaceholders() {
    std::vector<const PlannedPlaceholder*> order;
    for (const PlannedPlaceholder& placeholder : plan_.placeholders()) order.push_back(&placeholder);
    const auto rank = [&](const PlannedPlaceholder* placeholder) {
      const Value& value = source_.value(placeholder->source);
      return value.origin == Origin::kPlaceholder ? value.origin_index : UINT32_MAX;
    };
    std::stable_sort(order.begin(), order.end(), [&](auto* a, auto* b) { return rank(a) < rank(b); });
    for (const PlannedPlaceholder* placeholder : order) {
      const Value& value = source_.value(placeholder->source);
      built_[Index(placeholder->planned)] =
          extraction_.graph.AddPlaceholder(placeholder->name, KindOf(value), placeholder->kind);
      if (value.origin == Origin::kPlaceholder)
        extraction_.graph.SetSymbols(extraction_.graph.placeholders().size() - 1,
                                     source_.placeholders()[value.origin_index].symbols);
      extraction_.inputs.push_back(placeholder->content);
    }
  }

  PlaceholderKind KindOf(const Value& value) const {
    if (value.origin == Origin::kPlaceholder) return source_.placeholders()[value.origin_index].kind;
    return value.origin == Origin::kConstant ? PlaceholderKind::kBuffer : PlaceholderKind::kInput;
  }

  void AddConstants() {
    auto constants = plan_.constants();
    std::sort(constants.begin(), constants.end(), [](auto& a, auto& b) { return a.second < b.second; });
    for (const auto& [planned, index] : constants) {
      const TensorConstant& constant = source_.constants()[index];
      built_[Index(planned)] =
          extraction_.graph.AddConstant(source_.value(constant.value).name, constant.tensor);
    }
  }

  void AddNode(const PlannedNode& planned) {
    std::vector<Argument> arguments;
    for (const Argument& argument : planned.arguments)
      arguments.push_back(MapValues(argument, [&](ValueId id) { return Built(id); }));
    const Node& node =
        extraction_.graph.AddNode(*planned.op, std::move(arguments), planned.names, planned.model_line);
    for (size_t r = 0; r < node.results.size(); ++r) built_[Index(planned.results[r])] = node.results[r];
  }

  const Graph& source_;
  const ExtractionPlan& plan_;
  // By planned value.
  std::vector<Argument> built_;
  Extraction extraction_;
};

}  // namespace

base::Result<Extraction> Extract(const Graph& graph, const std::vector<NodeId>& keep,
                                 const Recording& recording) {
  VerifyPass(graph, "before", "Extract");
  ExtractionPlan plan(graph, keep, recording);
  CULPRIT_TRY(plan.Make());
  Extraction extraction = ExtractionBuilder(graph, plan).Build();
  VerifyPass(extraction.graph, "behind", "Extract");
  return extraction;
}

}  // namespace culprit::graph
