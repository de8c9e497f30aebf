// SPDX-License-Identifier: Apache-2.0
#include "graph/map_devices.h"

#include "graph/rebuild.h"
#include "graph/verify.h"

namespace culprit::graph {
namespace {

Argument MapDevice(const Argument& argument, at::Device device) {
  if (argument.is_list()) {
    Argument::List list;
    for (const Argument& element : argument.list()) list.push_back(MapDevice(element, device));
    return list;
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
  rebuild.CopyOutputs();
  Graph result = std::move(rebuild).Take();
  VerifyPass(result, "behind", "MapDevices");
  return result;
}

InputSpecs MapDevices(InputSpecs specs, at::Device device) {
  for (StorageSpec& storage : specs.storages) storage.device = device;
  for (InputSpec& input : specs.inputs) {
    if (auto* generator = std::get_if<GeneratorSpec>(&input)) generator->device = device;
  }
  return specs;
}

}  // namespace culprit::graph
