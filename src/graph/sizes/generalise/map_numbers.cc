// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/generalise/map_numbers.h"

#include <algorithm>
#include <cmath>

namespace culprit::graph::sizes {
namespace {

using Everywhere = std::vector<const Argument*>;

template <typename Predicate>
bool All(const Everywhere& worlds, Predicate&& predicate) {
  return std::ranges::all_of(worlds, [&](const Argument* argument) { return predicate(*argument); });
}

bool IsWhole(const Argument& argument) {
  constexpr double kExact = 9007199254740992.0;
  if (!argument.is_constant() || !argument.constant().isDouble()) return false;
  const double value = argument.constant().toDouble();
  return std::abs(value) <= kExact && std::trunc(value) == value;
}

bool IsInt(const Argument& argument) {
  return argument.is_constant() && argument.constant().isInt();
}

std::optional<Argument> MapList(const Everywhere& worlds, const NumberMap& map) {
  const size_t size = worlds[0]->list().size();
  if (!All(worlds, [&](const Argument& each) { return each.is_list() && each.list().size() == size; }))
    return std::nullopt;
  Argument::List list;
  for (size_t i = 0; i < size; ++i) {
    Everywhere elements;
    for (const Argument* each : worlds) elements.push_back(&each->list()[i]);
    std::optional<Argument> mapped = MapNumbers(elements, map);
    if (!mapped) return std::nullopt;
    list.push_back(*std::move(mapped));
  }
  return Argument(std::move(list));
}

}  // namespace

std::optional<Argument> MapNumbers(const Everywhere& worlds, const NumberMap& map) {
  const Argument& first = *worlds[0];
  if (first.is_list()) return MapList(worlds, map);
  if (All(worlds, [&](const Argument& each) { return each == first; })) return map.same(first);
  Samples samples;
  if (All(worlds, IsInt)) {
    for (const Argument* each : worlds) samples.push_back(each->constant().toInt());
    return map.number(samples, false);
  }
  if (!All(worlds, IsWhole)) return std::nullopt;
  for (const Argument* each : worlds) samples.push_back(static_cast<int64_t>(each->constant().toDouble()));
  return map.number(samples, true);
}

}  // namespace culprit::graph::sizes
