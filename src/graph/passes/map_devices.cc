// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/map_devices.h"

#include "graph/ir/rebuild.h"
#include "graph/ir/verify.h"

namespace culprit::graph {
namespace {

Argument MapDevice(const Argument& argument, at::Device device) {
  if (argument.is_list()) {
    Argument::List list;
    for (const Argument& element : argument.list()) list.push_back(MapDevice(element, device));
    return Argument(std::move(list));
  }
  if (argument.is_constant() && argument.constant().isDevice()) return Argument(c10::IValue(device));
  return argument;
}

}  // namespace

Graph MapDevices(const Graph& graph, at::Device device) {
  VerifyPass(graph, "before", "MapDevices");
  Rebuild rebuild(graph);
  rebuild.CopyPlaceholders();
  for (TensorConstant constant : graph.constants()) {
    constant.device = device;
    rebuild.CopyConstant(constant);
  }
  for (Node node : graph.nodes()) {
    for (Argument& argument : node.arguments) argument = MapDevice(argument, device);
    rebuild.CopyNode(node);
  }
  std::vector<Argument> outputs;
  for (const Argument& output : graph.outputs()) outputs.push_back(rebuild.Map(MapDevice(output, device)));
  rebuild.graph().SetOutputs(std::move(outputs));
  Graph result = std::move(rebuild).Take();
  VerifyPass(result, "behind", "MapDevices");
  return result;
}

std::optional<at::Device> NonCpuDevice(const Graph& graph) {
  for (const TensorConstant& constant : graph.constants()) {
    if (!constant.device.is_cpu()) return constant.device;
  }
  for (const Node& node : graph.nodes()) {
    for (const Argument& argument : node.arguments) {
      const bool is_device = argument.is_constant() && argument.constant().isDevice();
      if (is_device && !argument.constant().toDevice().is_cpu()) return argument.constant().toDevice();
    }
  }
  return std::nullopt;
}

std::optional<at::Device> NonCpuDevice(const InputSpecs& specs) {
  for (const StorageSpec& storage : specs.storages) {
    if (!storage.device.is_cpu()) return storage.device;
  }
  for (const InputSpec& input : specs.inputs) {
    const auto* generator = std::get_if<GeneratorSpec>(&input);
    if (generator != nullptr && !generator->device.is_cpu()) return generator->device;
  }
  return std::nullopt;
}

InputSpecs MapDevices(InputSpecs specs, at::Device device) {
  for (StorageSpec& storage : specs.storages) storage.device = device;
  for (InputSpec& input : specs.inputs) {
    if (auto* generator = std::get_if<GeneratorSpec>(&input)) generator->device = device;
  }
  return specs;
}

}  // namespace culprit::graph
