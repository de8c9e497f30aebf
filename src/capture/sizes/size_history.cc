// SPDX-License-Identifier: Apache-2.0
#include "capture/sizes/size_history.h"

#include <fmt/format.h>

#include <algorithm>

#include "capture/segment/view_of.h"

namespace culprit::capture {
namespace {

using Kind = SymbolSource::Kind;

/// Each takes more walks. Further sizes stay numbers.
constexpr size_t kMostSymbols = 16;

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

/// Nothing for what has no sizes.
std::optional<SizeHistory::Seen> SeenIn(const Guard& guard) {
  if (const auto* like = std::get_if<TensorLike>(&guard.expected))
    return SizeHistory::Seen{{like->sizes.begin(), like->sizes.end()},
                             {like->strides.begin(), like->strides.end()}};
  // Of a list there may be thousands.
  const bool is_element =
      guard.source.kind == SourceKind::kElement || guard.source.kind == SourceKind::kValue;
  const auto* constant = std::get_if<Constant>(&guard.expected);
  if (is_element || constant == nullptr || !constant->value.isInt()) return std::nullopt;
  return SizeHistory::Seen{.sizes = {constant->value.toInt()}, .is_number = true};
}

/// Temporary values have all the same name.
std::string KeyOf(const GuardSource& source) {
  const bool is_part = source.kind >= SourceKind::kAttribute;
  return is_part ? source.name
                 : fmt::format("{} {} {} {}", source.name, static_cast<int>(source.kind), source.base,
                               source.index);
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
    if (const std::optional<Seen> seen = SeenIn(guard)) Note(KeyOf(guard.source), *seen);
  }
}

void SizeHistory::Note(const Segment& segment, const std::vector<PlaceView>& views) {
  const std::vector<SourceId> sources = SourcesInView(segment);
  for (const PlaceView& view : views) {
    for (size_t i = 0; i < sources.size(); ++i) {
      const Guard& guard = segment.guards[Index(sources[i])];
      const InputView& input = view.inputs.at(i);
      if (!SeenIn(guard)) continue;
      Note(KeyOf(guard.source), input.number ? Seen{.sizes = {*input.number}, .is_number = true}
                                             : Seen{.sizes = input.sizes, .strides = input.strides});
    }
  }
}

Varying SizeHistory::VaryingIn(const Segment& segment, const SizeMarks& marks, Equal equal) const {
  const std::vector<bool> is_alone = IsAlone(segment);
  // The nth place of a value with the same sequence.
  using Group = std::pair<Sequence, size_t>;
  std::map<Group, Varying> groups;
  std::vector<Group> order;
  const auto add = [&](SourceId source, Kind kind, size_t dimension, int64_t own, const Sequence& sequence) {
    // The last in the sequence may be that of another rank.
    if (own < 2 || (kind == Kind::kNumber && own > kLargestNumber)) return;
    Group group{sequence, 0};
    const auto is_there = [&] {
      const Varying& places = groups[group];
      return !places.empty() && places.back().source == source && equal == Equal::kAcrossValues;
    };
    while (is_there()) ++group.second;
    if (groups[group].empty()) order.push_back(group);
    groups[group].push_back({source, kind, dimension});
  };
  for (size_t i = 0; i < segment.guards.size(); ++i) {
    const Guard& guard = segment.guards[i];
    const std::optional<Seen> seen = SeenIn(guard);
    if (!seen || !is_alone[i]) continue;
    const auto found = entries_.find(KeyOf(guard.source));
    if (found == entries_.end() || found->second.is_useless) continue;
    const Entry& entry = found->second;
    bool any_size = false;
    for (size_t k = 0; k < entry.sizes.size(); ++k) {
      const std::pair mark(guard.source.name, k);
      const bool varies = marks.dynamic.contains(mark) || (!marks.only_marked && Varies(entry.sizes[k]));
      any_size = any_size || varies;
      if (varies && !marks.fixed.contains(mark))
        add(SourceId(i), seen->is_number ? Kind::kNumber : Kind::kSize, k, seen->sizes[k], entry.sizes[k]);
    }
    for (size_t k = 0; k < entry.strides.size() && !any_size && !marks.only_marked; ++k) {
      if (Varies(entry.strides[k])) add(SourceId(i), Kind::kStride, k, seen->strides[k], entry.strides[k]);
    }
  }
  Varying varying;
  for (size_t symbol = 0; symbol < std::min(order.size(), kMostSymbols); ++symbol) {
    for (SymbolSource place : groups[order[symbol]]) {
      place.symbol = symbol;
      varying.push_back(place);
    }
  }
  return varying;
}

std::vector<graph::sizes::Hints> SizeHistory::EarlierSizes(const Segment& segment,
                                                           const Varying& varying) const {
  constexpr size_t kMost = 4;
  std::vector<graph::sizes::Hints> worlds;
  for (size_t back = 1; back <= kMost; ++back) {
    graph::sizes::Hints hints;
    bool is_world = true;
    for (const SymbolSource& place : varying) {
      const Entry& entry = entries_.at(KeyOf(segment.guards[Index(place.source)].source));
      const Sequence& sequence = (place.kind == Kind::kStride ? entry.strides : entry.sizes)[place.dimension];
      const int64_t size = back < sequence.size() ? sequence[sequence.size() - 1 - back] : 0;
      if (place.symbol == hints.size()) hints.push_back(size);
      is_world = is_world && size >= 2 && hints[place.symbol] == size;
    }
    if (is_world && !hints.empty()) worlds.push_back(std::move(hints));
  }
  return worlds;
}

}  // namespace culprit::capture
