// SPDX-License-Identifier: Apache-2.0
#include "tests/compiler/reduce.h"

#include <ATen/Context.h>
#include <ATen/core/Formatting.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <sstream>

#include "graph/ir/rebuild.h"
#include "graph/passes/eliminate_dead_code.h"
#include "graph/run/interpreter.h"
#include "graph/tensors/tensor_copy.h"
#include "tests/compiler/judge.h"
#include "tests/lib/short_graph.h"

namespace culprit::tests {
namespace {

using graph::Graph;
using Values = std::vector<c10::IValue>;

/// What each node gives, as it is when the node has run.
class Results : public graph::Observer {
 public:
  explicit Results(const GraphCase& run) : of_node(run.graph.nodes().size()) {
    at::manual_seed(0);
    graph::Interpreter(run.graph).Run(graph::CopyAll(run.inputs), this);
  }
  void After(graph::NodeId node, const torch::jit::Stack& results) override {
    of_node[Index(node)] = graph::CopyAll(results);
  }
  std::vector<Values> of_node;
};

bool IsWrong(const GraphCase& run, const NativeSetting& setting) {
  return !Judge(*OpenNative(setting), run.graph, run.inputs).difference.empty();
}

/// Without calls and placeholders that nobody needs.
GraphCase Tidy(const GraphCase& run) {
  const Graph live = graph::EliminateDeadCode(run.graph);
  std::vector<bool> used(live.values().size());
  const auto use = [&](graph::ValueId id) { used[Index(id)] = true; };
  for (const graph::Node& node : live.nodes())
    for (const graph::Argument& argument : node.arguments) ForEachValue(argument, use);
  for (const graph::Argument& output : live.outputs()) ForEachValue(output, use);
  graph::Rebuild rebuild(live);
  GraphCase tidy;
  for (size_t i = 0; i < live.placeholders().size(); ++i) {
    if (!used[Index(live.placeholders()[i].value)]) continue;
    rebuild.CopyPlaceholder(live.placeholders()[i]);
    tidy.inputs.push_back(run.inputs[i]);
  }
  rebuild.CopyConstants();
  for (const graph::Node& node : live.nodes()) rebuild.CopyNode(node);
  rebuild.CopyOutputs();
  tidy.graph = std::move(rebuild).Take();
  return tidy;
}

GraphCase WithOutput(const GraphCase& run, size_t output) {
  GraphCase one = run;
  one.graph.SetOutputs({run.graph.outputs()[output]});
  return Tidy(one);
}

/// The results of one node become inputs.
std::optional<GraphCase> Without(const GraphCase& run, size_t cut, const Values& results) {
  const Graph& source = run.graph;
  graph::Rebuild rebuild(source);
  rebuild.CopyPlaceholders();
  GraphCase smaller{{}, run.inputs};
  const graph::Node& gone = source.nodes()[cut];
  for (size_t i = 0; i < gone.results.size(); ++i) {
    const graph::Value& value = source.value(gone.results[i]);
    if (value.kind == graph::ValueKind::kTensorList || value.kind == graph::ValueKind::kGenerator) return {};
    rebuild.Replace(gone.results[i],
                    rebuild.graph().AddPlaceholder(value.name, graph::PlaceholderKind::kInput, value.kind));
    smaller.inputs.push_back(results[i]);
  }
  rebuild.CopyConstants();
  for (size_t i = 0; i < source.nodes().size(); ++i)
    if (i != cut) rebuild.CopyNode(source.nodes()[i]);
  rebuild.CopyOutputs();
  smaller.graph = std::move(rebuild).Take();
  return Tidy(smaller);
}

std::string Describe(const c10::IValue& input) {
  std::ostringstream text;
  if (!input.isTensor()) {
    text << input;
    return text.str();
  }
  const at::Tensor& tensor = input.toTensor();
  text << fmt::format("{} [{}] strides [{}]", toString(tensor.scalar_type()), fmt::join(tensor.sizes(), ", "),
                      fmt::join(tensor.strides(), ", "));
  if (tensor.numel() <= 64) text << " = " << tensor.flatten();
  return text.str();
}

}  // namespace

GraphCase Reduce(GraphCase whole, const NativeSetting& setting) {
  for (size_t i = 0; i < whole.graph.outputs().size(); ++i) {
    if (!whole.graph.outputs()[i].is_value()) continue;
    GraphCase one = WithOutput(whole, i);
    if (!IsWrong(one, setting)) continue;
    whole = std::move(one);
    break;
  }
  for (size_t cut = whole.graph.nodes().size(); cut-- > 0;) {
    if (cut >= whole.graph.nodes().size()) continue;
    std::optional<GraphCase> smaller = Without(whole, cut, Results(whole).of_node[cut]);
    if (smaller && IsWrong(*smaller, setting)) whole = *std::move(smaller);
  }
  return whole;
}

std::string DescribeReduced(const GraphCase& whole, const NativeSetting& setting) {
  const GraphCase reduced = Reduce(whole, setting);
  std::string text = ShortText(reduced.graph);
  for (size_t i = 0; i < reduced.inputs.size(); ++i)
    text += fmt::format("{}: {}\n", reduced.graph.value(reduced.graph.placeholders()[i].value).name,
                        Describe(reduced.inputs[i]));
  text += Judge(*OpenNative(setting), reduced.graph, reduced.inputs).difference;
  for (const compiler::pipeline::Pass& pass : setting.pipeline) {
    NativeSetting without = setting;
    without.off.push_back({std::string(pass.name)});
    if (!IsWrong(reduced, without)) text += fmt::format("right without {}\n", pass.name);
  }
  return text;
}

}  // namespace culprit::tests
