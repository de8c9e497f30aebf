// SPDX-License-Identifier: Apache-2.0
#include "autograd/joint/recompute.h"

#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"

namespace culprit::autograd {
namespace {

using graph::ValueId;
using tests::TestGraph;

class RecomputeTest : public testing::Test {
 protected:
  std::vector<Recompute> Verdicts() { return RecomputeOf({g_.graph(), 0, 0, g_.graph().nodes().size()}); }
  Recompute Last() { return Verdicts().back(); }

  TestGraph g_;
  const ValueId x_ = g_.Placeholder("x");
};

TEST_F(RecomputeTest, ViewsAreFreeAlsoThoseWhoseSchemaHidesIt) {
  g_.Call("aten::expand", {x_, {2, 3}});
  g_.Call("aten::_unsafe_view", {x_, {6}});
  EXPECT_EQ(Verdicts(), (std::vector<Recompute>{Recompute::kFree, Recompute::kFree}));
}

TEST_F(RecomputeTest, PointwiseOperatorsAndFactoriesAreCheap) {
  g_.Call("aten::mul.Tensor", {x_, x_});
  g_.Call("aten::full", {{2}, 1.0});
  EXPECT_EQ(Verdicts(), (std::vector<Recompute>{Recompute::kCheap, Recompute::kCheap}));
}

TEST_F(RecomputeTest, ProductsReductionsDrawsAndNumbersAreNotRecomputed) {
  g_.Call("aten::mm", {x_, x_});
  g_.Call("aten::sum", {x_});
  g_.Call("aten::bernoulli", {x_});
  g_.Call("aten::sym_size.int", {x_, 0});
  EXPECT_EQ(Verdicts(), std::vector<Recompute>(4, Recompute::kNever));
}

TEST_F(RecomputeTest, NothingThatReadsMemoryThatIsWrittenIsRecomputed) {
  const ValueId copy = g_.Call("aten::clone", {x_});
  g_.Call("aten::neg", {copy});
  g_.Call("aten::t", {copy});
  g_.Call("aten::add_.Tensor", {copy, 1.0});
  EXPECT_EQ(Verdicts(), std::vector<Recompute>(4, Recompute::kNever));
}

TEST_F(RecomputeTest, CompositeOperatorsThatMayHandAnArgumentThroughAreNoViews) {
  g_.Call("aten::einsum", {"ij->ji", {x_}});
  EXPECT_EQ(Last(), Recompute::kNever);
}

}  // namespace
}  // namespace culprit::autograd
