// SPDX-License-Identifier: Apache-2.0
//
// The making of a Recording (graph/run/recording.h).
#include <ATen/core/grad_mode.h>
#include <malloc.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/internal_error.h"
#include "graph/run/interpreter.h"
#include "graph/run/recording.h"

namespace culprit::graph {
namespace {

void ForEachTensor(const c10::IValue& value, const auto& visit) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) visit(value.toTensor());
  } else if (value.isList()) {
    for (const c10::IValue& element : value.toListRef()) ForEachTensor(element, visit);
  }
}

}  // namespace

class Recorder : public Observer {
 public:
  Recorder(const Graph& graph, const std::optional<std::vector<ValueId>>& contents_of,
           const std::optional<RecordingLimits>& limits)
      : graph_(graph), keep_(graph.values().size(), !contents_of), limits_(limits) {
    if (limits_) spill_from_ = limits_->memory_bytes;
    recording_.values_.resize(graph.values().size());
    if (!contents_of) return;
    for (const ValueId id : *contents_of) keep_[Index(id)] = true;
  }

  void AddInputs(const std::vector<c10::IValue>& inputs) {
    for (size_t i = 0; i < inputs.size(); ++i) Define(graph_.placeholders()[i].value, inputs[i]);
    for (const c10::IValue& input : inputs) ForEachTensor(input, [&](const at::Tensor& t) { AddForeign(t); });
  }

  void Before(NodeId id, const torch::jit::Stack& arguments) override {
    const Node& node = graph_.node(id);
    DefineConstants(node, arguments);
    written_.clear();
    for (size_t a = 0; a < arguments.size(); ++a) {
      if (!WritesInto(node, a)) continue;
      ForEachTensor(arguments[a], [&](const at::Tensor& t) { written_.push_back({t, MemoryOf(t)}); });
    }
    for (const Written& written : written_) CopyContents(written.memory);
  }

  void After(NodeId id, const torch::jit::Stack& results) override {
    moment_ = Index(id) + 1;
    for (const Written& written : written_) AddWriter(written.memory, id);
    for (const Written& written : written_) ObjectOf(written.tensor);
    const Node& node = graph_.node(id);
    for (size_t r = 0; r < results.size(); ++r) Define(node.results[r], results[r]);
    for (const Written& written : written_) KeepContents(written.tensor);
    written_.clear();
    if (limits_ && in_memory_ > spill_from_) Spill();
  }

  Recording Finish(const std::vector<c10::IValue>& outputs) && {
    for (const c10::IValue& output : outputs)
      ForEachTensor(output, [&](const at::Tensor& t) { AddForeign(t); });
    for (const MemoryId memory : foreign_) {
      CopyContents(memory);
      if (limits_ && in_memory_ > spill_from_) Spill();
    }
    if (limits_ && in_memory_ > limits_->memory_bytes) Spill();
    return std::move(recording_);
  }

 private:
  // The memory is the one before the call: set_() gives the tensor another one.
  struct Written {
    at::Tensor tensor;
    MemoryId memory;
  };

  // A tensor constant that nodes write into is copied by the interpreter, so its object is known only when a
  // node gets it.
  void DefineConstants(const Node& node, const torch::jit::Stack& arguments) {
    for (size_t a = 0; a < arguments.size(); ++a) {
      const Argument& argument = node.arguments[a];
      if (argument.is_value()) DefineConstant(argument.value(), arguments[a]);
      if (!argument.is_list() || !arguments[a].isList()) continue;
      const auto elements = arguments[a].toListRef();
      for (size_t i = 0; i < elements.size(); ++i) {
        if (argument.list()[i].is_value()) DefineConstant(argument.list()[i].value(), elements[i]);
      }
    }
  }
  void DefineConstant(ValueId id, const c10::IValue& content) {
    if (graph_.value(id).origin != Origin::kConstant || !recording_.value(id).items.empty()) return;
    const Moment now = std::exchange(moment_, 0);
    Define(id, content);
    moment_ = now;
    AddForeign(content.toTensor());
  }

  void Define(ValueId id, const c10::IValue& content) {
    RecordedValue& recorded = recording_.values_[Index(id)];
    recorded.since = moment_;
    recorded.is_list = content.isList();
    if (!recorded.is_list) {
      recorded.items.push_back(ItemOf(content, keep_[Index(id)]));
      return;
    }
    for (const c10::IValue& element : content.toListRef())
      recorded.items.push_back(ItemOf(element, keep_[Index(id)]));
  }

  RecordedItem ItemOf(const c10::IValue& content, bool keep) {
    if (content.isGenerator()) return {std::nullopt, content.toGenerator().clone()};
    if (!content.isTensor() || !content.toTensor().defined()) return {std::nullopt, content};
    const at::Tensor& tensor = content.toTensor();
    const ObjectId object = ObjectOf(tensor);
    if (keep) {
      kept_.insert(MemoryOf(tensor));
      KeepContents(tensor);
    }
    return {object, {}};
  }

  // Also notes a new state if the object's metadata has changed.
  ObjectId ObjectOf(const at::Tensor& tensor) {
    auto [place, is_new] = objects_.try_emplace(tensor.unsafeGetTensorImpl(), ObjectId(objects_.size()));
    if (is_new) {
      // The weak pointer keeps the address from being used for another object.
      object_addresses_.emplace_back(tensor.getIntrusivePtr());
      recording_.objects_.emplace_back();
    }
    ObjectState state{moment_, MemoryOf(tensor), {}};
    if (IsPlain(tensor)) state.geometry = Geometry::Of(tensor);
    std::vector<ObjectState>& states = recording_.objects_[Index(place->second)];
    const bool same =
        !states.empty() && states.back().memory == state.memory && states.back().geometry == state.geometry;
    if (!same) states.push_back(std::move(state));
    return place->second;
  }

  MemoryId MemoryOf(const at::Tensor& tensor) {
    const bool plain = IsPlain(tensor);
    const void* address = plain ? static_cast<const void*>(tensor.storage().unsafeGetStorageImpl())
                                : static_cast<const void*>(tensor.unsafeGetTensorImpl());
    auto [place, is_new] = memories_.try_emplace(address, MemoryId(memories_.size()));
    if (is_new) {
      if (plain) {
        memory_addresses_.push_back(tensor.storage().getWeakStorageImpl());
      } else {
        object_addresses_.emplace_back(tensor.getIntrusivePtr());
      }
      recording_.memories_.push_back({plain, {}, {}, {}});
    }
    return place->second;
  }

  void AddForeign(const at::Tensor& tensor) { foreign_.insert(MemoryOf(tensor)); }

  void AddWriter(MemoryId memory, NodeId writer) {
    std::vector<NodeId>& writers = recording_.memories_[Index(memory)].writers;
    if (writers.empty() || writers.back() != writer) writers.push_back(writer);
  }

  // Holds on to the current version, without copying it yet.
  void KeepContents(const at::Tensor& tensor) {
    const MemoryId id = MemoryOf(tensor);
    if (!kept_.contains(id)) return;
    Recording::MemoryRecord& memory = recording_.memories_[Index(id)];
    const size_t version = memory.writers.size();
    if (memory.plain) {
      memory.storages.resize(version + 1);
      if (memory.storages[version]) return;
      memory.storages[version] = tensor.storage();
      in_memory_ += tensor.storage().nbytes();
      if (limits_ && tensor.device().is_cpu()) in_order_.push_back({id, version});
    } else {
      memory.tensors.resize(version + 1);
      if (!memory.tensors[version].defined()) memory.tensors[version] = tensor.detach().clone();
    }
  }

  // Makes the current version independent of the run's memory.
  void CopyContents(MemoryId id) {
    Recording::MemoryRecord& memory = recording_.memories_[Index(id)];
    const size_t version = memory.writers.size();
    if (version >= memory.storages.size() || !memory.storages[version]) return;
    if (!memories_.contains(memory.storages[version].unsafeGetStorageImpl())) return;
    memory.storages[version] = CopyStorage(memory.storages[version]);
  }

  struct Kept {
    MemoryId memory;
    size_t version;
  };

  // Moving what the run still uses would free nothing. If most is in use, the next attempt waits for more.
  void Spill() {
    if (!recording_.spilled_) recording_.spilled_ = OrThrow(SpillFile::Make(limits_->folder));
    std::vector<Kept> stays;
    for (const Kept& kept : in_order_) {
      c10::Storage& storage = recording_.memories_[Index(kept.memory)].storages[kept.version];
      if (in_memory_ <= limits_->memory_bytes / 2 || storage.use_count() > 1) {
        stays.push_back(kept);
        continue;
      }
      in_memory_ -= storage.nbytes();
      storage = OrThrow(recording_.spilled_->Copy(storage));
    }
    in_order_ = std::move(stays);
    // glibc cannot use a hole between small blocks for an aligned block of the same size, and keeps its
    // pages.
    malloc_trim(0);
    spill_from_ = std::max(limits_->memory_bytes, in_memory_ + limits_->memory_bytes / 4);
  }

  template <typename T>
  static T OrThrow(base::Result<T> result) {
    if (!result.ok()) throw RecordingError(result.error().message);
    return *std::move(result);
  }

  const Graph& graph_;
  std::vector<bool> keep_;
  const std::optional<RecordingLimits>& limits_;
  Recording recording_;
  Moment moment_ = 0;
  // Kept contents that were not moved to the file, as they came, and their bytes.
  std::vector<Kept> in_order_;
  uint64_t in_memory_ = 0;
  uint64_t spill_from_ = 0;
  // By the current node.
  std::vector<Written> written_;
  std::unordered_map<const void*, ObjectId> objects_;
  std::unordered_map<const void*, MemoryId> memories_;
  std::unordered_set<MemoryId> kept_;
  // Memory that somebody else can reach when the run is over.
  std::unordered_set<MemoryId> foreign_;
  std::vector<c10::weak_intrusive_ptr<c10::TensorImpl>> object_addresses_;
  std::vector<c10::weak_intrusive_ptr<c10::StorageImpl>> memory_addresses_;
};

Recording Record(const Graph& graph, std::vector<c10::IValue> inputs,
                 const std::optional<std::vector<ValueId>>& contents_of,
                 const std::optional<RecordingLimits>& limits) {
  const at::NoGradGuard no_grad;
  const Interpreter interpreter(graph);
  Recorder recorder(graph, contents_of, limits);
  recorder.AddInputs(inputs);
  const std::vector<c10::IValue> outputs = interpreter.Run(std::move(inputs), &recorder);
  return std::move(recorder).Finish(outputs);
}

}  // namespace culprit::graph
