// SPDX-License-Identifier: Apache-2.0
#include "graph/run/recording.h"

#include <algorithm>

#include "base/internal_error.h"

namespace culprit::graph {

const ObjectState& Recording::StateOf(ObjectId object, Moment moment) const {
  const std::vector<ObjectState>& states = objects_[Index(object)];
  const auto behind = std::upper_bound(states.begin(), states.end(), moment,
                                       [](Moment m, const ObjectState& state) { return m < state.since; });
  CULPRIT_CHECK(behind != states.begin(), "object {} did not exist at moment {}", Index(object), moment);
  return *(behind - 1);
}

size_t Recording::VersionAt(MemoryId memory, Moment moment) const {
  const std::vector<NodeId>& writers = WritersOf(memory);
  return std::lower_bound(writers.begin(), writers.end(), NodeId(moment)) - writers.begin();
}

at::Tensor Recording::TensorAt(ObjectId object, Moment geometry_at, Moment contents_at) const {
  const ObjectState& state = StateOf(object, geometry_at);
  const MemoryRecord& memory = memories_[Index(state.memory)];
  const size_t version = VersionAt(state.memory, contents_at);
  if (!memory.plain) return version < memory.tensors.size() ? memory.tensors[version] : at::Tensor();
  if (version >= memory.storages.size() || !memory.storages[version]) return {};
  const c10::Storage& storage = memory.storages[version];
  if (ReachedBytes(state.geometry) > storage.nbytes()) return {};
  return TensorOn(storage, state.geometry);
}

std::optional<c10::IValue> Recording::ValueAt(ValueId id, Moment moment) const {
  const RecordedValue& recorded = value(id);
  std::vector<c10::IValue> items;
  for (const RecordedItem& item : recorded.items) {
    if (!item.object) {
      items.push_back(item.plain);
      continue;
    }
    at::Tensor tensor = TensorAt(*item.object, moment);
    if (!tensor.defined()) return std::nullopt;
    items.emplace_back(std::move(tensor));
  }
  if (!recorded.is_list) return items.at(0);
  const bool ints = !items.empty() && items[0].isInt();
  c10::impl::GenericList list(ints ? c10::TypePtr(c10::IntType::get())
                                   : c10::TypePtr(c10::TensorType::get()));
  for (c10::IValue& item : items) list.push_back(std::move(item));
  return list;
}

}  // namespace culprit::graph
