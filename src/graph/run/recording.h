// SPDX-License-Identifier: Apache-2.0
//
// What one run of a graph has left behind: for every value where it lay in memory at every moment, and the
// contents of chosen memory in every version. Enough to rebuild any value as it was at any moment, with its
// strides and with the memory it shared, although later nodes wrote over it.
//
//   Moment   how many nodes had run: 0 is the start, n is just before node n
//   Object   one tensor object; the result of an in-place operator is the same object as its operand, and
//            metadata (sizes, strides) belongs to the object: t_() changes it for all values that are it
//   Memory   one storage, or a tensor without plain storage (sparse ...), which counts as memory of its own
//   version  of a memory at a moment: how many nodes had written into it. Operators that change the metadata
//            of an object count as writers of its memory, as their schemas say
//
// Contents are not copied until a node is about to write into them, or somebody outside could. What exceeds
// the limit of memory is moved to a file (graph/run/spill_file.h) when the run has no more use for it, oldest
// first.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "graph/ir/graph.h"
#include "graph/run/spill_file.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::graph {

using Moment = uint32_t;
enum class ObjectId : uint32_t {};
enum class MemoryId : uint32_t {};

constexpr uint32_t Index(ObjectId id) {
  return static_cast<uint32_t>(id);
}
constexpr uint32_t Index(MemoryId id) {
  return static_cast<uint32_t>(id);
}

/// A tensor, or something else that needs no memory: a number, None, an undefined tensor.
struct RecordedItem {
  std::optional<ObjectId> object;
  c10::IValue plain;
};

struct RecordedValue {
  /// When it came into being.
  Moment since = 0;
  bool is_list = false;
  /// The elements of a list; otherwise one item.
  std::vector<RecordedItem> items;
};

/// How an object lay in memory from a moment on.
struct ObjectState {
  Moment since = 0;
  MemoryId memory{};
  Geometry geometry;
};

struct RecordingLimits {
  /// Of contents that are kept; not of what the run itself needs.
  uint64_t memory_bytes = 0;
  /// Where the file for the others may be.
  std::string folder;
};

/// Contents could not be kept: the disk is full.
class RecordingError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Recording {
 public:
  const RecordedValue& value(ValueId id) const { return values_[Index(id)]; }

  const ObjectState& StateOf(ObjectId object, Moment moment) const;
  /// Whether it is a storage, which the objects on it lie on as their geometries say.
  bool IsStorage(MemoryId memory) const { return memories_[Index(memory)].plain; }

  /// The nodes that wrote into the memory, in order.
  const std::vector<NodeId>& WritersOf(MemoryId memory) const { return memories_[Index(memory)].writers; }
  size_t VersionAt(MemoryId memory, Moment moment) const;

  /// The tensor with the geometry of `geometry_at` and the contents of `contents_at`; undefined if these
  /// contents were not kept or are too small for it. Tensors of the same memory and version share memory:
  /// they are for looking at and copying (graph/tensors/tensor_copy.h), not for writing.
  at::Tensor TensorAt(ObjectId object, Moment geometry_at, Moment contents_at) const;
  at::Tensor TensorAt(ObjectId object, Moment moment) const { return TensorAt(object, moment, moment); }

  /// The value at a moment; nothing if its contents were not kept.
  std::optional<c10::IValue> ValueAt(ValueId id, Moment moment) const;

  /// Whether contents are in a file, since they are more than the limit of memory.
  bool is_spilled() const { return spilled_ != nullptr; }
  /// Frees the memory of contents that were read from the file.
  void Unload() const {
    if (spilled_) spilled_->Unload();
  }

 private:
  friend class Recorder;

  struct MemoryRecord {
    bool plain = true;
    std::vector<NodeId> writers;
    /// By version, empty where not kept. Tensors without plain storage use the second.
    std::vector<c10::Storage> storages;
    std::vector<at::Tensor> tensors;
  };

  std::vector<RecordedValue> values_;
  std::vector<std::vector<ObjectState>> objects_;
  std::vector<MemoryRecord> memories_;
  std::shared_ptr<SpillFile> spilled_;
};

/// Runs the graph and records it, without gradients; as in every run, writes to placeholders reach the
/// caller's tensors. Contents are kept for the memory of all values, or just of `contents_of`. What an
/// operator throws passes through; with limits, RecordingError may be thrown too.
Recording Record(const Graph& graph, std::vector<c10::IValue> inputs,
                 const std::optional<std::vector<ValueId>>& contents_of = std::nullopt,
                 const std::optional<RecordingLimits>& limits = std::nullopt);

}  // namespace culprit::graph
