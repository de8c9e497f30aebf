// SPDX-License-Identifier: Apache-2.0
//
// Fewer inputs: without those that nothing uses; equal ones as one; numbers and None written into the calls.
#include <fmt/format.h>

#include <unordered_set>

#include "graph/rebuild.h"
#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

using graph::Argument;
using graph::ValueId;

/// What becomes of a placeholder.
enum class Fate : uint8_t { kStays, kGoes, kMerged, kInlined };

struct Plan {
  std::vector<Fate> fates;
  /// Of merged ones: with which placeholder.
  std::vector<size_t> merged_with;
  bool changes = false;

  explicit Plan(size_t placeholders) : fates(placeholders, Fate::kStays), merged_with(placeholders, 0) {}
  void Set(size_t placeholder, Fate fate) {
    fates[placeholder] = fate;
    changes = true;
  }
};

base::Result<Program> Carry(const Subject& subject, const Plan& plan) {
  if (!plan.changes) return base::Diagnostic{{}, "nothing would change"};
  const graph::Graph& graph = subject.graph();
  graph::Rebuild rebuild(graph);
  Program program;
  for (size_t i = 0; i < graph.placeholders().size(); ++i) {
    const graph::Placeholder& placeholder = graph.placeholders()[i];
    const graph::Value& value = graph.value(placeholder.value);
    const c10::IValue& input = subject.program().inputs[i];
    switch (plan.fates[i]) {
      case Fate::kStays:
        rebuild.Replace(placeholder.value,
                        rebuild.graph().AddPlaceholder(value.name, placeholder.kind, value.kind));
        program.inputs.push_back(input);
        break;
      case Fate::kMerged:
        rebuild.Replace(placeholder.value, rebuild.Map(graph.placeholders()[plan.merged_with[i]].value));
        break;
      case Fate::kInlined:
        rebuild.Replace(placeholder.value, Argument(input));
        break;
      case Fate::kGoes:
        break;
    }
  }
  rebuild.CopyConstants();
  for (const graph::Node& node : graph.nodes()) rebuild.CopyNode(node);
  rebuild.CopyOutputs();
  program.graph = std::move(rebuild).Take();
  return program;
}

std::unordered_set<uint32_t> UsedValues(const graph::Graph& graph) {
  std::unordered_set<uint32_t> used;
  const auto add = [&](const Argument& argument) {
    ForEachValue(argument, [&](ValueId id) { used.insert(Index(id)); });
  };
  for (const graph::Node& node : graph.nodes()) {
    for (const Argument& argument : node.arguments) add(argument);
  }
  for (const Argument& output : graph.outputs()) add(output);
  return used;
}

base::Result<Program> DropUnused(const Subject& subject) {
  const std::unordered_set<uint32_t> used = UsedValues(subject.graph());
  Plan plan(subject.program().inputs.size());
  for (size_t i = 0; i < plan.fates.size(); ++i) {
    if (!used.contains(Index(subject.graph().placeholders()[i].value))) plan.Set(i, Fate::kGoes);
  }
  return Carry(subject, plan);
}

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
  Plan plan(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    for (size_t earlier = 0; earlier < i; ++earlier) {
      const bool mergeable = plan.fates[earlier] == Fate::kStays &&
                             graph.placeholders()[earlier].kind == graph.placeholders()[i].kind;
      if (!mergeable || !CanBeOne(inputs[earlier], inputs[i])) continue;
      plan.Set(i, Fate::kMerged);
      plan.merged_with[i] = earlier;
      break;
    }
  }
  return Carry(subject, plan);
}

base::Result<Program> InlineNumbers(const Subject& subject) {
  Plan plan(subject.program().inputs.size());
  for (size_t i = 0; i < plan.fates.size(); ++i) {
    const c10::IValue& input = subject.program().inputs[i];
    const bool is_constant =
        input.isNone() || input.isInt() || input.isDouble() || input.isBool() || input.isString();
    if (is_constant) plan.Set(i, Fate::kInlined);
  }
  return Carry(subject, plan);
}

/// All three at once would be one question less and, when it is answered no, three more.
class Inputs : public Strategy {
 public:
  std::vector<Edit> Propose(const Subject& /*subject*/, size_t at_most) override {
    static const Edit kEdits[] = {{"drop unused inputs", DropUnused},
                                  {"write numbers into the calls", InlineNumbers},
                                  {"make equal inputs one", MergeEqual}};
    std::vector<Edit> edits;
    for (; next_ < std::size(kEdits) && edits.size() < at_most; ++next_) edits.push_back(kEdits[next_]);
    return edits;
  }

  void Learn(std::span<const Learned>) override {}

 private:
  size_t next_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> MakeInputs() {
  return std::make_unique<Inputs>();
}

}  // namespace culprit::minify::strategies
