// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/generalise/generalise.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/ir/verify.h"
#include "graph/sizes/generalise/formulas.h"
#include "tests/lib/short_graph.h"

namespace culprit::graph::sizes {
namespace {

using testing::ElementsAre;

/// The graph of `text`, in which {} stands for numbers, in worlds with one symbol, the first size of x.
class GeneraliseTest : public testing::Test {
 protected:
  /// `sizes` has the sizes of all values for a size.
  using SizesFor = std::vector<std::vector<int64_t>> (*)(int64_t);

  void Walk(const std::string& text, int64_t (*number)(int64_t), SizesFor sizes) {
    for (const int64_t size : {8, 9, 13, 22}) {
      hints_.push_back({size});
      worlds_.push_back({tests::ShortGraph(fmt::format(fmt::runtime(text), number(size))), sizes(size)});
    }
  }

  std::variant<Generalised, Refused> Run() {
    std::vector<const SizedGraph*> worlds;
    for (const SizedGraph& world : worlds_) worlds.push_back(&world);
    return Generalise(worlds, {{.symbol = 0, .placeholder = 0, .dimension = 0}}, Numbers(hints_));
  }

  std::string Text() {
    const auto result = Run();
    if (const auto* refused = std::get_if<Refused>(&result)) return refused->reason;
    const Graph& graph = std::get<Generalised>(result).graph;
    EXPECT_TRUE(Verify(graph).ok());
    EXPECT_THAT(graph.placeholders()[0].symbols, ElementsAre("s0", ""));
    return tests::ShortText(graph);
  }

  std::vector<SizedGraph> worlds_;
  std::vector<Hints> hints_;
};

std::vector<std::vector<int64_t>> InputAndView(int64_t size) {
  return {{size, 6}, {size, 6}};
}

TEST_F(GeneraliseTest, NumbersAreComputedFromSizes) {
  Walk(
      "x\nview = view.default(x, [{}, 3])\nreturn (view,)", [](int64_t size) { return size * 2; },
      InputAndView);
  EXPECT_EQ(Text(),
            "s0 = sym_size.int(x, 0)\nsize = 2 * s0\nview = view.default(x, [size, 3])\n"
            "return (view,)\n");
}

TEST_F(GeneraliseTest, WhatIsTheSameEverywhereStays) {
  Walk(
      "x\nview = view.default(x, [-1, {}])\nreturn (view,)", [](int64_t) -> int64_t { return 3; },
      InputAndView);
  EXPECT_EQ(Text(), "view = view.default(x, [-1, 3])\nreturn (view,)\n");
}

TEST_F(GeneraliseTest, OtherSizesAreAskedOfATensorThatHasThem) {
  Walk(
      "x\nrelu = relu.default(x)\nones = ones.default([{}])\nreturn (relu, ones)",
      [](int64_t size) { return size * size; },
      [](int64_t size) -> std::vector<std::vector<int64_t>> {
        return {{size, 6}, {size * size, 6}, {size * size}};
      });
  EXPECT_EQ(Text(),
            "relu = relu.default(x)\nsym_size = sym_size.int(relu, 0)\n"
            "ones = ones.default([sym_size])\nreturn (relu, ones)\n");
}

TEST_F(GeneraliseTest, ANegativeNumberIsComputedFromThePositiveOne) {
  Walk(
      "x\ny = constant_pad_nd.default(x, [0, {}])\nreturn (y,)", [](int64_t size) { return -(size % 7); },
      InputAndView);
  Numbers numbers(hints_);
  numbers.Know({1, 2, 6, 1},
               Expression::Of(Operation::kModulo, Expression::Symbol(0), Expression::Constant(7)));
  std::vector<const SizedGraph*> worlds;
  for (const SizedGraph& world : worlds_) worlds.push_back(&world);
  const auto result = Generalise(worlds, {{.symbol = 0, .placeholder = 0, .dimension = 0}}, numbers);
  EXPECT_EQ(tests::ShortText(std::get<Generalised>(result).graph),
            "s0 = sym_size.int(x, 0)\nsize = s0 % 7\nsize_1 = 0 - size\n"
            "y = constant_pad_nd.default(x, [0, size_1])\nreturn (y,)\n");
}

TEST_F(GeneraliseTest, ANumberOfWhichNothingIsKnownIsRefusedWithItsSymbols) {
  Walk(
      "x\nones = ones.default([{}])\nreturn (ones,)", [](int64_t size) { return size * size % 7; },
      InputAndView);
  const auto result = Run();
  const auto& refused = std::get<Refused>(result);
  EXPECT_EQ(refused.reason, "where a size comes from that is 1 here is not known");
  EXPECT_EQ(refused.node, NodeId(0));
  EXPECT_THAT(refused.symbols, ElementsAre(0));
}

TEST_F(GeneraliseTest, ConvolutionsHaveAFormula) {
  Walk(
      "x, w\ny = conv1d.default(x, w, None, [2], [1], [1], 1)\nreturn (y,)",
      [](int64_t) -> int64_t { return 0; },
      [](int64_t size) -> std::vector<std::vector<int64_t>> {
        return {{2, 3, size}, {4, 3, 3}, {2, 4, (size - 1) / 2 + 1}};
      });
  Numbers numbers(hints_);
  std::vector<const SizedGraph*> worlds;
  for (const SizedGraph& world : worlds_) worlds.push_back(&world);
  LearnFormulas(worlds, NodeId(0), numbers);
  EXPECT_EQ(ToString(*numbers.FindInSymbols(SizeIn(worlds, ValueId(2), 2))), "(s0 - 1)//2 + 1");
}

TEST_F(GeneraliseTest, GraphsThatDifferInMoreThanNumbersAreNotAlike) {
  const Graph relu = tests::ShortGraph("x\ny = relu.default(x)\nreturn (y,)");
  EXPECT_TRUE(IsSameButForNumbers(relu, relu));
  EXPECT_FALSE(IsSameButForNumbers(relu, tests::ShortGraph("x\ny = sin.default(x)\nreturn (y,)")));
  EXPECT_FALSE(IsSameButForNumbers(tests::ShortGraph("x\ny = sum.dim_IntList(x, [0], True)\nreturn (y,)"),
                                   tests::ShortGraph("x\ny = sum.dim_IntList(x, [0], False)\nreturn (y,)")));
}

}  // namespace
}  // namespace culprit::graph::sizes
