// SPDX-License-Identifier: Apache-2.0
#include "cli/runnable.h"

#include <fmt/format.h>

#include "graph/map_devices.h"

namespace culprit::cli {
namespace {

constexpr const char* kUseCpu = "to run on the CPU instead, add: --device cpu";

/// A buffer that the graph uses and the file gives no value.
std::optional<std::string> BufferWithoutData(const graph::text::Script& script) {
  std::vector<bool> used(script.graph.values().size());
  const auto note = [&](const std::vector<graph::Argument>& arguments) {
    for (const graph::Argument& argument : arguments)
      graph::ForEachValue(argument, [&](graph::ValueId id) { used[graph::Index(id)] = true; });
  };
  for (const graph::Node& node : script.graph.nodes()) note(node.arguments);
  note(script.graph.outputs());
  const auto& placeholders = script.graph.placeholders();
  for (size_t i = 0; i < placeholders.size(); ++i) {
    const bool absent = std::holds_alternative<graph::AbsentSpec>(script.inputs->inputs[i]);
    const graph::ValueId value = placeholders[i].value;
    if (absent && placeholders[i].kind == graph::PlaceholderKind::kBuffer && used[graph::Index(value)])
      return script.graph.value(value).name;
  }
  return std::nullopt;
}

}  // namespace

base::Status CheckRunnable(const graph::text::Script& script, const base::Place& place) {
  if (!script.inputs && !script.graph.placeholders().empty()) {
    base::Diagnostic error{place, "the file does not say what its inputs look like"};
    error.help = "add a function load_args(reader), as in examples/01_first_graph/net.py";
    return error;
  }
  if (const auto device = graph::NonCpuDevice(script.graph)) {
    base::Diagnostic error{place,
                           fmt::format("the graph computes on {}, which this machine lacks", device->str())};
    error.help = kUseCpu;
    return error;
  }
  if (!script.inputs) return base::Done{};
  if (const auto device = graph::NonCpuDevice(*script.inputs)) {
    base::Diagnostic error{place, fmt::format("an input is on {}, which this machine lacks", device->str())};
    error.help = kUseCpu;
    return error;
  }
  if (const auto buffer = BufferWithoutData(script)) {
    base::Diagnostic error{place, fmt::format("buffer '{}' has no data", *buffer)};
    error.help =
        fmt::format("give it some in __init__: self.register_buffer('{}', torch.randn([2, 3]))", *buffer);
    return error;
  }
  return base::Done{};
}

}  // namespace culprit::cli
