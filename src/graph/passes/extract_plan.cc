// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/extract_plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace culprit::graph {
namespace {

using base::Diagnostic;
using base::Done;
using base::Status;

bool IsGetItem(const Node& node) {
  return node.op->name() == "python::getitem" && node.arguments[0].is_value();
}

// The first writer from `moment` on.
auto WritersFrom(const std::vector<NodeId>& writers, Moment moment) {
  return std::lower_bound(writers.begin(), writers.end(), NodeId(moment));
}

bool HasMissingTensor(const Slot& slot, const Argument& argument) {
  if (argument.is_none()) return !slot.optional;
  if (!argument.is_list()) return false;
  return std::any_of(argument.list().begin(), argument.list().end(),
                     [&](const Argument& element) { return HasMissingTensor(*slot.element, element); });
}

}  // namespace

ExtractionPlan::ExtractionPlan(const Graph& graph, const std::vector<NodeId>& keep,
                               const Recording& recording)
    : graph_(graph),
      recording_(recording),
      keep_(graph.nodes().size(), false),
      fresh_names_(graph),
      taken_names_(graph.values().size(), false) {
  for (const NodeId id : keep) keep_[Index(id)] = true;
}

Status ExtractionPlan::Make() {
  for (uint32_t i = 0; i < keep_.size(); ++i) {
    if (keep_[i]) CULPRIT_TRY(PlanNode(NodeId(i)));
  }
  PlanOutputs();
  return Done{};
}

Status ExtractionPlan::PlanNode(NodeId id) {
  const Node& node = graph_.node(id);
  const Moment moment = Index(id);
  if (IsGetItem(node)) {
    // Of a list that is not in the new graph: the element will be fed when somebody reads it.
    const auto list = values_.find(node.arguments[0].value());
    if (list == values_.end() || !IsFresh(list->second, moment)) return Done{};
  }
  CULPRIT_TRY(CheckMemoryKept(id));
  operands_.clear();
  PlannedNode planned{node.op, {}, {}, {}, node.model_line};
  Status status = Done{};
  for (const Argument& argument : node.arguments) {
    planned.arguments.push_back(MapValues(argument, [&](ValueId operand) -> Argument {
      base::Result<Argument> read = Read(operand, moment);
      if (read.ok()) return *std::move(read);
      if (status.ok()) status = std::move(read).error();
      return {};
    }));
  }
  if (!status.ok()) return status;
  CULPRIT_TRY(CheckOperands(node, planned.arguments));
  for (const ValueId result : node.results) DefineResult(id, result, planned);
  nodes_.push_back(std::move(planned));
  return Done{};
}

base::Result<Argument> ExtractionPlan::Read(ValueId id, Moment moment) {
  if (const auto present = values_.find(id); present != values_.end() && IsFresh(present->second, moment)) {
    for (const size_t instance : present->second.instances) operands_[instances_[instance].memory] = instance;
    return Argument(present->second.planned);
  }
  const RecordedValue& recorded = recording_.value(id);
  if (!recorded.is_list) return ReadItem(id, 0, moment);
  Argument::List elements;
  for (size_t i = 0; i < recorded.items.size(); ++i) elements.push_back(CULPRIT_TRY(ReadItem(id, i, moment)));
  return Argument(std::move(elements));
}

base::Result<Argument> ExtractionPlan::ReadItem(ValueId id, size_t item, Moment moment) {
  const RecordedValue& recorded = recording_.value(id);
  const RecordedItem& content = recorded.items[item];
  if (!content.object) {
    if (content.plain.isNone() || content.plain.isTensor()) return Argument();
    if (recorded.is_list) return Argument(content.plain);
    const Value& value = graph_.value(id);
    const Argument placeholder = AddPlaceholder(id, TakeName(id), value.kind, content.plain);
    values_[id] = {placeholder.value(), {}};
    return placeholder;
  }
  auto present = objects_.find(*content.object);
  if (present == objects_.end() || !IsFresh(present->second, moment)) {
    CULPRIT_TRY(Feed(id, item, moment));
    present = objects_.find(*content.object);
  }
  if (const std::optional<uint32_t> element = present->second.element) {
    const std::string& name = graph_.value(id).name;
    std::string own_name = recorded.is_list ? fresh_names_.Derive(name) : TakeName(id);
    const ValueId list = present->second.planned;
    present->second.planned = AddGetItem(list, *element, ValueKind::kTensorList, std::move(own_name));
    present->second.element.reset();
  }
  if (!recorded.is_list) values_[id] = present->second;
  const size_t instance = present->second.instances[0];
  operands_[instances_[instance].memory] = instance;
  return Argument(present->second.planned);
}

base::Result<Argument> ExtractionPlan::Feed(ValueId id, size_t item, Moment moment) {
  const RecordedValue& recorded = recording_.value(id);
  const ObjectId object = *recorded.items[item].object;
  const MemoryId memory = recording_.StateOf(object, moment).memory;
  if (const std::optional<Argument> constant = KeepConstant(id, memory, moment)) return *constant;
  const size_t instance = CULPRIT_TRY(InstanceToFeed(id, memory, moment));
  const at::Tensor tensor = recording_.TensorAt(object, moment, instances_[instance].since);
  const std::string& name = graph_.value(id).name;
  if (!tensor.defined()) {
    return Diagnostic{{}, fmt::format("cannot cut here: the contents of '{}' were not recorded", name)};
  }
  std::string own_name = recorded.is_list ? fresh_names_.Derive(name) : TakeName(id);
  const Argument placeholder = AddPlaceholder(id, std::move(own_name), ValueKind::kTensor, tensor);
  objects_[object] = {placeholder.value(), {instance}};
  return placeholder;
}

base::Result<size_t> ExtractionPlan::InstanceToFeed(ValueId id, MemoryId memory, Moment moment) {
  const auto current = current_.find(memory);
  if (current != current_.end() && IsFresh(instances_[current->second], moment)) {
    const Instance& instance = instances_[current->second];
    if (instance.fed) return current->second;
    const std::vector<NodeId>& writers = recording_.WritersOf(memory);
    const auto next = WritersFrom(writers, moment);
    if (next != writers.end() && keep_[Index(*next)]) {
      return Diagnostic{{},
                        fmt::format("cannot cut here: '{}' shares memory with '{}', but is made outside the "
                                    "cut, and {} inside it writes into that memory",
                                    graph_.value(id).name, graph_.value(instance.origin).name,
                                    graph_.node(*next).op->qualified_name())};
    }
  }
  instances_.push_back({memory, moment, /*fed=*/true, id});
  current_[memory] = instances_.size() - 1;
  return instances_.size() - 1;
}

std::optional<Argument> ExtractionPlan::KeepConstant(ValueId id, MemoryId memory, Moment moment) {
  const Value& value = graph_.value(id);
  const bool unchanged = value.origin == Origin::kConstant && recording_.VersionAt(memory, moment) == 0;
  if (!unchanged || KeptNodeWrites(memory)) return std::nullopt;
  const ValueId planned = NextValue();
  constants_.emplace_back(planned, value.origin_index);
  taken_names_[Index(id)] = true;
  instances_.push_back({memory, 0, /*fed=*/false, id});
  current_.try_emplace(memory, instances_.size() - 1);
  objects_[*recording_.value(id).items[0].object] = {planned, {instances_.size() - 1}};
  return Argument(planned);
}

Argument ExtractionPlan::AddPlaceholder(ValueId source, std::string name, ValueKind kind,
                                        c10::IValue content) {
  const ValueId planned = NextValue();
  placeholders_.push_back({planned, source, std::move(name), kind, std::move(content)});
  return planned;
}

Status ExtractionPlan::CheckOperands(const Node& node, const std::vector<Argument>& arguments) const {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!HasMissingTensor(node.op->slots()[i], arguments[i])) continue;
    return Diagnostic{{},
                      fmt::format("cannot cut here: argument '{}' of {} is an undefined tensor made outside",
                                  node.op->schema().arguments()[i].name(), node.op->qualified_name())};
  }
  return Done{};
}

// set_() gives a tensor another memory; which instance that is cannot be followed.
Status ExtractionPlan::CheckMemoryKept(NodeId id) const {
  const Node& node = graph_.node(id);
  Status status = Done{};
  for (size_t a = 0; a < node.arguments.size(); ++a) {
    if (!WritesInto(node, a)) continue;
    ForEachValue(node.arguments[a], [&](ValueId operand) {
      for (const RecordedItem& item : recording_.value(operand).items) {
        if (!item.object) continue;
        const MemoryId before = recording_.StateOf(*item.object, Index(id)).memory;
        if (before == recording_.StateOf(*item.object, Index(id) + 1).memory) continue;
        status = Diagnostic{{},
                            fmt::format("cannot cut here: {} gives '{}' another memory",
                                        node.op->qualified_name(), graph_.value(operand).name)};
      }
    });
  }
  return status;
}

void ExtractionPlan::DefineResult(NodeId id, ValueId result, PlannedNode& planned) {
  const Moment moment = Index(id) + 1;
  const std::string& name = graph_.value(result).name;
  const RecordedValue& recorded = recording_.value(result);
  Presence presence{NextValue(), {}};
  c10::SmallVector<Moment, 1> fresh_until(recorded.items.size(), keep_.size());
  for (uint32_t i = 0; i < recorded.items.size(); ++i) {
    const RecordedItem& item = recorded.items[i];
    if (!item.object) continue;
    const size_t instance = InstanceOfResult(result, recording_.StateOf(*item.object, moment).memory, moment);
    presence.instances.push_back(instance);
    fresh_until[i] = FreshUntil(instances_[instance]);
    objects_[*item.object] = {presence.planned, {instance}};
    if (recorded.is_list) objects_[*item.object].element = i;
  }
  taken_names_[Index(result)] = true;
  planned.names.push_back(name);
  planned.results.push_back(presence.planned);
  results_.push_back({result, presence.planned, std::move(fresh_until)});
  values_[result] = std::move(presence);
}

ValueId ExtractionPlan::AddGetItem(ValueId list, size_t item, ValueKind list_kind, std::string name) {
  const bool ints = list_kind == ValueKind::kIntList;
  const Operator& op = Operator::Get(ints ? "python::getitem.int" : "python::getitem.Tensor");
  const ValueId planned = NextValue();
  const Argument index(c10::IValue(static_cast<int64_t>(item)));
  nodes_.push_back({&op, {list, index}, {planned}, {std::move(name)}});
  return planned;
}

size_t ExtractionPlan::InstanceOfResult(ValueId result, MemoryId memory, Moment moment) {
  if (const auto operand = operands_.find(memory); operand != operands_.end()) return operand->second;
  instances_.push_back({memory, moment, /*fed=*/false, result});
  operands_[memory] = current_[memory] = instances_.size() - 1;
  return instances_.size() - 1;
}

void ExtractionPlan::PlanOutputs() {
  std::unordered_set<ValueId> used_inside;
  for (const PlannedNode& node : nodes_) {
    for (const Argument& argument : node.arguments)
      ForEachValue(argument, [&](ValueId planned) { used_inside.insert(planned); });
  }
  std::unordered_set<ValueId> used_outside;
  const auto use = [&](ValueId id) { used_outside.insert(id); };
  for (uint32_t i = 0; i < keep_.size(); ++i) {
    if (keep_[i]) continue;
    for (const Argument& argument : graph_.nodes()[i].arguments) ForEachValue(argument, use);
  }
  for (const Argument& output : graph_.outputs()) ForEachValue(output, use);
  for (const Result& result : results_) {
    if (used_outside.contains(result.source) || !used_inside.contains(result.planned)) AddOutputs(result);
  }
}

void ExtractionPlan::AddOutputs(const Result& result) {
  const Value& value = graph_.value(result.source);
  const RecordedValue& recorded = recording_.value(result.source);
  for (uint32_t i = 0; i < recorded.items.size(); ++i) {
    const bool undefined = !recorded.items[i].object && recorded.items[i].plain.isTensor();
    if (undefined) continue;
    const ValueId planned = recorded.is_list
                                ? AddGetItem(result.planned, i, value.kind, fresh_names_.Derive(value.name))
                                : result.planned;
    outputs_.push_back({planned, {result.source, i, result.fresh_until[i]}});
  }
}

bool ExtractionPlan::IsFresh(const Presence& presence, Moment moment) const {
  return std::all_of(presence.instances.begin(), presence.instances.end(),
                     [&](size_t instance) { return IsFresh(instances_[instance], moment); });
}

Moment ExtractionPlan::FreshUntil(const Instance& instance) const {
  const std::vector<NodeId>& writers = OutsideWritersOf(instance.memory);
  const auto outside = WritersFrom(writers, instance.since);
  return outside == writers.end() ? keep_.size() : Index(*outside);
}

const std::vector<NodeId>& ExtractionPlan::OutsideWritersOf(MemoryId memory) const {
  const std::vector<NodeId>& writers = recording_.WritersOf(memory);
  if (writers.empty()) return writers;
  const auto [place, is_new] = outside_writers_.try_emplace(memory);
  if (is_new) {
    std::copy_if(writers.begin(), writers.end(), std::back_inserter(place->second),
                 [&](NodeId writer) { return !keep_[Index(writer)]; });
  }
  return place->second;
}

bool ExtractionPlan::KeptNodeWrites(MemoryId memory) const {
  return OutsideWritersOf(memory).size() < recording_.WritersOf(memory).size();
}

std::string ExtractionPlan::TakeName(ValueId id) {
  const std::string& name = graph_.value(id).name;
  if (taken_names_[Index(id)]) return fresh_names_.Derive(name);
  taken_names_[Index(id)] = true;
  return name;
}

}  // namespace culprit::graph
