// SPDX-License-Identifier: Apache-2.0
#include "graph/analysis/structural_hash.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <map>

#include "tests/lib/graph_builder.h"

namespace culprit::graph {
namespace {

using tests::TestGraph;
using tests::Written;

std::string HashOf(const std::function<void(TestGraph&)>& build) {
  TestGraph g;
  build(g);
  return StructuralHash(g.graph()).ToString();
}

/// A graph of one call with this argument.
std::string HashOfArgument(const Written& argument) {
  return HashOf([&](TestGraph& g) {
    const ValueId x = g.Placeholder("x");
    g.Return({g.Call("aten::mul.Tensor", {x, argument})});
  });
}

std::string HashOfConstant(at::Tensor tensor, at::Device device = at::kCPU) {
  Graph graph;
  graph.SetOutputs({graph.AddConstant("c", std::move(tensor), device)});
  return StructuralHash(graph).ToString();
}

/// Fails if two of the named hashes are equal.
void ExpectAllDifferent(const std::map<std::string, std::string>& hashes) {
  std::map<std::string, std::string> name_of;
  for (const auto& [name, hash] : hashes) {
    const auto [other, is_new] = name_of.emplace(hash, name);
    EXPECT_TRUE(is_new) << name << " and " << other->second;
  }
}

TEST(StructuralHashTest, StaysTheSameBetweenRunsAndMachines) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId w = g.Placeholder("w", PlaceholderKind::kParameter);
  const ValueId c = g.Constant("c", at::tensor({1.0, 2.0}));
  const ValueId sum = g.Call("aten::add.Tensor", {x, c}, {{"alpha", 0.5}});
  g.Return({g.Call("aten::conv2d", {sum, w}, {{"stride", 2}}), nullptr});
  EXPECT_EQ(StructuralHash(g.graph()).ToString(), "bbc467464974284f99bdf2f5f453b5d6");
}

TEST(StructuralHashTest, NamesDoNotCount) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::relu", {x})});
  const Hash128 before = StructuralHash(g.graph());
  g.graph().set_name("net_0_forward");
  g.graph().RenameValue(ValueId{0}, "primals_1");
  g.graph().RenameValue(ValueId{1}, "activation");
  EXPECT_EQ(StructuralHash(g.graph()), before);
}

TEST(StructuralHashTest, TheOrderOfNodesCounts) {
  const auto build = [](const char* first, const char* second) {
    return HashOf([&](TestGraph& g) {
      const ValueId x = g.Placeholder("x");
      const ValueId a = g.Call(first, {x});
      const ValueId b = g.Call(second, {x});
      first == std::string("aten::sin") ? g.Return({a, b}) : g.Return({b, a});
    });
  };
  EXPECT_NE(build("aten::sin", "aten::cos"), build("aten::cos", "aten::sin"));
}

TEST(StructuralHashTest, OperatorsOverloadsAndOutputsCount) {
  const auto build = [](const char* op, int outputs) {
    return HashOf([&](TestGraph& g) {
      const ValueId x = g.Placeholder("x");
      const ValueId y = g.Call(op, {x, 2});
      if (outputs == 1) g.Return({y});
      if (outputs == 2) g.Return({y, y});
      if (outputs == 3) g.Return({x, y});
    });
  };
  ExpectAllDifferent({{"mul", build("aten::mul.Scalar", 1)},
                      {"div", build("aten::div.Scalar", 1)},
                      {"overload", build("aten::mul.Tensor", 1)},
                      {"no output", build("aten::mul.Scalar", 0)},
                      {"twice", build("aten::mul.Scalar", 2)},
                      {"both", build("aten::mul.Scalar", 3)}});
}

TEST(StructuralHashTest, ConstantsCountBitForBit) {
  ExpectAllDifferent({{"int", HashOfArgument(1)},
                      {"float", HashOfArgument(1.0)},
                      {"bool", HashOfArgument(true)},
                      {"other bool", HashOfArgument(false)},
                      {"complex", HashOfArgument(Argument(c10::IValue(c10::complex<double>(1, 0))))},
                      {"next float", HashOfArgument(std::nextafter(1.0, 2.0))},
                      {"zero", HashOfArgument(0.0)},
                      {"minus zero", HashOfArgument(-0.0)},
                      {"nan", HashOfArgument(std::nan(""))},
                      {"the tensor itself", HashOfArgument(ValueId{0})}});
}

TEST(StructuralHashTest, AllNansAreOneConstant) {
  EXPECT_EQ(HashOfArgument(std::nan("")), HashOfArgument(std::bit_cast<double>(0xfff8000000000123)));
}

TEST(StructuralHashTest, StringsDevicesAndListsCount) {
  const auto build = [](const char* op, std::initializer_list<Written> arguments,
                        std::initializer_list<std::pair<const char*, Written>> keywords = {}) {
    return HashOf([&](TestGraph& g) {
      g.Placeholder("x");
      g.Return({g.Call(op, arguments, keywords)});
    });
  };
  const ValueId x{0};
  ExpectAllDifferent({{"floor", build("aten::div.Tensor_mode", {x, x}, {{"rounding_mode", "floor"}})},
                      {"trunc", build("aten::div.Tensor_mode", {x, x}, {{"rounding_mode", "trunc"}})},
                      {"no mode", build("aten::div.Tensor_mode", {x, x}, {{"rounding_mode", nullptr}})},
                      {"cuda:0", build("aten::to.device", {x, at::Device("cuda:0"), 6})},
                      {"cuda:1", build("aten::to.device", {x, at::Device("cuda:1"), 6})},
                      {"[1, 2]", build("aten::view", {x, {1, 2}})},
                      {"[2, 1]", build("aten::view", {x, {2, 1}})},
                      {"[1]", build("aten::view", {x, {1}})},
                      {"[]", build("aten::view", {x, {}})}});
}

TEST(StructuralHashTest, KindsOfPlaceholdersCount) {
  const auto build = [](PlaceholderKind kind, ValueKind value_kind) {
    return HashOf([&](TestGraph& g) { g.Return({g.Placeholder("x", kind, value_kind)}); });
  };
  ExpectAllDifferent({{"input", build(PlaceholderKind::kInput, ValueKind::kTensor)},
                      {"parameter", build(PlaceholderKind::kParameter, ValueKind::kTensor)},
                      {"buffer", build(PlaceholderKind::kBuffer, ValueKind::kTensor)},
                      {"int", build(PlaceholderKind::kInput, ValueKind::kInt)}});
}

TEST(StructuralHashTest, TensorConstantsCountWithEverythingTheyAre) {
  const at::Tensor symmetric = at::tensor({1.0, 2.0, 2.0, 1.0}).reshape({2, 2});
  ExpectAllDifferent({{"symmetric", HashOfConstant(symmetric)},
                      {"strides", HashOfConstant(symmetric.t())},
                      {"sizes", HashOfConstant(symmetric.reshape({4}))},
                      {"contents", HashOfConstant(symmetric.add(1))},
                      {"zero", HashOfConstant(at::tensor({0.0}))},
                      {"minus zero", HashOfConstant(at::tensor({-0.0}))},
                      {"dtype", HashOfConstant(at::zeros({1}, at::kInt))},
                      {"layout", HashOfConstant(symmetric.to_sparse())},
                      {"device", HashOfConstant(symmetric, at::Device("cuda:0"))}});
}

TEST(StructuralHashTest, WhereATensorConstantLiesInMemoryDoesNotCount) {
  const at::Tensor whole = at::arange(8, at::kDouble);
  EXPECT_EQ(HashOfConstant(whole.slice(0, 2, 5)), HashOfConstant(at::tensor({2.0, 3.0, 4.0})));
}

TEST(StructuralHashTest, IsWrittenAsThirtyTwoDigits) {
  EXPECT_EQ((Hash128{0x1, 0xab}.ToString()), "000000000000000100000000000000ab");
}

}  // namespace
}  // namespace culprit::graph
