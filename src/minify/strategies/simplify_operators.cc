// SPDX-License-Identifier: Apache-2.0
//
// A simpler operator of the same signature (minify/order/simpler_operator.h): all at once, then one by one
// from the end backwards; and convolutions with a kernel of one element.
//
//   y = gelu(x)                                 =>   y = relu(x)
//   z = mul(x, y)                               =>   z = add(x, y)
//   c = convolution(x, weight [8, 3, 3, 3], padding 1)
//                                               =>   c = convolution(x, weight [8, 3, 1, 1], padding 0)
#include <fmt/format.h>

#include <algorithm>

#include "graph/ir/bind.h"
#include "minify/order/simpler_operator.h"
#include "minify/program/leaves.h"
#include "minify/rewrite/rewrite.h"
#include "minify/strategies/list_of_edits.h"
#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

using graph::Argument;
using graph::NodeId;

/// One by one it takes no more questions.
constexpr size_t kFewOperators = 2;

/// The tensors and numbers that both take; everything else as the simple operator has it by default.
void ReplaceOperator(const graph::Graph& graph, graph::Node& node, const graph::Operator& simple) {
  std::vector<Argument> operands;
  for (size_t i = 0; i < simple.slots().size() && !simple.schema().arguments()[i].kwarg_only(); ++i) {
    const bool is_operand = !graph::DefaultOf(simple, i);
    if (is_operand) operands.push_back(node.arguments[i]);
  }
  base::Result<std::vector<Argument>> bound = graph::BindArguments(graph, simple, {std::move(operands)});
  if (!bound.ok()) return;
  node.op = &simple;
  node.arguments = *std::move(bound);
}

/// Each operator with the simplest one, or with one that is less simple by `step`.
base::Result<Program> SimplifyBy(const Subject& subject, const std::vector<NodeId>& nodes, size_t step) {
  bool changes = false;
  Program program = Rewritten(subject.program(), {.change_node = [&](NodeId id, graph::Node& node) {
                                if (!std::ranges::binary_search(nodes, id)) return;
                                const std::vector<const graph::Operator*>& simpler = SimplerThan(*node.op);
                                if (step >= simpler.size()) return;
                                const graph::Operator* const before = node.op;
                                ReplaceOperator(subject.graph(), node, *simpler[step]);
                                changes = changes || node.op != before;
                              }});
  if (!changes) return base::Diagnostic{{}, "nothing would change"};
  return IfItRuns(std::move(program));
}

/// The simplest that runs: there is no relu of complex numbers.
base::Result<Program> Simplify(const Subject& subject, const std::vector<std::string>& names) {
  const std::vector<NodeId> nodes = subject.Find(names);
  base::Result<Program> simplest = SimplifyBy(subject, nodes, 0);
  return simplest.ok() ? simplest : SimplifyBy(subject, nodes, 1);
}

bool IsConvolution(const graph::Node& node) {
  constexpr std::string_view kConvolutions[] = {"aten::convolution", "aten::conv1d", "aten::conv2d",
                                                "aten::conv3d"};
  return std::ranges::count(kConvolutions, node.op->name()) > 0 && node.arguments[1].is_value();
}

/// Null if it is not the program's own, or has a kernel of one element.
const Leaf* WeightToSlice(const std::vector<Leaf>& leaves, const graph::Graph& graph,
                          const graph::Node& node) {
  const auto leaf = std::ranges::find(leaves, graph.value(node.arguments[1].value()).name, &Leaf::name);
  if (leaf == leaves.end() || !leaf->is_replaceable || leaf->tensor.dim() < 3) return nullptr;
  const bool is_small = std::ranges::all_of(leaf->tensor.sizes().slice(2), [](int64_t n) { return n <= 1; });
  return is_small ? nullptr : &*leaf;
}

void SetPaddingToZero(graph::Node& node) {
  for (size_t i = 0; i < node.arguments.size(); ++i) {
    if (node.op->schema().arguments()[i].name() != "padding" || !node.arguments[i].is_list()) continue;
    node.arguments[i] = Argument::Ints(std::vector<int64_t>(node.arguments[i].list().size(), 0));
  }
}

base::Result<Program> ShrinkKernel(const Subject& subject, const std::string& name) {
  const std::vector<NodeId> nodes = subject.Find({name});
  if (nodes.empty()) return base::Diagnostic{{}, "the operator is gone"};
  const graph::Graph& graph = subject.graph();
  const graph::Node& convolution = graph.node(nodes[0]);
  const std::vector<Leaf> leaves = LeavesOf(subject.program());
  const Leaf* const weight = IsConvolution(convolution) ? WeightToSlice(leaves, graph, convolution) : nullptr;
  if (weight == nullptr) return base::Diagnostic{{}, "there is no kernel to be sliced"};
  at::Tensor middle = weight->tensor.detach();
  for (int64_t dim = 2; dim < middle.dim(); ++dim) middle = middle.narrow(dim, middle.size(dim) / 2, 1);
  return IfItRuns(Rewritten(
      subject.program(),
      {.tensors = {{weight->name, WithGradnessOf(DenseCopy(middle, weight->tensor), weight->tensor)}},
       .change_node = [&](NodeId id, graph::Node& node) {
         if (id == nodes[0]) SetPaddingToZero(node);
       }}));
}

std::vector<Edit> EditsOf(const Subject& subject) {
  const graph::Graph& graph = subject.graph();
  const std::vector<Leaf> leaves = LeavesOf(subject.program());
  std::vector<std::string> complex;
  std::vector<Edit> edits;
  for (uint32_t i = subject.operators(); i-- > 0;) {
    const graph::Node& node = graph.node(NodeId(i));
    const std::string& name = subject.NameOf(NodeId(i));
    if (!SimplerThan(*node.op).empty()) {
      complex.push_back(name);
      edits.push_back({fmt::format("a simpler operator for {}", name),
                       [name](const Subject& now) { return Simplify(now, {name}); }});
    }
    if (IsConvolution(node) && WeightToSlice(leaves, graph, node) != nullptr) {
      edits.push_back({fmt::format("a kernel of one element for {}", name),
                       [name](const Subject& now) { return ShrinkKernel(now, name); }});
    }
  }
  if (complex.size() <= kFewOperators) return edits;
  edits.insert(edits.begin(), {"let all operators be simple ones",
                               [complex](const Subject& now) { return Simplify(now, complex); }});
  return edits;
}

}  // namespace

std::unique_ptr<Strategy> MakeSimplifyOperators() {
  return std::make_unique<ListOfEdits>(&EditsOf);
}

}  // namespace culprit::minify::strategies
