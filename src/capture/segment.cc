// SPDX-License-Identifier: Apache-2.0
#include "capture/segment.h"

namespace culprit::capture {
namespace {

using c10::IValue;

const IValue* Find(const Source& source, const vm::State& state, const std::vector<const IValue*>& found) {
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

}  // namespace

std::vector<const IValue*> FindAll(const Segment& segment, const vm::State& start) {
  std::vector<const IValue*> found;
  found.reserve(segment.guards.size());
  for (const Guard& guard : segment.guards) found.push_back(Find(guard.source, start, found));
  return found;
}

bool Fits(const Segment& segment, const vm::State& state, std::vector<const IValue*>& found) {
  return Modes::Current() == segment.modes && CheckGuards(segment, state, found) == segment.guards.size() &&
         !Difference(segment.aliasing, found);
}

std::optional<std::string> Mismatch(const Segment& segment, const vm::State& state,
                                    std::vector<const IValue*>& found) {
  const std::string modes = Modes::Current().Difference(segment.modes);
  if (!modes.empty()) return modes;
  const size_t failed = CheckGuards(segment, state, found);
  if (failed == segment.guards.size()) {
    const auto pair = Difference(segment.aliasing, found);
    return pair ? std::optional(Describe(*pair, segment.guards)) : std::nullopt;
  }
  return DescribeFailure(segment.guards[failed], *found[failed], segment.guards);
}

std::vector<IValue> InputsOf(const Segment& segment, const std::vector<const IValue*>& found) {
  std::vector<IValue> inputs;
  inputs.reserve(segment.inputs.size());
  for (const SourceId source : segment.inputs) inputs.push_back(*found[Index(source)]);
  return inputs;
}

void Run(const Segment& segment, const std::vector<const IValue*>& found, vm::State& state,
         std::optional<graph::NodeId>& failed) {
  std::vector<IValue> outputs;
  if (segment.compiled) {
    std::vector<IValue> inputs = InputsOf(segment, found);
    std::optional<graph::Interruption> interruption;
    try {
      outputs = segment.compiled->CallReporting(inputs, interruption);
    } catch (...) {
      if (interruption) {
        failed = interruption->node;
        ApplyUpTo(*interruption, segment.checkpoints, found, state);
      }
      throw;
    }
  }
  Apply(segment.plan, found, outputs, state);
}

}  // namespace culprit::capture
