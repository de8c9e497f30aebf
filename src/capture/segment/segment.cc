// SPDX-License-Identifier: Apache-2.0
#include "capture/segment/segment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "capture/segment/segment_text.h"

namespace culprit::capture {
namespace {

using c10::IValue;

const IValue* Find(const GuardSource& source, const vm::State& state,
                   const std::vector<const IValue*>& found) {
  const bool is_part = source.kind >= SourceKind::kAttribute;
  return FindSource(source, state, is_part ? found[source.base] : nullptr);
}

/// The first guard that does not hold, or how many there are.
size_t CheckGuards(const Segment& segment, const vm::State& state, std::vector<const IValue*>& found) {
  found.resize(segment.guards.size());
  for (size_t i = 0; i < segment.guards.size(); ++i) {
    found[i] = Find(segment.guards[i].source, state, found);
    if (!Holds(segment.guards[i].expected, *found[i], found)) return i;
  }
  return segment.guards.size();
}

int64_t ValueOf(const SymbolSource& place, const std::vector<const IValue*>& found) {
  const IValue& value = *found[Index(place.source)];
  if (place.kind == SymbolSource::Kind::kNumber) return value.toInt();
  const at::TensorImpl& tensor = *value.unsafeToTensorImpl();
  return place.kind == SymbolSource::Kind::kSize ? tensor.sizes()[place.dimension]
                                                 : tensor.strides()[place.dimension];
}

/// The first place that has another value than the symbol has, or how many there are.
size_t CheckPlaces(const Segment& segment, const std::vector<int64_t>& symbols,
                   const std::vector<const IValue*>& found) {
  size_t i = 0;
  for (; i < segment.symbol_sources.size(); ++i) {
    const SymbolSource& place = segment.symbol_sources[i];
    if (ValueOf(place, found) != symbols[place.symbol]) break;
  }
  return i;
}

/// Whether sizes are as was assumed of them, as far as is known; the guards hold.
bool FitSymbols(const Segment& segment, const std::vector<const IValue*>& found) {
  if (segment.symbol_sources.empty()) return true;
  const std::vector<int64_t> symbols = SymbolsOf(segment, found);
  return CheckPlaces(segment, symbols, found) == segment.symbol_sources.size() &&
         std::ranges::all_of(
             segment.conditions,
             [&](const SizeCondition& each) { return graph::sizes::Holds(each.condition, symbols); }) &&
         segment.verdicts->Find(symbols).value_or("").empty();
}

std::string DescribeValues(const std::vector<int64_t>& symbols) {
  std::vector<std::string> values;
  for (size_t i = 0; i < symbols.size(); ++i) values.push_back(fmt::format("s{} is {}", i, symbols[i]));
  return fmt::format("{}", fmt::join(values, ", "));
}

std::string DescribeSymbols(const Segment& segment, const std::vector<const IValue*>& found) {
  const std::vector<int64_t> symbols = SymbolsOf(segment, found);
  const size_t differing = CheckPlaces(segment, symbols, found);
  if (differing < segment.symbol_sources.size()) {
    const SymbolSource& place = segment.symbol_sources[differing];
    return fmt::format("{} is {}, not s{}, which is {}", NameOf(place, segment), ValueOf(place, found),
                       place.symbol, symbols[place.symbol]);
  }
  const auto broken = std::ranges::find_if_not(segment.conditions, [&](const SizeCondition& each) {
    return graph::sizes::Holds(each.condition, symbols);
  });
  if (broken == segment.conditions.end())
    return fmt::format("it is another graph where {}: {}", DescribeValues(symbols),
                       segment.verdicts->Find(symbols).value_or(""));
  return fmt::format("{}, from {}, does not hold: {}", ToString(broken->condition),
                     TextOf(broken->origin).ToString(), DescribeValues(symbols));
}

}  // namespace

std::vector<int64_t> SymbolsOf(const Segment& segment, const std::vector<const IValue*>& found) {
  std::vector<int64_t> symbols;
  for (const SymbolSource& place : segment.symbol_sources) {
    if (place.symbol == symbols.size()) symbols.push_back(ValueOf(place, found));
  }
  return symbols;
}

std::vector<const IValue*> FindAll(const Segment& segment, const vm::State& start) {
  std::vector<const IValue*> found;
  found.reserve(segment.guards.size());
  for (const Guard& guard : segment.guards) found.push_back(Find(guard.source, start, found));
  return found;
}

bool Fits(const Segment& segment, const vm::State& state, std::vector<const IValue*>& found) {
  return Modes::Current() == segment.modes && CheckGuards(segment, state, found) == segment.guards.size() &&
         !Difference(segment.aliasing, found) && FitSymbols(segment, found);
}

bool IsProved(const Segment& segment, const std::vector<const IValue*>& found) {
  return segment.symbol_sources.empty() || segment.verdicts->Find(SymbolsOf(segment, found)) == "";
}

std::optional<std::string> Mismatch(const Segment& segment, const vm::State& state,
                                    std::vector<const IValue*>& found) {
  const std::string modes = Modes::Current().Difference(segment.modes);
  if (!modes.empty()) return modes;
  const size_t failed = CheckGuards(segment, state, found);
  if (failed == segment.guards.size()) {
    if (const auto pair = Difference(segment.aliasing, found)) return Describe(*pair, segment.guards);
    return FitSymbols(segment, found) ? std::nullopt : std::optional(DescribeSymbols(segment, found));
  }
  return DescribeFailure(segment.guards[failed], *found[failed], segment.guards);
}

std::vector<IValue> InputsOf(const Segment& segment, const std::vector<const IValue*>& found) {
  std::vector<IValue> inputs;
  inputs.reserve(segment.inputs.size());
  for (const SourceId source : segment.inputs) inputs.push_back(*found[Index(source)]);
  if (segment.symbol_inputs.empty()) return inputs;
  const std::vector<int64_t> symbols = SymbolsOf(segment, found);
  for (const size_t symbol : segment.symbol_inputs) inputs.emplace_back(symbols[symbol]);
  return inputs;
}

void Run(const Segment& segment, const std::vector<const IValue*>& found, vm::State& state,
         std::optional<graph::NodeId>& failed) {
  std::vector<IValue> outputs;
  const std::vector<int64_t> symbols = SymbolsOf(segment, found);
  if (segment.compiled) {
    std::vector<IValue> inputs = InputsOf(segment, found);
    std::optional<graph::Interruption> interruption;
    try {
      outputs = segment.compiled->CallReporting(inputs, interruption);
    } catch (...) {
      if (interruption) {
        failed = interruption->node;
        ApplyUpTo(*interruption, segment.checkpoints, found, symbols, state);
      }
      throw;
    }
  }
  Apply(segment.plan, found, outputs, symbols, state);
}

}  // namespace culprit::capture
