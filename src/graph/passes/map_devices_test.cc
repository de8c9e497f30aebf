// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/map_devices.h"

#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"

namespace culprit::graph {
namespace {

using tests::TestGraph;

/// A program whose devices are all `device`.
Graph ProgramOn(at::Device device) {
  TestGraph g;
  g.graph().set_name("net_0_forward");
  g.Placeholder("x", PlaceholderKind::kParameter);
  const ValueId c = g.graph().AddConstant("c", at::zeros({1}), device);
  const ValueId full = g.Call("aten::full", {{4}, 0}, {{"device", device}});
  g.Return({g.Call("aten::add.Tensor", {full, c}), Argument(c10::IValue(device))});
  return g.graph();
}

TEST(MapDevicesTest, ReplacesDevicesInArgumentsAndConstants) {
  Graph mapped = MapDevices(ProgramOn(at::Device("cuda:1")), at::kCPU);
  EXPECT_EQ(mapped, ProgramOn(at::kCPU));
}

TEST(MapDevicesTest, NoDeviceStaysNoDevice) {
  TestGraph g;
  g.Return({g.Call("aten::full", {{4}, 0})});
  EXPECT_EQ(MapDevices(g.graph(), at::Device("cuda:0")), g.graph());
}

TEST(NonCpuDeviceTest, IsThatOfAConstantOrAnArgument) {
  EXPECT_EQ(NonCpuDevice(ProgramOn(at::Device("cuda:1"))), at::Device("cuda:1"));
  EXPECT_EQ(NonCpuDevice(ProgramOn(at::kCPU)), std::nullopt);
  TestGraph g;
  g.Return({g.Call("aten::full", {{4}, 0}, {{"device", at::Device("cuda")}})});
  EXPECT_EQ(NonCpuDevice(g.graph()), at::Device("cuda"));
}

TEST(MapDevicesTest, ReplacesDevicesOfStoragesAndGenerators) {
  InputSpecs specs;
  specs.storages = {{.bytes = 16, .device = at::Device("cuda:0")}, {.bytes = 32, .device = at::kCPU}};
  specs.inputs = {TensorSpec{.storage = 1}, IntSpec{7, "s0"}, GeneratorSpec{at::Device("cuda:0")}};
  InputSpecs expected = specs;
  expected.storages[0].device = at::kCPU;
  expected.inputs[2] = GeneratorSpec{at::kCPU};
  EXPECT_EQ(MapDevices(specs, at::kCPU), expected);
}

}  // namespace
}  // namespace culprit::graph
