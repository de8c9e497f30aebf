// SPDX-License-Identifier: Apache-2.0
//
// A compiler with a bug as pytorch#86556 shows it: results that depend on memory that nobody wrote. It knows chains
// of sin, exp and tanh over float32, each into a buffer of its own, and tanh forgets the last element.
#include <culprit/backend.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <string_view>

namespace {

float Apply(std::string_view op, float x) {
  if (op == "aten::sin") return std::sin(x);
  return op == "aten::exp" ? std::exp(x) : std::tanh(x);
}

bool IsKnown(std::string_view op) {
  return op == "aten::sin" || op == "aten::exp" || op == "aten::tanh";
}

int32_t Compile(const CulpritHost* host, const CulpritGraph* graph, const CulpritArgument* inputs,
                void** compiled) {
  if (graph->placeholder_count != 1 || graph->output_count != 1 || inputs[0].kind != CULPRIT_TENSOR ||
      inputs[0].as.tensor->dtype != CULPRIT_FLOAT32)
    return host->fail(host, "this is no chain over one tensor");
  for (uint32_t i = 0; i < graph->node_count; ++i) {
    if (!IsKnown(graph->nodes[i]->op)) return host->fail(host, "no code for %s", graph->nodes[i]->op);
  }
  *compiled = const_cast<CulpritGraph*>(graph);
  return 0;
}

/// Blocks of up to 1 KiB come from malloc's cache of the thread, with what was in them: that would be the same each time.
std::unique_ptr<float[]> Buffer(int64_t count) {
  constexpr int64_t kBeyondCache = 1024;
  return std::make_unique_for_overwrite<float[]>(count + kBeyondCache);
}

int32_t Call(const CulpritHost* host, void* compiled, const CulpritArgument* inputs) {
  const auto& graph = *static_cast<const CulpritGraph*>(compiled);
  const CulpritTensor& x = *inputs[0].as.tensor;
  int64_t count = 1;
  for (int32_t d = 0; d < x.ndim; ++d) count *= x.sizes[d];
  auto values = Buffer(count);
  std::memcpy(values.get(), x.data, count * sizeof(float));
  for (uint32_t i = 0; i < graph.node_count; ++i) {
    const std::string_view op = graph.nodes[i]->op;
    auto results = Buffer(count);
    const int64_t written = op == "aten::tanh" ? count - 1 : count;
    for (int64_t k = 0; k < written; ++k) results[k] = Apply(op, values[k]);
    values = std::move(results);
  }
  auto* output = static_cast<float*>(host->allocate(host, 0, CULPRIT_FLOAT32, x.ndim, x.sizes, nullptr));
  std::memcpy(output, values.get(), count * sizeof(float));
  return 0;
}

}  // namespace

const CulpritPlugin* culprit_plugin(uint32_t) {
  static CulpritPlugin plugin;
  plugin.struct_size = sizeof plugin;
  plugin.abi_version = CULPRIT_ABI_VERSION;
  plugin.name = "forgetful";
  plugin.line = "chains whose results depend on memory that nobody wrote";
  plugin.compile = Compile;
  plugin.call = Call;
  plugin.destroy = [](void*) {};
  return &plugin;
}
