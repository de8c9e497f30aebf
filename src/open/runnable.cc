// SPDX-License-Identifier: Apache-2.0
#include "open/runnable.h"

#include <fmt/format.h>

#include "base/text.h"
#include "graph/analysis/uses.h"
#include "graph/passes/map_devices.h"

namespace culprit::open {
namespace {

constexpr const char* kUseCpu = "to run on the CPU instead, add: --device cpu";

/// Inputs that the graph uses and the file gives no value: buffers, and what whoever wrote it could not
/// record.
base::Status CheckRecorded(const graph::text::Script& script, const base::Place& place) {
  const std::vector<bool> used = graph::UsedValues(script.graph);
  const auto& placeholders = script.graph.placeholders();
  for (size_t i = 0; i < placeholders.size(); ++i) {
    const auto* absent = std::get_if<graph::AbsentSpec>(&script.inputs->inputs[i]);
    if (absent == nullptr || !used[graph::Index(placeholders[i].value)]) continue;
    const std::string& name = script.graph.value(placeholders[i].value).name;
    if (placeholders[i].kind == graph::PlaceholderKind::kBuffer) {
      base::Diagnostic error{place, fmt::format("buffer '{}' has no data", name)};
      error.help =
          fmt::format("give it some in __init__: self.register_buffer('{}', torch.randn([2, 3]))", name);
      return error;
    }
    if (absent->reason != graph::AbsentSpec::Reason::kConst) {
      return base::Diagnostic{
          place,
          fmt::format("input '{}' is of a kind that could not be recorded ({}), and the graph needs it", name,
                      base::Printable(absent->name))};
    }
  }
  return base::Done{};
}

}  // namespace

base::Status CheckRunnable(const graph::text::Script& script, const base::Place& place) {
  if (!script.inputs && !script.graph.placeholders().empty()) {
    base::Diagnostic error{place, "the file does not say what its inputs look like"};
    if (!script.inputs_file.empty())
      error.notes.push_back(
          fmt::format("they are in '{}', which only PyTorch reads", base::Printable(script.inputs_file)));
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
  return CheckRecorded(script, place);
}

}  // namespace culprit::open
