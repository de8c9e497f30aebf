// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "compiler/loops/loop_program.h"
#include "compiler/lower/lower.h"

namespace culprit::compiler::lower {

/// A program that grows value by value, in the order of the graph. What a value of the graph will be is known
/// from the beginning (Pending); it gets its place when the first of these comes: a loop for it, or the end
/// of its node.
class ProgramBuilder {
 public:
  /// `fakes` has one value per value of the graph.
  ProgramBuilder(std::shared_ptr<const graph::Graph> graph, std::vector<c10::IValue> fakes,
                 const LowerOptions& options);

  const graph::Graph& graph() const { return *program_.graph; }
  const LowerOptions& options() const { return options_; }
  const std::vector<loops::Value>& values() const { return program_.values; }
  const loops::Value& operator[](loops::ValueIndex index) const { return program_[index]; }
  const loops::Value& Pending(graph::ValueId id) const { return pending_[Index(id)]; }
  const c10::IValue& Fake(graph::ValueId id) const { return fakes_[Index(id)]; }
  /// Nothing if it has no place yet.
  std::optional<loops::ValueIndex> PlaceOf(graph::ValueId id) const { return places_[Index(id)]; }

  loops::ValueIndex Place(graph::ValueId id, std::shared_ptr<const loops::Loop> loop = nullptr);
  /// Equal ones are one.
  loops::ValueIndex PlaceHelper(loops::Value helper);
  void PlaceResults(graph::NodeId node);
  /// Takes back what has been placed behind so many values.
  void TakeBack(graph::NodeId node, size_t values);

  loops::LoopProgram Take() &&;

 private:
  void FindWrittenStorages();
  loops::Value Describe(graph::ValueId id) const;
  bool IsView(graph::ValueId id) const;
  void Remember(loops::ValueIndex index);

  loops::LoopProgram program_;
  std::vector<c10::IValue> fakes_;
  const LowerOptions& options_;
  // Loops read values as if they never changed, so nothing that lies there is for them.
  std::unordered_set<const c10::StorageImpl*> written_;
  std::vector<loops::Value> pending_;
  std::vector<std::optional<loops::ValueIndex>> places_;
  // By a hash of how it is computed.
  std::unordered_multimap<size_t, loops::ValueIndex> computed_;
};

}  // namespace culprit::compiler::lower
