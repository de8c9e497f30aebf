// SPDX-License-Identifier: Apache-2.0
#include "autograd/variant.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "tests/lib/watched_program.h"

namespace culprit::autograd {
namespace {

using graph::SameTensor;
using tests::WatchedProgram;

at::Tensor Leaf() {
  return at::arange(6.0).div(7).view({2, 3}).requires_grad_();
}

TEST(VariantTest, BatchNormsStatisticsAreWrittenWithoutANewVersion) {
  WatchedProgram program(
      "x, m, v\n"
      "y, a, b = native_batch_norm.default(x, None, None, m, v, True, 0.1, 0.5)\n"
      "return (y,)");
  const at::Tensor mean = at::zeros({3});
  const at::Tensor plain_mean = at::zeros({3});
  program({Leaf(), mean, at::ones({3})});
  program.Plain({Leaf(), plain_mean, at::ones({3})});
  EXPECT_TRUE(SameTensor(mean, plain_mean));
  EXPECT_EQ(mean._version(), plain_mean._version());
}

TEST(VariantTest, WhatIsWrittenWithoutHistoryHasANewVersionAndItsOldHistory) {
  WatchedProgram program(
      "x\nd = detach.default(x)\ny = add_.Tensor(d, 1)\nz = mul.Tensor(x, 2)\nreturn (z,)");
  const at::Tensor x = Leaf().mul(1);
  const torch::autograd::Node* const history = x.grad_fn().get();
  program({x});
  EXPECT_EQ(x._version(), 1U);
  EXPECT_EQ(x.grad_fn().get(), history);
  EXPECT_TRUE(x.equal(Leaf().add(1)));
}

TEST(VariantTest, BackwardSeesAnInputAsItWasBeforeTheGraphWroteIntoIt) {
  WatchedProgram program(
      "x, w\na = mul.Tensor(x, w)\nb = clone.default(a)\ny = exp_.default(x)\nreturn (b,)");
  const auto gradient = [&](bool compiled) {
    const at::Tensor leaf = Leaf();
    const at::Tensor x = leaf.mul(3);
    const at::Tensor b =
        compiled ? program.First({x, at::ones({2, 3})}) : program.Plain({x, at::ones({2, 3})})[0].toTensor();
    b.add(x).sum().backward();
    return leaf.grad();
  };
  EXPECT_TRUE(SameTensor(gradient(true), gradient(false)));
  EXPECT_EQ(program.log, "");
}

TEST(VariantTest, OutputsAreNoViewsOfWhatTheCompilerHasMade) {
  WatchedProgram program(
      "x\ny = exp.default(x)\nz = view.default(y, [6])\nw = add_.Tensor(z, 1)\nreturn (y,)");
  const at::Tensor y = program.First({at::ones({2, 3})});
  EXPECT_FALSE(y.is_view());
  EXPECT_TRUE(y.equal(at::ones({2, 3}).exp().add(1)));
}

TEST(VariantTest, AViewThatIsReturnedCanBeWrittenAndReachesItsBase) {
  WatchedProgram program("x\ny = exp.default(x)\nz = select.int(y, 0, 1)\nreturn (y, z)");
  const auto gradient = [&](bool compiled) {
    const at::Tensor x = Leaf();
    const backend::Values outputs = compiled ? program({x}) : program.Plain({x});
    outputs[1].toTensor().mul_(5);
    outputs[0].toTensor().mul(2).sum().backward();
    return x.grad();
  };
  // exp needs its result, which was written: a view of it tells backward so, as in libtorch.
  EXPECT_THROW(gradient(false), c10::Error);
  EXPECT_THROW(gradient(true), c10::Error);
}

TEST(VariantTest, ConstantsAreReturnedAsTheyAre) {
  WatchedProgram program("x\ny = exp.default(x)\nreturn (None, y, 3)");
  const backend::Values outputs = program({Leaf()});
  EXPECT_TRUE(outputs[0].isNone());
  EXPECT_EQ(outputs[2].toInt(), 3);
}

TEST(VariantTest, MinCutGivesTheSameBitsAndSavesLess) {
  const std::string text =
      "x\na = mul.Tensor(x, 3)\nb = exp.default(a)\nc = sin.default(b)\ny = mul.Tensor(c, b)\nreturn (y,)";
  WatchedProgram saving(text);
  WatchedProgram recomputing(text, {.partition = FindPartitionMode("min-cut")});
  const auto gradient = [](WatchedProgram& program) {
    const at::Tensor x = Leaf();
    program.First({x}).sum().backward();
    return x.grad();
  };
  EXPECT_TRUE(SameTensor(gradient(saving), gradient(recomputing)));
  EXPECT_LT(recomputing.watch.graphs[0].outputs().size(), saving.watch.graphs[0].outputs().size());
}

}  // namespace
}  // namespace culprit::autograd
