// SPDX-License-Identifier: Apache-2.0
#include "minify/strategies/locate/operator_windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "base/text.h"

namespace culprit::minify::strategies {
namespace {

using graph::NodeId;
using graph::ValueId;

/// Whoever wrote last into the tensors of the operand before the reader ran, if anybody did.
std::optional<NodeId> LastWriter(const graph::Recording& recording, ValueId operand, NodeId reader) {
  std::optional<NodeId> last;
  for (const graph::RecordedItem& item : recording.value(operand).items) {
    if (!item.object) continue;
    const graph::MemoryId memory = recording.StateOf(*item.object, Index(reader)).memory;
    const size_t writes = recording.VersionAt(memory, Index(reader));
    if (writes > 0) last = std::max(last, std::optional(recording.WritersOf(memory)[writes - 1]));
  }
  return last;
}

std::optional<NodeId> ProducerOf(const Subject& subject, ValueId operand, NodeId reader) {
  std::optional<NodeId> producer = LastWriter(subject.recording(), operand, reader);
  const graph::Value& value = subject.graph().value(operand);
  if (value.origin == graph::Origin::kNode)
    producer = std::max(producer, std::optional(NodeId(value.origin_index)));
  return producer;
}

std::vector<NodeId> WithProducers(const Subject& subject, NodeId last, size_t limit) {
  std::vector<NodeId> nodes = {last};
  std::unordered_set<NodeId> seen = {last};
  for (size_t i = 0; i < nodes.size() && nodes.size() < limit; ++i) {
    const NodeId reader = nodes[i];
    for (const graph::Argument& argument : subject.graph().node(reader).arguments) {
      ForEachValue(argument, [&](ValueId operand) {
        const std::optional<NodeId> producer = ProducerOf(subject, operand, reader);
        if (producer && seen.insert(*producer).second) nodes.push_back(*producer);
      });
    }
  }
  if (nodes.size() > limit) nodes.resize(limit);
  return nodes;
}

}  // namespace

OperatorWindows::OperatorWindows(const Subject& subject, NodeId last, size_t limit) {
  if (limit == 0) return;
  for (const NodeId node : WithProducers(subject, last, limit)) names_.push_back(subject.NameOf(node));
}

std::optional<Edit> OperatorWindows::Next() {
  // The last one is cut short, and may be no more than twice as large as the one before.
  if (size_ / 2 >= names_.size()) return std::nullopt;
  const size_t count = std::min(size_, names_.size());
  size_ *= 2;
  return KeepNodes(fmt::format("keep {} up to {}", base::Counted(count, "operator"), names_[0]),
                   {names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(count)});
}

}  // namespace culprit::minify::strategies
