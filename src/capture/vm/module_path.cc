// SPDX-License-Identifier: Apache-2.0
#include "capture/vm/module_path.h"

#include <optional>

namespace culprit::capture::vm {
namespace {

/// The attributes that lead from `self` to the object: ".features.4". Nothing if something else does.
std::optional<std::string> AttributesOf(const torch::jit::Value* object) {
  std::string path;
  while (object->node()->kind() == c10::prim::GetAttr) {
    path.insert(0, "." + object->node()->s(c10::attr::name));
    object = object->node()->input();
  }
  const torch::jit::Graph& graph = *object->owningGraph();
  if (graph.inputs().empty() || object != graph.inputs()[0]) return std::nullopt;
  return path;
}

}  // namespace

std::string ModulePathOf(const State& state) {
  std::string path;
  for (size_t i = 0; i + 1 < state.frames.size(); ++i) {
    const Frame& caller = state.frames[i];
    const torch::jit::Node& call = *caller.code->instructions()[caller.pc - 1].node;
    if (call.kind() != c10::prim::CallMethod) continue;
    const std::optional<std::string> attributes = AttributesOf(call.inputs()[0]);
    if (!attributes) return "";
    path += *attributes;
  }
  return path.empty() ? path : path.substr(1);
}

}  // namespace culprit::capture::vm
