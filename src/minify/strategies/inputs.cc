// SPDX-License-Identifier: Apache-2.0
//
// Fewer inputs: without those that nothing uses; equal ones as one; numbers and None written into the calls.
#include <fmt/format.h>

#include <unordered_set>

#include "minify/change_inputs.h"
#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

using graph::Argument;
using graph::ValueId;

/// Not where somebody writes: two inputs with equal contents are not one then.
std::unordered_set<uint32_t> WrittenValues(const graph::Graph& graph) {
  std::unordered_set<uint32_t> written;
  for (const graph::Node& node : graph.nodes()) {
    for (size_t a = 0; a < node.arguments.size(); ++a) {
      if (node.op->writes(a)) ForEachValue(node.arguments[a], [&](ValueId id) { written.insert(Index(id)); });
    }
  }
  return written;
}

bool CanBeOne(const c10::IValue& a, const c10::IValue& b) {
  if (!a.isTensor() || !b.isTensor() || !a.toTensor().defined() || !b.toTensor().defined()) return false;
  return a.toTensor().requires_grad() == b.toTensor().requires_grad() &&
         graph::SameTensor(a.toTensor(), b.toTensor());
}

base::Result<Program> MergeEqual(const Subject& subject) {
  const graph::Graph& graph = subject.graph();
  const std::vector<c10::IValue>& inputs = subject.program().inputs;
  if (!WrittenValues(graph).empty()) return base::Diagnostic{{}, "the graph writes into its values"};
  InputPlan plan(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    for (size_t earlier = 0; earlier < i; ++earlier) {
      const bool mergeable = plan.fates[earlier] == InputFate::kStays &&
                             graph.placeholders()[earlier].kind == graph.placeholders()[i].kind;
      if (!mergeable || !CanBeOne(inputs[earlier], inputs[i])) continue;
      plan.Set(i, InputFate::kMerged);
      plan.merged_with[i] = earlier;
      break;
    }
  }
  return ChangeInputs(subject.program(), plan);
}

base::Result<Program> InlineNumbers(const Subject& subject) {
  InputPlan plan(subject.program().inputs.size());
  for (size_t i = 0; i < plan.fates.size(); ++i) {
    const c10::IValue& input = subject.program().inputs[i];
    const bool is_constant =
        input.isNone() || input.isInt() || input.isDouble() || input.isBool() || input.isString();
    if (is_constant) plan.Set(i, InputFate::kInlined);
  }
  return ChangeInputs(subject.program(), plan);
}

const Edit kEdits[] = {
    {"drop unused inputs", [](const Subject& subject) { return DropUnusedInputs(subject.program()); }},
    {"write numbers into the calls", InlineNumbers},
    {"make equal inputs one", MergeEqual}};

/// All three at once would be one question less and, when it is answered no, three more.
class Inputs : public Strategy {
 public:
  std::vector<Edit> Propose(const Subject& /*subject*/, size_t at_most) override {
    std::vector<Edit> edits;
    for (; next_ < std::size(kEdits) && edits.size() < at_most; ++next_) edits.push_back(kEdits[next_]);
    return edits;
  }

  void Learn(std::span<const Learned>) override {}

 private:
  size_t next_ = 0;
};

}  // namespace

size_t BoundOfInputs(const Subject& /*subject*/) {
  return std::size(kEdits);
}

std::unique_ptr<Strategy> MakeInputs() {
  return std::make_unique<Inputs>();
}

}  // namespace culprit::minify::strategies
