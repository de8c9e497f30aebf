// SPDX-License-Identifier: Apache-2.0
#include "minify/rewrite/keep_gradients.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace culprit::minify {
namespace {

using graph::ValueId;

bool WantsGradient(const c10::IValue& value) {
  return value.isTensor() && value.toTensor().defined() && value.toTensor().requires_grad();
}

bool CanHaveGradient(const c10::IValue& value) {
  if (!value.isTensor() || !value.toTensor().defined()) return false;
  const at::ScalarType dtype = value.toTensor().scalar_type();
  return c10::isFloatingType(dtype) || c10::isComplexType(dtype);
}

std::unordered_set<std::string_view> ValuesWithGradients(const Program& program) {
  std::vector<bool> wants(program.graph.values().size());
  std::unordered_set<std::string_view> names;
  const auto add = [&](ValueId id) {
    wants[Index(id)] = true;
    names.insert(program.graph.value(id).name);
  };
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    if (WantsGradient(program.inputs[i])) add(program.graph.placeholders()[i].value);
  }
  for (const graph::Node& node : program.graph.nodes()) {
    bool depends = false;
    for (const graph::Argument& argument : node.arguments)
      ForEachValue(argument, [&](ValueId id) { depends = depends || wants[Index(id)]; });
    if (depends) std::ranges::for_each(node.results, add);
  }
  return names;
}

}  // namespace

void KeepGradients(const Program& source, Program& cut) {
  if (std::ranges::none_of(source.inputs, WantsGradient)) return;
  const std::unordered_set<std::string_view> names = ValuesWithGradients(source);
  for (size_t i = 0; i < cut.inputs.size(); ++i) {
    const std::string& name = cut.graph.value(cut.graph.placeholders()[i].value).name;
    if (!names.contains(name) || !CanHaveGradient(cut.inputs[i])) continue;
    // A tensor of its own on the same memory, since others may hold this one.
    cut.inputs[i] = cut.inputs[i].toTensor().detach().requires_grad_();
  }
}

}  // namespace culprit::minify
