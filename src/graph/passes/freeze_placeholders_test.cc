// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/freeze_placeholders.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/run/interpreter.h"
#include "tests/lib/graph_builder.h"

namespace culprit::graph {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using tests::TestGraph;

TEST(FreezePlaceholdersTest, ParametersAndBuffersBecomeConstantsWithTheirPresentValues) {
  TestGraph g;
  const ValueId w = g.Placeholder("w", PlaceholderKind::kParameter);
  const ValueId x = g.Placeholder("x");
  const ValueId b = g.Placeholder("b", PlaceholderKind::kBuffer);
  g.Return({g.Call("aten::add.Tensor", {g.Call("aten::mul.Tensor", {x, w}), b})});
  const at::Tensor weight = at::full({2}, 3.0).requires_grad_(true);
  const FrozenGraph frozen = FreezePlaceholders(g.graph(), {weight, at::ones({2}), at::full({2}, 0.5)});
  EXPECT_THAT(frozen.kept, ElementsAre(1));
  EXPECT_EQ(frozen.graph.constants().size(), 2u);
  EXPECT_FALSE(frozen.graph.constants()[0].tensor.requires_grad());
  weight.detach().zero_();
  const at::Tensor result = Interpreter(frozen.graph).Run({at::ones({2})})[0].toTensor();
  EXPECT_TRUE(result.equal(at::full({2}, 3.5)));
}

TEST(FreezePlaceholdersTest, WhatIsWrittenIntoStaysWithTheCaller) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId b = g.Placeholder("b", PlaceholderKind::kBuffer);
  g.Return({g.Call("aten::add_.Tensor", {g.Call("aten::view", {b, {-1}}), x})});
  const FrozenGraph frozen = FreezePlaceholders(g.graph(), {at::ones({2}), at::ones({2})});
  EXPECT_THAT(frozen.kept, ElementsAre(0, 1));
  EXPECT_THAT(frozen.graph.constants(), IsEmpty());
}

TEST(FreezePlaceholdersTest, ATensorThatMayChangeUnnoticedStaysWithTheCaller) {
  TestGraph g;
  const ValueId w = g.Placeholder("w", PlaceholderKind::kParameter);
  g.Return({g.Call("aten::neg", {w})});
  const c10::InferenceMode inference;
  EXPECT_THAT(FreezePlaceholders(g.graph(), {at::ones({2})}).kept, ElementsAre(0));
}

TEST(FreezePlaceholdersTest, NothingIsFrozenIfNobodyWantsThat) {
  TestGraph g;
  g.Return({g.Call("aten::neg", {g.Placeholder("w", PlaceholderKind::kParameter)})});
  const FrozenGraph kept = KeepPlaceholders(g.graph());
  EXPECT_EQ(kept.graph, g.graph());
  EXPECT_THAT(kept.kept, ElementsAre(0));
}

TEST(FreezePlaceholdersTest, InputsKeepTheirSymbols) {
  TestGraph g;
  const ValueId w = g.Placeholder("w", PlaceholderKind::kParameter);
  const ValueId x = g.Placeholder("x");
  g.graph().SetSymbols(1, {"s0"});
  g.Return({g.Call("aten::mul.Tensor", {x, w})});
  const FrozenGraph frozen = FreezePlaceholders(g.graph(), {at::ones({1}), at::ones({2})});
  EXPECT_THAT(frozen.graph.placeholders()[0].symbols, ElementsAre("s0"));
}

TEST(FreezePlaceholdersTest, AnOutputIsTheCallersTensorAndNodesUseTheConstant) {
  TestGraph g;
  const ValueId w = g.Placeholder("w", PlaceholderKind::kParameter);
  g.Return({g.Call("aten::neg", {w}), w});
  const FrozenGraph frozen = FreezePlaceholders(g.graph(), {at::ones({2})});
  EXPECT_THAT(frozen.kept, ElementsAre(0));
  const at::Tensor other = at::full({2}, 7.0);
  const std::vector<c10::IValue> outputs = Interpreter(frozen.graph).Run({other});
  EXPECT_TRUE(outputs[0].toTensor().equal(at::full({2}, -1.0)));
  EXPECT_TRUE(outputs[1].toTensor().is_same(other));
}

TEST(FreezePlaceholdersTest, SharedMemoryIsSharedByTheConstants) {
  TestGraph g;
  const ValueId a = g.Placeholder("a", PlaceholderKind::kParameter);
  const ValueId b = g.Placeholder("b", PlaceholderKind::kParameter);
  g.Return({g.Call("aten::add.Tensor", {a, b})});
  const at::Tensor tied = at::ones({4});
  const FrozenGraph frozen = FreezePlaceholders(g.graph(), {tied, tied.slice(0, 1, 3)});
  const auto& constants = frozen.graph.constants();
  EXPECT_TRUE(constants[0].tensor.is_alias_of(constants[1].tensor));
}

TEST(FreezePlaceholdersTest, AMissingParameterStaysMissing) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId w = g.Placeholder("w");
  const ValueId b = g.Placeholder("b", PlaceholderKind::kParameter);
  g.Return({g.Call("aten::linear", {x, w, b})});
  const FrozenGraph frozen =
      FreezePlaceholders(g.graph(), {at::ones({1, 2}), at::ones({3, 2}), c10::IValue()});
  EXPECT_THAT(frozen.kept, ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace culprit::graph
