// SPDX-License-Identifier: Apache-2.0
#include "minify/rewrite/replace_leaves.h"

#include <ATen/ops/full.h>
#include <gtest/gtest.h>

#include "graph/ir/verify.h"
#include "graph/run/interpreter.h"
#include "tests/lib/fake_checks.h"

namespace culprit::minify {
namespace {

using graph::ValueKind;
using tests::TestGraph;

/// x * y * n
Program Product() {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  const graph::ValueId y = g.Placeholder("y");
  const graph::ValueId n = g.Placeholder("n", graph::PlaceholderKind::kInput, ValueKind::kInt);
  g.Return({g.Call("aten::mul.Tensor", {g.Call("aten::mul.Tensor", {x, y}), n})});
  return {g.graph(), {at::full({2}, 3.0), at::full({2}, 5.0), int64_t{7}}};
}

double FirstNumber(const Program& program) {
  EXPECT_TRUE(graph::Verify(program.graph).ok());
  return graph::Interpreter(program.graph).Run(program.inputs)[0].toTensor()[0].item<double>();
}

TEST(ReplaceLeavesTest, AnEarlierInputTakesThePlaceOfAnother) {
  const Program product = Product();
  const auto& placeholders = product.graph.placeholders();
  const Program program =
      *ReplaceLeaves(product, {{placeholders[1].value, graph::Argument(placeholders[0].value)}});
  EXPECT_EQ(program.inputs.size(), 2);
  EXPECT_EQ(FirstNumber(program), 3 * 3 * 7);
}

TEST(ReplaceLeavesTest, ANumberStandsInTheCall) {
  const Program product = Product();
  const Program program = *ReplaceLeaves(
      product, {{product.graph.placeholders()[2].value, graph::Argument(c10::IValue(int64_t{7}))}});
  EXPECT_EQ(program.inputs.size(), 2);
  EXPECT_EQ(FirstNumber(program), 3 * 5 * 7);
}

TEST(ReplaceLeavesTest, InputsThatStayKeepTheirSymbols) {
  Program product = Product();
  product.graph.SetSymbols(1, {"s0"});
  const Program program = *ReplaceLeaves(
      product, {{product.graph.placeholders()[2].value, graph::Argument(c10::IValue(int64_t{7}))}});
  EXPECT_EQ(program.graph.placeholders()[1].symbols, std::vector<std::string>{"s0"});
}

TEST(ReplaceLeavesTest, NothingToReplaceIsRefused) {
  EXPECT_FALSE(ReplaceLeaves(Product(), {}).ok());
  EXPECT_FALSE(DropUnusedInputs(Product()).ok());
}

TEST(ReplaceLeavesTest, AnInputThatIsOnlyAnOutputIsUsed) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  g.Placeholder("y");
  g.Return({x});
  const Program program = *DropUnusedInputs({g.graph(), {at::ones({2}), at::ones({3})}});
  ASSERT_EQ(program.inputs.size(), 1);
  EXPECT_EQ(program.inputs[0].toTensor().numel(), 2);
}

}  // namespace
}  // namespace culprit::minify
