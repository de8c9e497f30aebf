// SPDX-License-Identifier: Apache-2.0
#include "check/query/sample_inputs.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "graph/run/interpreter.h"
#include "graph/tensors/tensor_copy.h"
#include "tests/lib/graph_builder.h"

namespace culprit::check {
namespace {

using graph::PlaceholderKind;
using graph::ValueId;

/// embedding(table, indices) * x, with a table of 3 rows.
repro::Repro Looking() {
  tests::TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId table = g.Placeholder("table", PlaceholderKind::kParameter);
  const ValueId indices = g.Placeholder("indices");
  const ValueId looked = g.Call("aten::embedding", {table, indices});
  g.Return({g.Call("aten::mul.Tensor", {looked, x})});
  return {g.graph(),
          {at::ones({4, 2}).t().contiguous().t().requires_grad_(true), at::ones({3, 2}),
           at::arange(4).remainder(3)}};
}

at::Tensor InputOf(const repro::Repro& repro, size_t index) {
  return repro.inputs.at(index).toTensor();
}

TEST(SampleInputsTest, TheFirstIsTheReproAsItIs) {
  const repro::Repro repro = Looking();
  const repro::Repro sample = *WithSample(repro, 0);
  for (size_t i = 0; i < repro.inputs.size(); ++i)
    EXPECT_TRUE(InputOf(sample, i).is_same(InputOf(repro, i))) << i;
}

TEST(SampleInputsTest, OthersHoldOtherNumbersInInputsAndTheSameInParameters) {
  const repro::Repro repro = Looking();
  const repro::Repro first = *WithSample(repro, 1), second = *WithSample(repro, 2);
  EXPECT_FALSE(InputOf(first, 0).equal(InputOf(repro, 0)));
  EXPECT_FALSE(InputOf(first, 0).equal(InputOf(second, 0)));
  EXPECT_TRUE(InputOf(first, 1).is_same(InputOf(repro, 1)));
  EXPECT_TRUE(InputOf(repro, 0).equal(at::ones({4, 2}))) << "the repro is left alone";
}

TEST(SampleInputsTest, TheSameNumberGivesTheSameSample) {
  const repro::Repro repro = Looking();
  EXPECT_TRUE(InputOf(*WithSample(repro, 5), 0).equal(InputOf(*WithSample(repro, 5), 0)));
}

TEST(SampleInputsTest, WhatIsSaidAboutTheTensorsStays) {
  const at::Tensor x = InputOf(*WithSample(Looking(), 1), 0);
  EXPECT_EQ(x.strides(), (at::IntArrayRef{1, 4}));
  EXPECT_TRUE(x.requires_grad());
  EXPECT_TRUE(x.is_leaf());
}

TEST(SampleInputsTest, TheGraphRunsOnEverySample) {
  for (uint64_t sample = 1; sample < 20; ++sample) {
    const repro::Repro drawn = *WithSample(Looking(), sample);
    EXPECT_NO_THROW(graph::Interpreter(drawn.graph).Run(drawn.inputs)) << sample;
  }
}

TEST(SampleInputsTest, NumbersThatAreNoTensorsStay) {
  tests::TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId n = g.Placeholder("n", PlaceholderKind::kInput, graph::ValueKind::kInt);
  g.Return({g.Call("aten::mul.Scalar", {x, n})});
  const repro::Repro sample = *WithSample({g.graph(), {at::ones({2}), 7}}, 3);
  EXPECT_EQ(sample.inputs.at(1).toInt(), 7);
}

}  // namespace
}  // namespace culprit::check
