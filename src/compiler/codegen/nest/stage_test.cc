// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/nest/stage.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cumprod.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/sum.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/codegen/analysis/read_ahead.h"
#include "compiler/codegen/nest/staggered_stages.h"
#include "tests/lib/generated_kernels.h"

namespace culprit::compiler::codegen {
namespace {

using at::Tensor;
using loops::Body;
using loops::Combine;
using loops::ExprId;
using loops::Kernel;
using loops::Lanes;
using loops::LoopKind;
using loops::Op;
using loops::Stage;
using loops::Type;

ExprId Long(Body& body, int64_t value) {
  return body.Constant(value, Type::Long);
}

/// row * columns + column
ExprId Place(Body& body, ExprId row, ExprId columns, ExprId column) {
  return body.Apply(Op::kAdd, {body.Apply(Op::kMul, {row, columns}), column});
}

/// A size that is an argument.
ExprId Number(Kernel& kernel, int64_t value) {
  kernel.numbers.push_back(value);
  return kernel.body.Add(
      {.op = Op::kSize, .type = Type::Long, .integer = static_cast<int64_t>(kernel.numbers.size()) - 1});
}

Stage Reduced(std::vector<uint32_t> variables, Combine combine, ExprId value) {
  return {
      .variables = std::move(variables), .kind = LoopKind::kReduction, .combine = combine, .combined = value};
}

/// With the powers stored by the stage that sums them, and read again by the next.
Kernel Softmax(ExprId (*size)(Kernel&, int64_t), int64_t rows, int64_t columns) {
  Kernel kernel;
  Body& body = kernel.body;
  kernel.buffers = {{at::kFloat, false}, {at::kFloat, true}};
  kernel.outer = 1;
  kernel.lanes = Lanes::kInner;
  kernel.extents = {size(kernel, rows), size(kernel, columns)};
  const ExprId place = Place(body, body.IndexOf(0), kernel.extents[1], body.IndexOf(1));
  const ExprId x = body.Load(0, Type::Float, {place});
  const ExprId power = body.Apply(Op::kExp, {body.Apply(Op::kSub, {x, body.Row(0, Type::Float)})});
  Stage sum = Reduced({1}, Combine::kSum, power);
  sum.stores = {{1, place, power}};
  const ExprId stored = body.Load(1, Type::Float, {place});
  kernel.stages = {
      Reduced({1}, Combine::kMax, x),
      std::move(sum),
      {.variables = {1}, .stores = {{1, place, body.Apply(Op::kDiv, {stored, body.Row(1, Type::Float)})}}}};
  return kernel;
}

TEST(Stage, ReadsWhatAnEarlierOneHasStored) {
  at::manual_seed(1);
  for (const Options& options : AllOptions()) {
    for (const int64_t columns : {1, 5, 16, 64, 1000}) {
      const Tensor x = at::randn({33, columns}) * 10;
      const Tensor out = at::empty_like(x);
      RunKernel(Softmax([](Kernel& kernel, int64_t value) { return Long(kernel.body, value); }, 33, columns),
                {x, out}, options);
      EXPECT_TRUE(at::allclose(out, at::softmax(x, 1), 1e-5, 1e-7)) << columns << " " << TextOf(options);
    }
  }
}

TEST(Stage, ALongRowIsAskedForWhileTheOneBeforeIsComputed) {
  const Kernel kernel = Softmax([](Kernel& of, int64_t value) { return Long(of.body, value); }, 300, 1000);
  const ReadAhead ahead(kernel);
  const ExprId place = kernel.stages[1].stores[0].index;
  EXPECT_EQ(ahead.OfLoad(0, 0, place), ReadAheadDistance::kNone);
  EXPECT_EQ(ahead.OfLoad(1, 0, place), ReadAheadDistance::kRow);
  EXPECT_EQ(ahead.OfStore(1, kernel.stages[1].stores[0]), ReadAheadDistance::kRow);
  // What an earlier stage has stored is there.
  EXPECT_EQ(ahead.OfLoad(2, 1, place), ReadAheadDistance::kNone);
  EXPECT_EQ(ahead.OfStore(2, kernel.stages[2].stores[0]), ReadAheadDistance::kNone);
}

TEST(Stage, ShortRowsAreAskedForByTheFirstStageThatUsesThem) {
  const Kernel kernel = Softmax([](Kernel& of, int64_t value) { return Long(of.body, value); }, 3000, 64);
  const ReadAhead ahead(kernel);
  const ExprId place = kernel.stages[1].stores[0].index;
  EXPECT_EQ(ahead.OfLoad(0, 0, place), ReadAheadDistance::kPage);
  EXPECT_EQ(ahead.OfLoad(1, 0, place), ReadAheadDistance::kNone);
  EXPECT_EQ(ahead.OfStore(1, kernel.stages[1].stores[0]), ReadAheadDistance::kPage);
  EXPECT_EQ(ahead.OfStore(2, kernel.stages[2].stores[0]), ReadAheadDistance::kNone);
}

TEST(Stage, ShortRowsAreStaggered) {
  const auto size = [](Kernel& kernel, int64_t value) { return Long(kernel.body, value); };
  const Shape shape{.lanes = 16};
  EXPECT_TRUE(StaggeredStages::AreGoodFor(Softmax(size, 33, 64), shape));
  EXPECT_FALSE(StaggeredStages::AreGoodFor(Softmax(size, 33, 1000), shape));
  EXPECT_FALSE(StaggeredStages::AreGoodFor(Softmax(Number, 33, 64), shape));
  EXPECT_FALSE(StaggeredStages::AreGoodFor(Softmax(size, 33, 64), {.lanes = 1}));
}

TEST(Stage, FewPiecesAreComputedAndNoOthers) {
  at::manual_seed(4);
  const auto size = [](Kernel& kernel, int64_t value) { return Long(kernel.body, value); };
  const loops::KernelEntry entry = Loaded(Softmax(size, 10, 24));
  const Tensor x = at::randn({10, 24});
  for (const auto& [begin, end] :
       std::vector<std::pair<int64_t, int64_t>>{{0, 0}, {0, 1}, {3, 4}, {4, 6}, {7, 10}}) {
    const Tensor out = at::full({10, 24}, 42, at::kFloat);
    void* buffers[] = {x.data_ptr(), out.data_ptr()};
    entry(buffers, nullptr, begin, end);
    Tensor expected = at::full({10, 24}, 42, at::kFloat);
    expected.slice(0, begin, end).copy_(at::softmax(x, 1).slice(0, begin, end));
    EXPECT_TRUE(at::allclose(out, expected, 1e-5, 1e-7)) << begin << " to " << end;
  }
}

TEST(Stage, RunsForAllSizesThatAreArguments) {
  at::manual_seed(2);
  for (const Options& options : AllOptions()) {
    Kernel kernel = Softmax(Number, 2, 3);
    const loops::KernelEntry entry = Loaded(kernel, options);
    for (const int64_t columns : {1, 2, 15, 16, 17, 64, 100, 4097, 20000}) {
      kernel.numbers = {7, columns};
      const Tensor x = at::randn({7, columns});
      const Tensor out = at::empty_like(x);
      void* buffers[] = {x.data_ptr(), out.data_ptr()};
      entry(buffers, kernel.numbers.data(), 0, kernel.Pieces());
      EXPECT_TRUE(at::allclose(out, at::softmax(x, 1), 1e-5, 1e-7)) << columns << " " << TextOf(options);
    }
  }
}

/// x -> x + 1 in place, its sum, and then each divided by it: the same load means two values.
TEST(Stage, ReadsAgainWhatHasChanged) {
  at::manual_seed(3);
  for (const Options& options : AllOptions()) {
    Kernel kernel;
    Body& body = kernel.body;
    kernel.buffers = {{at::kFloat, true}, {at::kFloat, true}};
    kernel.outer = 1;
    kernel.extents = {Long(body, 100)};
    const ExprId i = body.IndexOf(0);
    const ExprId x = body.Load(0, Type::Float, {i});
    const ExprId more = body.Apply(Op::kAdd, {x, body.Constant(1.0, Type::Float)});
    kernel.stages = {{.stores = {{0, i, more}}}, {.stores = {{1, i, more}}}};
    const Tensor in_place = at::randn({100});
    const Tensor before = in_place.clone();
    const Tensor out = at::empty({100});
    RunKernel(kernel, {in_place, out}, options);
    EXPECT_TRUE(in_place.equal(before + 1)) << TextOf(options);
    EXPECT_TRUE(out.equal(before + 1 + 1)) << TextOf(options);
  }
}

/// Sums over the first and the last of three dimensions, with lanes over the last or over the second.
TEST(Stage, ReducesSeveralVariables) {
  at::manual_seed(4);
  for (const Options& options : AllOptions()) {
    for (const Lanes lanes : {Lanes::kInner, Lanes::kOuter}) {
      for (const int64_t length : {1, 3, 70, 300}) {
        Kernel kernel;
        Body& body = kernel.body;
        kernel.buffers = {{at::kFloat, false}, {at::kFloat, true}};
        kernel.outer = 1;
        kernel.lanes = lanes;
        const int64_t channels = 21;
        kernel.extents = {Long(body, channels), Long(body, 5), Long(body, length)};
        const ExprId row = Place(body, body.IndexOf(1), Long(body, channels), body.IndexOf(0));
        const ExprId x = body.Load(0, Type::Float, {Place(body, row, Long(body, length), body.IndexOf(2))});
        kernel.stages = {Reduced({1, 2}, Combine::kSum, x),
                         {.stores = {{1, body.IndexOf(0), body.Row(0, Type::Float)}}}};
        const Tensor tensor = at::randn({5, channels, length});
        const Tensor out = at::empty({channels});
        RunKernel(kernel, {tensor, out}, options);
        EXPECT_TRUE(at::allclose(out, tensor.sum(at::IntArrayRef({0, 2})), 1e-5, 1e-4))
            << length << " " << TextOf(options);
      }
    }
  }
}

/// out[a, b, c] = x[a, b, c] * y[b]: three outer variables, of which the last is cut into chunks.
TEST(Stage, RunsInEachIterationOfAllOuterVariables) {
  at::manual_seed(5);
  for (const Options& options : AllOptions()) {
    for (const int64_t length : {3, 16, 5000}) {
      Kernel kernel;
      Body& body = kernel.body;
      kernel.buffers = {{at::kFloat, false}, {at::kFloat, false}, {at::kFloat, true}};
      kernel.outer = 3;
      kernel.extents = {Long(body, 3), Long(body, 7), Long(body, length)};
      const ExprId row = Place(body, body.IndexOf(0), Long(body, 7), body.IndexOf(1));
      const ExprId place = Place(body, row, Long(body, length), body.IndexOf(2));
      const ExprId product = body.Apply(
          Op::kMul, {body.Load(0, Type::Float, {place}), body.Load(1, Type::Float, {body.IndexOf(1)})});
      kernel.stages = {{.stores = {{2, place, product}}}};
      const Tensor x = at::randn({3, 7, length});
      const Tensor y = at::randn({7});
      const Tensor out = at::empty_like(x);
      RunKernel(kernel, {x, y, out}, options);
      EXPECT_TRUE(out.equal(x * y.view({7, 1}))) << length << " " << TextOf(options);
    }
  }
}

Kernel Scan(Lanes lanes, int64_t rows, int64_t columns, Combine combine, at::ScalarType dtype) {
  Kernel kernel;
  Body& body = kernel.body;
  kernel.buffers = {{dtype, false}, {loops::FindsPlace(combine) ? at::kLong : dtype, true}};
  kernel.outer = 1;
  kernel.lanes = lanes;
  const bool is_inner = lanes == Lanes::kInner;
  kernel.extents = {Long(body, is_inner ? rows : columns), Long(body, is_inner ? columns : rows)};
  const ExprId place =
      Place(body, body.IndexOf(is_inner ? 0 : 1), Long(body, columns), body.IndexOf(is_inner ? 1 : 0));
  kernel.stages = {{.variables = {1},
                    .kind = LoopKind::kScan,
                    .combine = combine,
                    .combined = body.Load(0, dtype, {place}),
                    .stores = {{1, place, ExprId{}}}}};
  return kernel;
}

TEST(Stage, ScansAlongRowsAndColumns) {
  at::manual_seed(6);
  for (const Options& options : AllOptions()) {
    for (const Lanes lanes : {Lanes::kInner, Lanes::kOuter}) {
      for (const at::ScalarType dtype : {at::kFloat, at::kDouble, at::kLong}) {
        const Tensor x = (at::randn({19, 37}) * 3).to(dtype);
        const int64_t dimension = lanes == Lanes::kInner ? 1 : 0;
        const auto scanned = [&](Combine combine) {
          const Tensor out = at::empty_like(x);
          RunKernel(Scan(lanes, 19, 37, combine, dtype), {x, out}, options);
          return out;
        };
        EXPECT_TRUE(at::allclose(scanned(Combine::kSum), x.cumsum(dimension), 1e-5, 1e-5)) << TextOf(options);
        EXPECT_TRUE(at::allclose(scanned(Combine::kProduct), x.cumprod(dimension), 1e-4, 1e-30))
            << TextOf(options);
        EXPECT_TRUE(scanned(Combine::kMax).equal(std::get<0>(x.cummax(dimension)))) << TextOf(options);
      }
    }
  }
}

/// Mean and variance of a row, computed once between the loops.
TEST(Stage, ComputesOnceWhatDependsOnTheRowOnly) {
  at::manual_seed(7);
  for (const Options& options : AllOptions()) {
    const int64_t columns = 200;
    Kernel kernel;
    Body& body = kernel.body;
    kernel.buffers = {{at::kFloat, false}, {at::kFloat, true}, {at::kFloat, true}};
    kernel.outer = 1;
    kernel.lanes = Lanes::kInner;
    kernel.extents = {Long(body, 11), Long(body, columns)};
    const ExprId count = body.Constant(static_cast<double>(columns), Type::Float);
    const ExprId place = Place(body, body.IndexOf(0), Long(body, columns), body.IndexOf(1));
    const ExprId x = body.Load(0, Type::Float, {place});
    const ExprId mean = body.Apply(Op::kDiv, {body.Row(0, Type::Float), count});
    const ExprId centred = body.Apply(Op::kSub, {x, mean});
    const ExprId variance = body.Apply(Op::kDiv, {body.Row(1, Type::Float), count});
    const ExprId scale =
        body.Apply(Op::kSqrt, {body.Apply(Op::kAdd, {variance, body.Constant(1e-5, Type::Float)})});
    kernel.stages = {Reduced({1}, Combine::kSum, x),
                     Reduced({1}, Combine::kSum, body.Apply(Op::kMul, {centred, centred})),
                     {.stores = {{2, body.IndexOf(0), mean}}},
                     {.variables = {1}, .stores = {{1, place, body.Apply(Op::kDiv, {centred, scale})}}}};
    const Tensor tensor = at::randn({11, columns}) + 3;
    const Tensor out = at::empty_like(tensor);
    const Tensor means = at::empty({11});
    RunKernel(kernel, {tensor, out, means}, options);
    EXPECT_TRUE(at::allclose(out, at::layer_norm(tensor, {columns}), 1e-4, 1e-5)) << TextOf(options);
    EXPECT_TRUE(at::allclose(means, tensor.mean(1), 1e-5, 1e-5)) << TextOf(options);
    Listing listing;
    Generate(kernel, {Math::kFast}, &listing);
    size_t roots = 0;
    for (size_t at = 0; (at = listing.ir.find("call contract float @llvm.sqrt", at)) != std::string::npos;
         ++at)
      ++roots;
    EXPECT_EQ(roots, 1) << listing.ir;
  }
}

}  // namespace
}  // namespace culprit::compiler::codegen
