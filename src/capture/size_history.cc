// SPDX-License-Identifier: Apache-2.0
#include "capture/size_history.h"

#include <algorithm>

namespace culprit::capture {
namespace {

using Kind = SymbolSource::Kind;

bool Varies(const std::vector<int64_t>& sequence) {
  return std::ranges::any_of(sequence, [&](int64_t size) { return size != sequence[0]; });
}

/// Which of a segment's values have memory of their own, so that nobody else notices their sizes.
std::vector<bool> IsAlone(const Segment& segment) {
  std::map<const void*, size_t> users;
  for (const Aliasing::Object& object : segment.aliasing.objects) {
    if (object.memory != nullptr) ++users[object.memory];
  }
  std::vector<bool> alone(segment.guards.size(), true);
  for (const Aliasing::Object& object : segment.aliasing.objects) {
    if (object.memory != nullptr) alone[Index(object.source)] = users[object.memory] == 1;
  }
  return alone;
}

SizeHistory::Seen SeenIn(const TensorLike& like) {
  return {{like.sizes.begin(), like.sizes.end()}, {like.strides.begin(), like.strides.end()}};
}

}  // namespace

void SizeHistory::Note(const std::string& name, const Seen& seen) {
  const auto [place, is_new] = entries_.try_emplace(name);
  Entry& entry = place->second;
  if (is_new) {
    entry.is_number = seen.is_number;
    entry.sizes.resize(seen.sizes.size());
    entry.strides.resize(seen.strides.size());
  }
  if (entry.is_number != seen.is_number || entry.sizes.size() != seen.sizes.size()) entry.is_useless = true;
  if (entry.is_useless) return;
  for (size_t i = 0; i < seen.sizes.size(); ++i) entry.sizes[i].push_back(seen.sizes[i]);
  for (size_t i = 0; i < seen.strides.size(); ++i) entry.strides[i].push_back(seen.strides[i]);
}

void SizeHistory::Note(const Segment& segment) {
  for (const Guard& guard : segment.guards) {
    if (const auto* like = std::get_if<TensorLike>(&guard.expected)) Note(guard.source.name, SeenIn(*like));
    const auto* constant = std::get_if<Constant>(&guard.expected);
    if (constant != nullptr && constant->value.isInt())
      Note(guard.source.name, {.sizes = {constant->value.toInt()}, .is_number = true});
  }
}

Varying SizeHistory::VaryingIn(const Segment& segment, const SizeMarks& marks) const {
  const std::vector<bool> is_alone = IsAlone(segment);
  std::map<Sequence, Varying> by_sequence;
  std::vector<Sequence> order;
  const auto add = [&](SourceId source, Kind kind, size_t dimension, const Sequence& sequence) {
    if (sequence.back() < 2) return;
    if (by_sequence[sequence].empty()) order.push_back(sequence);
    by_sequence[sequence].push_back({source, kind, dimension});
  };
  for (size_t i = 0; i < segment.guards.size(); ++i) {
    const Guard& guard = segment.guards[i];
    const auto found = entries_.find(guard.source.name);
    if (found == entries_.end() || found->second.is_useless || !is_alone[i]) continue;
    const Entry& entry = found->second;
    const bool is_tensor = std::holds_alternative<TensorLike>(guard.expected);
    bool any_size = false;
    for (size_t k = 0; k < entry.sizes.size(); ++k) {
      const std::pair mark(guard.source.name, k);
      const bool varies = marks.dynamic.contains(mark) || (!marks.only_marked && Varies(entry.sizes[k]));
      any_size = any_size || varies;
      if (varies && !marks.fixed.contains(mark))
        add(SourceId(i), is_tensor ? Kind::kSize : Kind::kNumber, k, entry.sizes[k]);
    }
    for (size_t k = 0; k < entry.strides.size() && !any_size && !marks.only_marked; ++k) {
      if (Varies(entry.strides[k])) add(SourceId(i), Kind::kStride, k, entry.strides[k]);
    }
  }
  Varying varying;
  for (size_t symbol = 0; symbol < order.size(); ++symbol) {
    for (SymbolSource place : by_sequence[order[symbol]]) {
      place.symbol = symbol;
      varying.push_back(place);
    }
  }
  return varying;
}

}  // namespace culprit::capture
