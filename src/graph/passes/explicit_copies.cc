// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/explicit_copies.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "graph/ir/fresh_names.h"
#include "graph/ir/rebuild.h"
#include "graph/ir/verify.h"
#include "graph/run/interpreter.h"

namespace culprit::graph {
namespace {

constexpr std::string_view kCopyIfNeeded[] = {
    "aten::to",
    "aten::type_as",
    "aten::_autocast_to_full_precision",
    "aten::_autocast_to_reduced_precision",
};

bool CopiesIfNeeded(const Node& node) {
  return std::find(std::begin(kCopyIfNeeded), std::end(kCopyIfNeeded), node.op->name()) !=
         std::end(kCopyIfNeeded);
}

/// Integers that become floating-point numbers are copied in every precision.
bool StaysFloating(const at::Tensor& operand, const at::Tensor& result) {
  return (operand.is_floating_point() && result.is_floating_point()) ||
         (operand.is_complex() && result.is_complex());
}

class CopyObserver : public Observer {
 public:
  explicit CopyObserver(const Graph& graph) : graph_(graph) {}

  void Before(NodeId node, const torch::jit::Stack& arguments) override {
    if (CopiesIfNeeded(graph_.node(node))) operand_ = arguments.at(0).toTensor();
  }
  void After(NodeId node, const torch::jit::Stack& results) override {
    if (!operand_.defined()) return;
    const at::Tensor& result = results.at(0).toTensor();
    if (!result.is_same(operand_) && StaysFloating(operand_, result)) copying.insert(node);
    operand_.reset();
  }

  std::set<NodeId> copying;

 private:
  const Graph& graph_;
  at::Tensor operand_;
};

// As AOT-Autograd writes it: the strides are kept.
void CloneResult(const Graph& graph, const Node& node, FreshNames& names, Rebuild& rebuild) {
  std::vector<Argument> arguments;
  for (const Argument& argument : node.arguments) arguments.push_back(rebuild.Map(argument));
  const std::string& name = graph.value(node.results[0]).name;
  const ValueId result = rebuild.graph()
                             .AddNode(*node.op, std::move(arguments), {names.Derive(name)}, node.model_line)
                             .results[0];
  const ValueId clone =
      rebuild.graph().AddNode(Operator::Get("aten::clone"), {result, Argument()}, {name}).results[0];
  rebuild.Replace(node.results[0], clone);
}

}  // namespace

Graph MakeCopiesExplicit(const Graph& graph, std::vector<c10::IValue> inputs) {
  if (std::none_of(graph.nodes().begin(), graph.nodes().end(), CopiesIfNeeded)) return graph;
  VerifyPass(graph, "before", "MakeCopiesExplicit");
  CopyObserver observer(graph);
  Interpreter(graph).Run(std::move(inputs), &observer);
  Rebuild rebuild(graph);
  FreshNames names(graph);
  rebuild.CopyPlaceholders();
  rebuild.CopyConstants();
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    if (observer.copying.contains(NodeId(i))) {
      CloneResult(graph, graph.nodes()[i], names, rebuild);
    } else {
      rebuild.CopyNode(graph.nodes()[i]);
    }
  }
  rebuild.CopyOutputs();
  Graph result = std::move(rebuild).Take();
  VerifyPass(result, "behind", "MakeCopiesExplicit");
  return result;
}

}  // namespace culprit::graph
