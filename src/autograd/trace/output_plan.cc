// SPDX-License-Identifier: Apache-2.0
#include "autograd/trace/output_plan.h"

#include <algorithm>
#include <map>
#include <optional>

#include "autograd/functional/functional_variant.h"
#include "autograd/functional/untraceable.h"
#include "autograd/joint/recompute.h"
#include "graph/fake/world.h"

namespace culprit::autograd {
namespace {

using c10::IValue;
using graph::Argument;
using graph::ValueId;
using Kind = OutputSource::Kind;

bool LiesOn(const at::StorageImpl* storage, const IValue& value) {
  if (value.isList())
    return std::ranges::any_of(value.toListRef(), [&](const IValue& each) { return LiesOn(storage, each); });
  return value.isTensor() && graph::fake::World::IsFake(value.toTensor()) &&
         value.toTensor().storage().unsafeGetStorageImpl() == storage;
}

class Planner {
 public:
  Planner(const graph::Graph& graph, const std::vector<IValue>& fakes) : graph_(graph), fakes_(fakes) {}

  OutputPlan Run() {
    for (const Argument& output : graph_.outputs()) plan_.outputs.push_back(PlanOutput(output));
    MakeReplay();
    return std::move(plan_);
  }

 private:
  const IValue& FakeOf(ValueId id) const { return fakes_[Index(id)]; }
  const at::StorageImpl* StorageOf(ValueId id) const {
    return FakeOf(id).toTensor().storage().unsafeGetStorageImpl();
  }
  bool IsFakeTensor(ValueId id) const {
    return FakeOf(id).isTensor() && graph::fake::World::IsFake(FakeOf(id).toTensor());
  }
  bool AreOneTensor(ValueId a, ValueId b) const { return FakeOf(a).toTensor().is_same(FakeOf(b).toTensor()); }

  /// The argument on whose memory the value lies.
  std::optional<ValueId> ParentOf(ValueId id, const at::StorageImpl* storage) const {
    const graph::Value& value = graph_.value(id);
    if (value.origin != graph::Origin::kNode) return std::nullopt;
    std::optional<ValueId> parent;
    for (const Argument& argument : graph_.nodes()[value.origin_index].arguments)
      ForEachValue(argument, [&](ValueId each) {
        if (!parent && LiesOn(storage, FakeOf(each))) parent = each;
      });
    return parent;
  }

  /// As ParentOf; of a list that was computed each element stands for itself.
  std::optional<ValueId> BaseOf(ValueId id, const at::StorageImpl* storage) const {
    const std::optional<ValueId> parent = ParentOf(id, storage);
    const bool is_computed_list = parent && FakeOf(*parent).isList() && !ParentOf(*parent, storage);
    return is_computed_list ? std::nullopt : parent;
  }

  ValueId RootOf(ValueId id) const {
    const at::StorageImpl* storage = StorageOf(id);
    while (const std::optional<ValueId> parent = BaseOf(id, storage)) id = *parent;
    return id;
  }

  /// Where the same tensor stands, or behind the last one.
  size_t PlaceIn(const std::vector<ValueId>& tensors, ValueId id) const {
    const auto found = std::ranges::find_if(tensors, [&](ValueId each) { return AreOneTensor(each, id); });
    return static_cast<size_t>(found - tensors.begin());
  }

  size_t ForwardIndex(ValueId id) {
    const size_t index = PlaceIn(plan_.forward, id);
    if (index < plan_.forward.size()) return index;
    plan_.forward.push_back(id);
    plan_.is_hidden.push_back(true);
    return index;
  }

  OutputSource PlanOutput(const Argument& output) {
    if (!output.is_value()) return {.constant = output.constant()};
    const ValueId id = output.value();
    if (FakeOf(id).isList()) throw Untraceable("an output is a list");
    if (!FakeOf(id).isTensor()) return {.constant = FakeOf(id)};
    if (!IsFakeTensor(id)) return Forward(ForwardIndex(id));
    const ValueId root = RootOf(id);
    const bool is_input = graph_.value(root).origin == graph::Origin::kPlaceholder;
    const size_t index = is_input ? graph_.value(root).origin_index : ForwardIndex(root);
    if (!AreOneTensor(id, root)) return Replay(id);
    return is_input ? OutputSource{.kind = Kind::kInput, .index = index} : Forward(index);
  }

  OutputSource Forward(size_t index) {
    plan_.is_hidden[index] = false;
    return {.kind = Kind::kForward, .index = index};
  }

  OutputSource Replay(ValueId id) {
    const size_t index = PlaceIn(plan_.replayed, id);
    if (index == plan_.replayed.size()) plan_.replayed.push_back(id);
    return {.kind = Kind::kReplayed, .index = index};
  }

  void MakeReplay() {
    if (plan_.replayed.empty()) return;
    graph::Graph& replay = plan_.replay;
    std::map<ValueId, Argument> values;
    for (size_t i = 0; i < graph_.placeholders().size(); ++i) {
      const graph::Value& value = graph_.value(graph_.placeholders()[i].value);
      values.emplace(graph_.placeholders()[i].value,
                     replay.AddPlaceholder(value.name, graph::PlaceholderKind::kInput, value.kind));
    }
    for (const ValueId id : plan_.forward) values.emplace(id, replay.AddPlaceholder(graph_.value(id).name));
    std::vector<Argument> outputs;
    outputs.reserve(plan_.replayed.size());
    for (const ValueId id : plan_.replayed) outputs.push_back(MakeAgain(id, StorageOf(id), values));
    replay.SetOutputs(std::move(outputs));
  }

  Argument MakeAgain(ValueId id, const at::StorageImpl* storage, std::map<ValueId, Argument>& values) {
    const auto known = values.find(id);
    if (known != values.end()) return known->second;
    const graph::Value& value = graph_.value(id);
    const graph::Node& node = graph_.nodes()[value.origin_index];
    const std::optional<ValueId> parent = ParentOf(id, storage);
    if (!parent) throw Untraceable("an output shares memory with what is no output");
    Argument source = MakeAgain(*parent, storage, values);
    if (node.op->writes_any()) {
      // What was written has arrived in the memory.
      if (FunctionalVariantOf(*node.op).kind == FunctionalVariant::Kind::kView)
        throw Untraceable(node.op->qualified_name() + " changes how an output lies in memory");
      return values.emplace(id, source).first->second;
    }
    std::vector<Argument> arguments;
    for (const Argument& argument : node.arguments)
      arguments.push_back(MapValues(argument, [&](ValueId each) -> Argument {
        if (each == *parent) return source;
        return Given(each, values);
      }));
    std::vector<std::string> names;
    for (const ValueId result : node.results) names.push_back(graph_.value(result).name);
    const std::vector<ValueId> results =
        plan_.replay.AddNode(*node.op, std::move(arguments), names, node.model_line).results;
    for (size_t i = 0; i < results.size(); ++i) values.emplace(node.results[i], results[i]);
    return values.at(id);
  }

  /// What a view is told beside what it is a view of: inputs, and numbers that are made of their sizes.
  Argument Given(ValueId id, std::map<ValueId, Argument>& values) {
    const auto known = values.find(id);
    if (known != values.end()) return known->second;
    const graph::Value& value = graph_.value(id);
    if (value.origin != graph::Origin::kNode || !IsNumber(value.kind))
      throw Untraceable("a view depends on what was computed");
    const graph::Node& node = graph_.nodes()[value.origin_index];
    std::vector<Argument> arguments;
    for (const Argument& argument : node.arguments)
      arguments.push_back(MapValues(argument, [&](ValueId each) { return Given(each, values); }));
    const ValueId result = plan_.replay.AddNode(*node.op, std::move(arguments), {value.name}).results[0];
    return values.emplace(id, result).first->second;
  }

  const graph::Graph& graph_;
  const std::vector<IValue>& fakes_;
  OutputPlan plan_;
};

}  // namespace

OutputPlan PlanOutputs(const graph::Graph& graph, const std::vector<IValue>& fakes) {
  return Planner(graph, fakes).Run();
}

}  // namespace culprit::autograd
