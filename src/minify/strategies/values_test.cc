// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/linspace.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "graph/tensors/recognise_seeded.h"
#include "tests/lib/graph_builder.h"
#include "tests/lib/strategy_run.h"

namespace culprit::minify::strategies {
namespace {

using tests::ExpectValidOnRandomGraphs;
using tests::ProposalsWithoutSuccess;
using tests::RunStrategy;
using tests::TestGraph;

Program Sum() {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  const graph::ValueId w = g.Placeholder("w", graph::PlaceholderKind::kParameter);
  g.Return({g.Call("aten::add.Tensor", {x, w})});
  return {g.graph(), {at::linspace(0.123, 7.89, 40).view({4, 10}).t(), at::linspace(-1.17, 1.39, 4)}};
}

at::Tensor Input(const Program& program, size_t i) {
  return program.inputs[i].toTensor();
}

TEST(ValuesTest, ZerosEverywhereWithOneQuestion) {
  const SearchResult result = RunStrategy("values", Sum(), [](const Program&) { return true; });
  EXPECT_EQ(result.questions, 1);
  EXPECT_TRUE(Input(result.program, 0).equal(at::zeros({10, 4})));
  EXPECT_EQ(Input(result.program, 0).strides(), Input(Sum(), 0).strides());
  EXPECT_TRUE(Input(result.program, 1).equal(at::zeros({4})));
}

TEST(ValuesTest, TheSimplestThatFailsForEach) {
  // Wrong only where numbers are neither integers nor all the same.
  const SearchResult result = RunStrategy("values", Sum(), [](const Program& program) {
    return !Input(program, 0).equal(Input(program, 0).round());
  });
  const at::Tensor memory = Input(result.program, 0).t().contiguous();
  const auto seeded = graph::RecogniseSeeded(
      {static_cast<const std::byte*>(memory.data_ptr()), memory.nbytes()}, memory.scalar_type());
  ASSERT_TRUE(seeded.has_value());
  EXPECT_EQ(seeded->kind, graph::SeededNumbers::Kind::kNormal);
  EXPECT_TRUE(Input(result.program, 1).equal(at::zeros({4})));
}

TEST(ValuesTest, RoundedIfItsOwnNumbersAreNeeded) {
  TestGraph g;
  g.Return({g.Call("aten::relu", {g.Placeholder("x")})});
  const SearchResult result =
      RunStrategy("values", {g.graph(), {at::linspace(41.7, 76.3, 3)}},
                  [](const Program& program) { return Input(program, 0).min().item<float>() > 30; });
  EXPECT_TRUE(Input(result.program, 0).equal(at::tensor({40.0F, 60.0F, 80.0F}))) << Input(result.program, 0);
}

TEST(ValuesTest, ZerosStay) {
  TestGraph g;
  g.Return({g.Call("aten::relu", {g.Placeholder("x")})});
  EXPECT_EQ(ProposalsWithoutSuccess("values", {g.graph(), {at::zeros({2})}}), 0);
}

TEST(ValuesTest, WhatItProposesIsValid) {
  ExpectValidOnRandomGraphs("values", 10);
}

}  // namespace
}  // namespace culprit::minify::strategies
