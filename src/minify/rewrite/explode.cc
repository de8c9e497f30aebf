// SPDX-License-Identifier: Apache-2.0
#include "minify/rewrite/explode.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_set>

#include "graph/ir/fresh_names.h"
#include "graph/passes/hoist_random.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::minify {
namespace {

using graph::Argument;
using graph::MemoryId;
using graph::Moment;
using graph::NodeId;
using graph::ObjectId;
using graph::Origin;
using graph::PlaceholderKind;
using graph::RecordedItem;
using graph::RecordedValue;
using graph::ValueId;
using graph::ValueKind;

class Exploder {
 public:
  explicit Exploder(const Subject& subject)
      : source_(subject.graph()), recording_(subject.recording()), names_(source_) {
    exploded_.program.graph.set_name(source_.name());
  }

  Exploded Run() {
    for (uint32_t i = 0; i < source_.nodes().size(); ++i) {
      if (CanStandAlone(NodeId(i))) AddIsland(NodeId(i));
    }
    graph().SetOutputs(std::move(outputs_));
    return std::move(exploded_);
  }

 private:
  /// The geometry is that of a moment, the contents are those of a version.
  using Content = std::tuple<ObjectId, Moment, size_t>;

  graph::Graph& graph() { return exploded_.program.graph; }

  bool CanStandAlone(NodeId id) const {
    const graph::Node& node = source_.node(id);
    if (node.op->is_builtin() || graph::DrawsRandomNumbers(node)) return false;
    const bool has_tensor = std::ranges::any_of(node.results, [&](ValueId result) {
      const ValueKind kind = source_.value(result).kind;
      return kind == ValueKind::kTensor || kind == ValueKind::kTensorList;
    });
    bool can = has_tensor;
    for (const Argument& argument : node.arguments)
      ForEachValue(argument, [&](ValueId operand) { can = can && CanBeFed(operand, id); });
    return can;
  }

  bool CanBeFed(ValueId operand, NodeId reader) const {
    const Moment moment = Index(reader);
    return std::ranges::all_of(recording_.value(operand).items, [&](const RecordedItem& item) {
      if (!item.object) return !item.plain.isTensor() && !item.plain.isGenerator();
      const bool keeps_memory = recording_.StateOf(*item.object, moment).memory ==
                                recording_.StateOf(*item.object, moment + 1).memory;
      return keeps_memory && recording_.TensorAt(*item.object, moment).defined();
    });
  }

  void AddIsland(NodeId id) {
    const graph::Node& node = source_.node(id);
    written_ = WrittenBy(id);
    own_.clear();
    own_copies_ = {};
    std::vector<Argument> arguments;
    for (const Argument& argument : node.arguments)
      arguments.push_back(MapValues(argument, [&](ValueId operand) { return Read(operand, Index(id)); }));
    std::vector<std::string> names;
    for (const ValueId result : node.results) names.push_back(source_.value(result).name);
    const std::vector<ValueId> results =
        graph().AddNode(*node.op, std::move(arguments), std::move(names), node.model_line).results;
    for (size_t r = 0; r < results.size(); ++r) AddOutputs(id, node.results[r], results[r]);
  }

  std::unordered_set<MemoryId> WrittenBy(NodeId id) const {
    std::unordered_set<MemoryId> written;
    const graph::Node& node = source_.node(id);
    for (size_t a = 0; a < node.arguments.size(); ++a) {
      if (!WritesInto(node, a)) continue;
      ForEachValue(node.arguments[a], [&](ValueId operand) {
        for (const RecordedItem& item : recording_.value(operand).items) {
          if (item.object) written.insert(recording_.StateOf(*item.object, Index(id)).memory);
        }
      });
    }
    return written;
  }

  Argument Read(ValueId operand, Moment moment) {
    const RecordedValue& recorded = recording_.value(operand);
    if (!recorded.is_list) return ReadItem(operand, recorded.items[0], moment);
    Argument::List elements;
    for (const RecordedItem& item : recorded.items) elements.push_back(ReadItem(operand, item, moment));
    return Argument(std::move(elements));
  }

  Argument ReadItem(ValueId operand, const RecordedItem& item, Moment moment) {
    if (!item.object) return ReadPlain(operand, item);
    const graph::ObjectState& state = recording_.StateOf(*item.object, moment);
    if (written_.contains(state.memory)) return ReadOwn(operand, *item.object, moment);
    const size_t version = recording_.VersionAt(state.memory, moment);
    auto [place, is_new] = shared_.try_emplace(Content(*item.object, state.since, version));
    if (is_new) place->second = Share(operand, *item.object, moment, version);
    return place->second;
  }

  Argument ReadPlain(ValueId operand, const RecordedItem& item) {
    if (item.plain.isNone() || recording_.value(operand).is_list) return Argument(item.plain);
    auto [place, is_new] = numbers_.try_emplace(operand);
    if (is_new) place->second = Feed(operand, source_.value(operand).kind, item.plain);
    return place->second;
  }

  Argument ReadOwn(ValueId operand, ObjectId object, Moment moment) {
    auto [place, is_new] = own_.try_emplace(object);
    if (is_new)
      place->second =
          Feed(operand, ValueKind::kTensor, own_copies_.Copy(recording_.TensorAt(object, moment)));
    return place->second;
  }

  Argument Share(ValueId operand, ObjectId object, Moment moment, size_t version) {
    const graph::Value& value = source_.value(operand);
    if (value.origin != Origin::kConstant || version != 0)
      return Feed(operand, ValueKind::kTensor, recording_.TensorAt(object, moment));
    const graph::TensorConstant& constant = source_.constants()[value.origin_index];
    return graph().AddConstant(NameFor(operand), constant.tensor, constant.device);
  }

  Argument Feed(ValueId operand, ValueKind kind, c10::IValue content) {
    exploded_.program.inputs.push_back(std::move(content));
    return graph().AddPlaceholder(NameFor(operand), KindOf(source_.value(operand)), kind);
  }

  PlaceholderKind KindOf(const graph::Value& value) const {
    if (value.origin == Origin::kPlaceholder) return source_.placeholders()[value.origin_index].kind;
    return value.origin == Origin::kConstant ? PlaceholderKind::kBuffer : PlaceholderKind::kInput;
  }

  /// The names of results stay with the operators that make them.
  std::string NameFor(ValueId operand) {
    const graph::Value& value = source_.value(operand);
    const bool is_free = value.origin != Origin::kNode && named_.insert(operand).second;
    return is_free ? value.name : names_.Derive(value.name);
  }

  void AddOutputs(NodeId maker, ValueId source, ValueId result) {
    const RecordedValue& recorded = recording_.value(source);
    for (size_t i = 0; i < recorded.items.size(); ++i) {
      if (!recorded.items[i].object) continue;
      outputs_.push_back(recorded.is_list ? ElementOf(source, result, i) : result);
      exploded_.makers.push_back(maker);
    }
  }

  Argument ElementOf(ValueId source, ValueId list, size_t element) {
    const graph::Operator& getitem = graph::Operator::Get("python::getitem.Tensor");
    const Argument index(c10::IValue(static_cast<int64_t>(element)));
    return graph().AddNode(getitem, {list, index}, {names_.Derive(source_.value(source).name)}).results[0];
  }

  const graph::Graph& source_;
  const graph::Recording& recording_;
  graph::FreshNames names_;
  Exploded exploded_;
  std::vector<Argument> outputs_;
  std::map<Content, Argument> shared_;
  std::map<ValueId, Argument> numbers_;
  // Placeholders and constants whose name is taken.
  std::unordered_set<ValueId> named_;
  // Of the current operator: the memory that it writes into, and its copies of it.
  std::unordered_set<MemoryId> written_;
  std::map<ObjectId, Argument> own_;
  graph::TensorCopies own_copies_;
};

}  // namespace

Exploded Explode(const Subject& subject) {
  return Exploder(subject).Run();
}

}  // namespace culprit::minify
