// SPDX-License-Identifier: Apache-2.0
//
// Fewer inputs: without those that nothing uses; equal ones as one; numbers and None written into the calls.
// All three at once would be one question less and, when it is answered no, three more.
#include "minify/rewrite/replace_leaves.h"
#include "minify/strategies/list_of_edits.h"
#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

bool WritesSomething(const graph::Graph& graph) {
  for (const graph::Node& node : graph.nodes()) {
    for (size_t i = 0; i < node.arguments.size(); ++i) {
      if (WritesInto(node, i)) return true;
    }
  }
  return false;
}

bool CanBeOne(const c10::IValue& a, const c10::IValue& b) {
  if (!a.isTensor() || !b.isTensor() || !a.toTensor().defined() || !b.toTensor().defined()) return false;
  return a.toTensor().requires_grad() == b.toTensor().requires_grad() &&
         graph::SameTensor(a.toTensor(), b.toTensor());
}

/// Not where somebody writes: two inputs with equal contents are not one then.
base::Result<Program> MergeEqual(const Subject& subject) {
  const std::vector<graph::Placeholder>& placeholders = subject.graph().placeholders();
  const std::vector<c10::IValue>& inputs = subject.program().inputs;
  if (WritesSomething(subject.graph())) return base::Diagnostic{{}, "the graph writes into its values"};
  Replacements replacements;
  for (size_t i = 0; i < inputs.size(); ++i) {
    for (size_t earlier = 0; earlier < i; ++earlier) {
      const bool mergeable = !replacements.contains(placeholders[earlier].value) &&
                             placeholders[earlier].kind == placeholders[i].kind;
      if (!mergeable || !CanBeOne(inputs[earlier], inputs[i])) continue;
      replacements.emplace(placeholders[i].value, placeholders[earlier].value);
      break;
    }
  }
  return ReplaceLeaves(subject.program(), replacements);
}

base::Result<Program> InlineNumbers(const Subject& subject) {
  Replacements replacements;
  for (size_t i = 0; i < subject.program().inputs.size(); ++i) {
    const c10::IValue& input = subject.program().inputs[i];
    const bool is_constant =
        input.isNone() || input.isInt() || input.isDouble() || input.isBool() || input.isString();
    if (is_constant) replacements.emplace(subject.graph().placeholders()[i].value, graph::Argument(input));
  }
  return ReplaceLeaves(subject.program(), replacements);
}

std::vector<Edit> EditsOf(const Subject& /*subject*/) {
  return {{"drop unused inputs", [](const Subject& subject) { return DropUnusedInputs(subject.program()); }},
          {"write numbers into the calls", InlineNumbers},
          {"make equal inputs one", MergeEqual}};
}

}  // namespace

std::unique_ptr<Strategy> MakeInputs() {
  return std::make_unique<ListOfEdits>(&EditsOf);
}

}  // namespace culprit::minify::strategies
