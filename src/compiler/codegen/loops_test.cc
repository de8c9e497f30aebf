// SPDX-License-Identifier: Apache-2.0
//
// Kernels of every form against libtorch: lengths around the number of lanes, reductions along both kinds of
// lanes, several stages, scans, sizes as arguments.
#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/sum.h>
#include <gtest/gtest.h>

#include "compiler/codegen/loaded_test.h"

namespace culprit::compiler::codegen {
namespace {

using loops::Body;
using loops::Combine;
using loops::ExprId;
using loops::Kernel;
using loops::Lanes;
using loops::Op;
using loops::Type;

const Formula kItself = [](Body&, const std::vector<ExprId>& x) { return x[0]; };

at::Tensor Random(at::IntArrayRef sizes, uint64_t seed = 1) {
  at::manual_seed(seed);
  return at::randn(sizes);
}

TEST(Loops, ElementsOfAnyNumberAreComputedAndNoOthers) {
  for (const Options& options : AllOptions()) {
    for (const int64_t extent : {0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 4095, 4096, 4097, 100003}) {
      const at::Tensor x = Random({extent});
      const at::Tensor out = at::full({extent + 8}, 42.0F);
      RunKernel(Pointwise({at::kFloat}, at::kFloat, extent,
                          [](Body& body, const std::vector<ExprId>& operands) {
                            return body.Apply(Op::kAdd, {operands[0], body.Constant(1.0, Type::Float)});
                          }),
                {x, out}, options);
      EXPECT_TRUE(out.narrow(0, 0, extent).equal(x + 1)) << extent << " " << TextOf(options);
      EXPECT_TRUE(out.narrow(0, extent, 8).equal(at::full({8}, 42.0F))) << extent << " " << TextOf(options);
    }
  }
}

TEST(Loops, RowsAreSummedAlongBothKindsOfLanes) {
  for (const Options& options : AllOptions()) {
    for (const Lanes lanes : {Lanes::kInner, Lanes::kOuter}) {
      for (const int64_t columns : {1, 3, 16, 17, 64, 100, 1000, 5000}) {
        const int64_t rows = 37;
        const at::Tensor x = Random({rows, columns});
        const bool is_inner = lanes == Lanes::kInner;
        const at::Tensor out = at::empty({is_inner ? rows : columns});
        RunKernel(Reduction(at::kFloat, at::kFloat, rows, columns, Combine::kSum, lanes, kItself), {x, out},
                  options);
        const at::Tensor expected = x.to(at::kDouble).sum(is_inner ? 1 : 0).to(at::kFloat);
        EXPECT_TRUE(at::allclose(out, expected, 1e-5, 1e-5)) << columns << " " << TextOf(options);
      }
    }
  }
}

Kernel Softmax(int64_t rows, int64_t columns) {
  Kernel kernel;
  Body& body = kernel.body;
  kernel.buffers = {{at::kFloat, false}, {at::kFloat, true}};
  kernel.outer = 1;
  kernel.lanes = Lanes::kInner;
  kernel.extents = {body.Constant(rows, Type::Long), body.Constant(columns, Type::Long)};
  const ExprId place = body.Apply(
      Op::kAdd,
      {body.Apply(Op::kMul, {body.IndexOf(0), body.Constant(columns, Type::Long)}), body.IndexOf(1)});
  const ExprId x = body.Load(0, Type::Float, {place});
  const ExprId power = body.Apply(Op::kExp, {body.Apply(Op::kSub, {x, body.Row(0, Type::Float)})});
  kernel.stages = {
      {.variables = {1}, .kind = loops::LoopKind::kReduction, .combine = Combine::kMax, .combined = x},
      {.variables = {1}, .kind = loops::LoopKind::kReduction, .combine = Combine::kSum, .combined = power},
      {.variables = {1}, .stores = {{1, place, body.Apply(Op::kDiv, {power, body.Row(1, Type::Float)})}}}};
  return kernel;
}

TEST(Loops, ThreeStagesAreASoftmax) {
  for (const Options& options : AllOptions()) {
    for (const int64_t columns : {1, 5, 16, 64, 1000}) {
      const at::Tensor x = Random({33, columns}) * 10;
      const at::Tensor out = at::empty_like(x);
      RunKernel(Softmax(33, columns), {x, out}, options);
      EXPECT_TRUE(at::allclose(out, at::softmax(x, 1), 1e-5, 1e-7)) << columns << " " << TextOf(options);
    }
  }
}

}  // namespace
}  // namespace culprit::compiler::codegen
