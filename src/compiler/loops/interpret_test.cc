// SPDX-License-Identifier: Apache-2.0
#include "compiler/loops/interpret.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

namespace culprit::compiler::loops {
namespace {

// Rows of x less their largest element; where that is.
Kernel LessTheLargest(int64_t rows, int64_t columns) {
  Kernel kernel;
  kernel.buffers = {{at::kFloat}, {at::kFloat, true}, {at::kLong, true}};
  Body& body = kernel.body;
  kernel.extents = {body.Constant(rows, Type::Long), body.Constant(columns, Type::Long)};
  kernel.outer = 1;
  kernel.lanes = Lanes::kInner;
  const ExprId place =
      body.Apply(Op::kAdd, {body.Apply(Op::kMul, {body.IndexOf(0), kernel.extents[1]}), body.IndexOf(1)});
  const ExprId x = body.Load(0, Type::Float, {place});
  const ExprId difference = body.Apply(Op::kSub, {x, body.Row(0, Type::Float)});
  kernel.stages.push_back({{1}, LoopKind::kReduction, Combine::kMax, x});
  kernel.stages.push_back({{1}, LoopKind::kReduction, Combine::kArgMax, x});
  kernel.stages.push_back({{1}, LoopKind::kPointwise, Combine::kSum, {}, {{1, place, difference}}});
  kernel.stages.push_back(
      {{}, LoopKind::kPointwise, Combine::kSum, {}, {{2, body.IndexOf(0), body.Row(1, Type::Long)}}});
  Verify(kernel);
  return kernel;
}

TEST(InterpretTest, StagesKnowWhatEarlierOnesHaveReduced) {
  const at::Tensor x = at::randn({5, 7});
  const at::Tensor less = at::empty({5, 7});
  const at::Tensor places = at::empty({5}, at::kLong);
  void* buffers[] = {x.data_ptr(), less.data_ptr(), places.data_ptr()};
  Interpret(LessTheLargest(5, 7), buffers, 0, 5);
  EXPECT_TRUE(less.equal(x.sub(x.amax(1, /*keepdim=*/true))));
  EXPECT_TRUE(places.equal(x.argmax(1)));
}

TEST(InterpretTest, OnlyThePiecesThatAreAskedForRun) {
  const at::Tensor x = at::randn({5, 7});
  const at::Tensor less = at::empty({5, 7}).fill_(9);
  const at::Tensor places = at::empty({5}, at::kLong);
  void* buffers[] = {x.data_ptr(), less.data_ptr(), places.data_ptr()};
  Interpret(LessTheLargest(5, 7), buffers, 1, 2);
  EXPECT_TRUE(less.select(0, 0).eq(9).all().item<bool>());
  EXPECT_TRUE(less.select(0, 1).equal(x.select(0, 1).sub(x.select(0, 1).amax())));
}

TEST(KernelTest, PiecesAreChunksOfTheLanesOrIterations) {
  EXPECT_EQ(LessTheLargest(5, 7).Pieces(), 5);
  Kernel kernel;
  kernel.extents = {kernel.body.Constant(3, Type::Long),
                    kernel.body.Constant(Kernel::kChunk + 1, Type::Long)};
  kernel.outer = 2;
  EXPECT_EQ(kernel.Pieces(), 6);
}

}  // namespace
}  // namespace culprit::compiler::loops
