// SPDX-License-Identifier: Apache-2.0
//
// The first half of Extract (graph/passes/extract.h): decides, node by node, what each operand will be in the
// new graph. The new graph cannot be built on the way, since the order of its placeholders is known only at
// the end; arguments of a plan therefore speak of planned values, numbered in order of appearance.
#pragma once

#include <c10/util/SmallVector.h>

#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "graph/ir/fresh_names.h"
#include "graph/passes/extract.h"

namespace culprit::graph {

struct PlannedPlaceholder {
  ValueId planned;
  /// The original value, whose name and kind it takes over.
  ValueId source;
  std::string name;
  ValueKind kind = ValueKind::kTensor;
  c10::IValue content;
};

struct PlannedNode {
  const Operator* op = nullptr;
  std::vector<Argument> arguments;
  /// Planned values, one per result, and their names.
  std::vector<ValueId> results;
  std::vector<std::string> names;
  ModelLine model_line = nullptr;
};

struct PlannedOutput {
  ValueId planned;
  ExtractedOutput output;
};

class ExtractionPlan {
 public:
  ExtractionPlan(const Graph& graph, const std::vector<NodeId>& keep, const Recording& recording);

  base::Status Make();

  const std::vector<PlannedPlaceholder>& placeholders() const { return placeholders_; }
  /// Planned values of the tensor constants that stay constants, and the constants' indices.
  const std::vector<std::pair<ValueId, uint32_t>>& constants() const { return constants_; }
  const std::vector<PlannedNode>& nodes() const { return nodes_; }
  const std::vector<PlannedOutput>& outputs() const { return outputs_; }
  size_t value_count() const { return value_count_; }

 private:
  /// The memory of a run inside the new graph: made by a node of K (or a constant), or fed.
  struct Instance {
    MemoryId memory{};
    /// Nobody outside K may have written since, or the instance is stale.
    Moment since = 0;
    bool fed = false;
    /// The value that brought it into the graph.
    ValueId origin{};
  };
  /// An original value or object in the new graph.
  struct Presence {
    ValueId planned{};
    /// Of its tensors.
    c10::SmallVector<size_t, 1> instances;
    /// The object is only present as this element of a list.
    std::optional<uint32_t> element = std::nullopt;
  };
  /// A result of a node of K.
  struct Result {
    ValueId source{};
    ValueId planned{};
    /// The moments until which its items stay as the new graph has them.
    c10::SmallVector<Moment, 1> fresh_until;
  };

  base::Status PlanNode(NodeId id);
  base::Result<Argument> Read(ValueId id, Moment moment);
  base::Result<Argument> ReadItem(ValueId id, size_t item, Moment moment);
  base::Result<Argument> Feed(ValueId id, size_t item, Moment moment);
  base::Result<size_t> InstanceToFeed(ValueId id, MemoryId memory, Moment moment);
  std::optional<Argument> KeepConstant(ValueId id, MemoryId memory, Moment moment);
  Argument AddPlaceholder(ValueId source, std::string name, ValueKind kind, c10::IValue content);
  base::Status CheckOperands(const Node& node, const std::vector<Argument>& arguments) const;
  base::Status CheckMemoryKept(NodeId id) const;
  ValueId AddGetItem(ValueId list, size_t item, ValueKind list_kind, std::string name);
  void DefineResult(NodeId id, ValueId result, PlannedNode& planned);
  size_t InstanceOfResult(ValueId result, MemoryId memory, Moment moment);
  void PlanOutputs();
  void AddOutputs(const Result& result);

  bool IsFresh(const Presence& presence, Moment moment) const;
  bool IsFresh(const Instance& instance, Moment moment) const { return FreshUntil(instance) >= moment; }
  Moment FreshUntil(const Instance& instance) const;
  /// In order; none for the many memories that nobody writes into.
  const std::vector<NodeId>& OutsideWritersOf(MemoryId memory) const;
  bool KeptNodeWrites(MemoryId memory) const;

  /// The value's name, or one derived from it if the new graph has the value already.
  std::string TakeName(ValueId id);
  ValueId NextValue() { return ValueId(value_count_++); }

  const Graph& graph_;
  const Recording& recording_;
  std::vector<bool> keep_;
  std::vector<PlannedPlaceholder> placeholders_;
  std::vector<std::pair<ValueId, uint32_t>> constants_;
  std::vector<PlannedNode> nodes_;
  std::vector<PlannedOutput> outputs_;
  size_t value_count_ = 0;

  std::vector<Result> results_;
  std::vector<Instance> instances_;
  /// The instance that further placeholders on a memory go to.
  std::unordered_map<MemoryId, size_t> current_;
  std::unordered_map<ValueId, Presence> values_;
  std::unordered_map<ObjectId, Presence> objects_;
  mutable std::unordered_map<MemoryId, std::vector<NodeId>> outside_writers_;
  /// For values that the original graph does not have; and which of its own values have their names.
  FreshNames fresh_names_;
  std::vector<bool> taken_names_;
  /// Where the tensors lie that the current node reads.
  std::unordered_map<MemoryId, size_t> operands_;
};

}  // namespace culprit::graph
