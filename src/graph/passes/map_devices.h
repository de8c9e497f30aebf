// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "graph/ir/graph.h"
#include "graph/tensors/input_spec.h"

namespace culprit::graph {

/// The same program on another device: every device in arguments, outputs and tensor constants is replaced.
///   full([4], 0, device=cuda:0)   =>   full([4], 0, device=cpu)
Graph MapDevices(const Graph& graph, at::Device device);
InputSpecs MapDevices(InputSpecs specs, at::Device device);

/// A device other than the CPU that the program computes on, or that an input is on, if there is one.
std::optional<at::Device> NonCpuDevice(const Graph& graph);
std::optional<at::Device> NonCpuDevice(const InputSpecs& specs);

}  // namespace culprit::graph
