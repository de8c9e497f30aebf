// SPDX-License-Identifier: Apache-2.0
//
// What happens around the numbers: inputs that lie oddly, threads, sizes, random numbers, errors, memory.
#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <thread>

#include "graph/run/interpreter.h"
#include "graph/tensors/tensor_copy.h"
#include "tests/compiler/judge.h"
#include "tests/compiler/native_backend.h"
#include "tests/lib/short_graph.h"

namespace culprit::tests {
namespace {

using Values = std::vector<c10::IValue>;

constexpr const char* kSettings[] = {"fast",          "llvm-o3",     "exact",   "registers=256",
                                     "registers=128", "off=codegen", "off=fuse"};

void ExpectSame(const std::string& text, const Values& inputs) {
  for (const char* setting : kSettings)
    EXPECT_EQ(Judge(*OpenNative(SettingOf(setting)), ShortGraph(text), inputs, {.calls = 2}).difference, "")
        << setting << "\n"
        << text;
}

at::Tensor Specials() {
  const float infinity = std::numeric_limits<float>::infinity();
  at::Tensor numbers = at::randn({4, 9});
  numbers.index_put_({at::full({1}, 0, at::kLong), at::full({1}, 3, at::kLong)}, at::full({1}, NAN));
  numbers.index_put_({at::full({1}, 0, at::kLong), at::full({1}, 7, at::kLong)}, at::full({1}, NAN));
  numbers.index_put_({at::full({1}, 2, at::kLong), at::full({1}, 5, at::kLong)}, at::full({1}, infinity));
  numbers.index_put_({at::full({1}, 2, at::kLong), at::full({1}, 8, at::kLong)}, at::full({1}, infinity));
  return numbers;
}

TEST(RunningTest, PlacesOfTiesAndNan) {
  const std::string text =
      "x\na = argmax.default(x)\nb = argmax.default(x, 0)\nc = argmin.default(x, 1, True)\n"
      "d, e = max.dim(x, -1)\nf, g = min.dim(x, 0)\nreturn (a, b, c, d, e, f, g)";
  ExpectSame(text, {Specials()});
  ExpectSame(text, {Specials().t()});
  ExpectSame(text, {at::ones({4, 33})});
  ExpectSame(text, {at::arange(60).remainder(7).to(at::kFloat).reshape({3, 4, 5}).permute({2, 0, 1})});
  ExpectSame(text, {at::randn({5, 1}).expand({5, 20})});
}

// LLVM's own passes ask the number instead of its absolute value if they may.
TEST(RunningTest, TheLargerOfAnAbsoluteValueAndZero) {
  const std::string text =
      "x\na = abs.default(x)\nb = relu.default(a)\nc = neg.default(a)\nd = clamp_max.default(c, 0)\nreturn "
      "(b, d)";
  ExpectSame(text, {Specials()});
}

TEST(RunningTest, ScansOfOneNumberAndOfMany) {
  const std::string text =
      "x\na = cumsum.default(x, 0)\nb = cumprod.default(x, 1)\nc = mul.Tensor(a, b)\nreturn (a, b, c)";
  for (const int64_t size : {1, 2, 17, 300}) {
    ExpectSame(text, {at::rand({1, size})});
    ExpectSame(text, {at::rand({size, 1})});
    ExpectSame(text, {at::rand({size, 3}).t()});
  }
}

TEST(RunningTest, OperandsThatOverlap) {
  const at::Tensor memory = at::randn({40});
  const at::Tensor windows = memory.as_strided({8, 6}, {3, 2});
  const at::Tensor one = memory.as_strided({7, 5}, {0, 0});
  for (const at::Tensor& x : {windows, one, memory.as_strided({5, 5}, {1, 1})})
    ExpectSame(
        "x, y\na = mul.Tensor(x, 2)\nb = sum.dim_IntList(a, [0])\nc = add.Tensor(a, y)\nreturn (a, b, c)",
        {x, memory.as_strided({x.size(1)}, {1})});
}

TEST(RunningTest, Transpositions) {
  const std::string text =
      "x, y\nt = t.default(x)\nc = clone.default(t, memory_format=torch.contiguous_format)\n"
      "e = exp.default(t)\na = add.Tensor(y, e)\ns = sub.Tensor(a, t)\nreturn (c, s)";
  for (const auto& [rows, columns] : {std::pair{40, 96}, {96, 40}, {33, 64}, {64, 33}, {8, 200}}) {
    const at::Tensor x = at::randn({rows, columns});
    ExpectSame(text, {x, at::randn({columns, rows})});
    ExpectSame(text, {x.to(at::kBFloat16), at::randn({columns, rows}).to(at::kDouble)});
  }
  const std::string permutation =
      "x\np = permute.default(x, [0, 2, 3, 1])\n"
      "c = clone.default(p, memory_format=torch.contiguous_format)\n"
      "q = permute.default(x, [3, 1, 2, 0])\nr = relu.default(q)\n"
      "d = clone.default(r, memory_format=torch.contiguous_format)\nreturn (c, d)";
  ExpectSame(permutation, {at::randn({32, 40, 6, 48})});
  ExpectSame(permutation, {at::arange(2 * 64 * 5 * 17).to(at::kByte).reshape({2, 64, 5, 17})});
}

TEST(RunningTest, OutputsThatAreInputsAndViewsOfThem) {
  ExpectSame("x\nv = view.default(x, [-1])\nt = t.default(x)\na = add.Tensor(t, 1)\nreturn (x, v, t, a, a)",
             {at::randn({3, 5})});
  ExpectSame(
      "x\nd = detach.default(x)\ne = expand.default(x, [2, 3, 5])\nc = contiguous.default(x)\n"
      "r = relu.default(c)\nreturn (d, e, c, r)",
      {at::randn({3, 5})});
}

TEST(RunningTest, WritesReachInputs) {
  ExpectSame("x, y\na = mul.Tensor(x, 2)\nw = add_.Tensor(x, y)\nb = mul.Tensor(x, a)\nreturn (b,)",
             {at::randn({3, 5}), at::randn({5})});
  ExpectSame("x\ns = select.int(x, 0, 1)\nw = fill_.Scalar(s, 7)\nb = exp.default(x)\nreturn (b, s)",
             {at::randn({3, 5})});
}

TEST(RunningTest, NothingAndNumbersWithoutDimensions) {
  const std::string text =
      "x\na = exp.default(x)\ns = sum.default(a)\nc = cat.default([x, x])\nm = mul.Tensor(a, s)\nreturn (a, "
      "s, c, m)";
  ExpectSame(text, {at::zeros({0})});
  ExpectSame(text, {at::zeros({3, 0, 2})});
  ExpectSame("x\ns = sum.dim_IntList(x, [1])\na = any.dim(x, 1)\np = prod.dim_int(x, 1)\nreturn (s, a, p)",
             {at::zeros({3, 0, 2})});
  ExpectSame("x, y\na = add.Tensor(x, y)\nm = max.default(a)\nc = cumsum.default(x, 0)\nreturn (a, m, c)",
             {at::randn({}), at::randn({})});
  ExpectSame("x, y\nc = cat.default([x, y], 1)\nd = cat.default([y, x, y], 1)\nreturn (c, d)",
             {at::randn({2, 3}), at::zeros({2, 0})});
}

TEST(RunningTest, IntegersWrapAroundAndMeetFloats) {
  const at::Tensor bytes = at::arange(-128, 128).to(at::kChar);
  ExpectSame(
      "x, y\na = add.Tensor(x, x)\nm = mul.Tensor(x, x)\nn = neg.default(x)\nb = abs.default(x)\n"
      "f = add.Tensor(x, y)\nd = div.Tensor(x, 7)\ns = sum.default(x)\nreturn (a, m, n, b, f, d, s)",
      {bytes, at::randn({256})});
  const at::Tensor large = at::full({9}, std::numeric_limits<int64_t>::max(), at::kLong);
  ExpectSame("x\na = add.Tensor(x, 1)\nm = mul.Tensor(x, 3)\ns = sum.default(x)\nreturn (a, m, s)", {large});
}

// A number is no tensor of Doubles, or of Longs, wherever it comes from.
TEST(RunningTest, NumbersThatAreInputsMeetTensorsOfAllDtypes) {
  const std::string text =
      "x, s: 'float'\na = mul.Tensor(x, s)\nb = add.Tensor(a, x)\nc = div.Tensor(x, s)\nd = gt.Tensor(x, s)\n"
      "e = where.ScalarOther(d, x, s)\nreturn (a, b, c, d, e)";
  for (const at::ScalarType dtype :
       {at::kInt, at::kLong, at::kByte, at::kBool, at::kHalf, at::kBFloat16, at::kFloat, at::kDouble})
    ExpectSame(text, {at::arange(24).remainder(7).to(dtype).reshape({4, 6}), 1.5});
}

TEST(RunningTest, RandomOperatorsDrawInTheirOrder) {
  ExpectSame(
      "x\na = rand_like.default(x)\nb = mul.Tensor(x, a)\nc = bernoulli.p(b, 0.5)\nd = "
      "randn_like.default(b)\n"
      "e = rand_like.default(x)\nf = add.Tensor(d, e)\nreturn (f, c, b, a)",
      {at::randn({4, 7})});
}

TEST(RunningTest, PaddingOfWhatIsComputed) {
  ExpectSame(
      "x, y\na = mul.Tensor(x, y)\np = constant_pad_nd.default(a, [2, 3, 1, 1], 1.5)\nq = exp.default(p)\n"
      "c = cat.default([p, q], 0)\ns = sum.dim_IntList(c, [1])\nreturn (c, s)",
      {at::randn({5, 9}), at::randn({9})});
}

TEST(RunningTest, RulesThatWereWrong) {
  const at::Tensor wild = at::cat({at::randn({3, 4}), at::full({3, 1}, INFINITY)}, 1);
  // A bound that is NaN makes NaN of everything.
  ExpectSame(
      "x\na = clamp.default(x, float('nan'))\nb = clamp.default(x, None, float('nan'))\n"
      "c = clamp.default(x, float('nan'), 1.0)\nreturn (a, b, c)",
      {at::randn({20})});
  // Numbers below 1 are true.
  ExpectSame("x\na = sum.default(x, dtype=torch.bool)\nb = prod.default(x, dtype=torch.bool)\nreturn (a, b)",
             {at::full({7}, 0.3)});
  // A number that BFloat16 cannot hold.
  ExpectSame("x\na = lt.Scalar(x, 1e+308)\nb = eq.Scalar(x, 1e+308)\nreturn (a, b)",
             {at::randn({20}).to(at::kBFloat16)});
  ExpectSame("x\na, b, c = native_layer_norm.default(x, [0], None, None, 1e-05)\nreturn (a, b, c)",
             {at::zeros({2, 0})});
  ExpectSame("x\na, b, c = native_layer_norm.default(x, [5], None, None, 1e-05)\nreturn (a, b, c)", {wild});
  ExpectSame("x\na, b, c = native_group_norm.default(x, None, None, 3, 5, 1, 1, 1e-05)\nreturn (a, b, c)",
             {wild});
  // What no softmax has given.
  ExpectSame("x, y\na = _softmax_backward_data.default(x, y, 0, torch.float32)\nreturn (a,)",
             {at::randn({4, 3}), at::randn({3, 4}).t()});
}

TEST(RunningTest, ARowsMaximumIsOneOfItsNumbers) {
  // Rows that are masked as a whole: a number more or less decides between 1 / 12 and NaN.
  const at::Tensor scores = at::randn({4, 12}).mul(900).to(at::kBFloat16);
  const at::Tensor mask = at::full({4, 1}, -1e9).to(at::kBFloat16);
  ExpectSame(
      "x, m\na = mul.Tensor(x, 0.7)\nb = add.Tensor(a, m)\nc = _softmax.default(b, -1, False)\n"
      "l = _log_softmax.default(b, -1, False)\nreturn (c, l)",
      {scores, mask});
  ExpectSame(
      "x, m\na = mul.Tensor(x, 0.7)\nt = tanh.default(a)\nb = add.Tensor(t, m)\n"
      "l = _log_softmax.default(b, 0, False)\nreturn (l, b)",
      {scores, mask});
}

TEST(RunningTest, FourThreadsCallAtOnce) {
  const graph::Graph graph = ShortGraph(
      "x\na = exp.default(x)\ns = sum.dim_IntList(a, [-1], True)\nd = div.Tensor(a, s)\nm = mm.default(d, "
      "x)\nreturn (m,)");
  const std::shared_ptr<backend::Compiled> compiled =
      OpenNative(SettingOf("fast"))->Compile(graph, {at::randn({16, 16})});
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([&, number] {
      const at::NoGradGuard no_grad;
      for (int call = 0; call < 50; ++call) {
        // Some lie in another way, and are compiled for while others run.
        const at::Tensor x = at::full({16, 16}, 0.01 * (number + call)).add(at::arange(16).mul(0.1));
        const at::Tensor given = call % 5 == 0 ? x.t() : x;
        Values inputs{given};
        const at::Tensor found = compiled->Call(inputs)[0].toTensor();
        const at::Tensor expected = graph::Interpreter(graph).Run({given})[0].toTensor();
        wrong += found.allclose(expected, 1e-4, 1e-5) ? 0 : 1;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(RunningTest, OtherSizesUseTheSameCode) {
  graph::Graph graph = ShortGraph(
      "x, y\nadd = add.Tensor(x, y)\ne = exp.default(add)\ns = sum.dim_IntList(e, [-1], True)\nd = "
      "div.Tensor(e, s)\nreturn (d,)");
  graph.SetSymbols(0, {"s0", "s1"});
  graph.SetSymbols(1, {"s0", "s1"});
  const NativeCounts before = CountsOfNative();
  const at::NoGradGuard no_grad;
  const auto compiled =
      OpenNative(SettingOf("fast"))->Compile(graph, {at::randn({3, 50}), at::randn({3, 50})});
  const uint64_t first = CountsOfNative().cached.generated - before.cached.generated;
  for (const int64_t rows : {2, 3, 7, 40}) {
    for (const int64_t columns : {9, 16, 33, 70, 100, 1000}) {
      const Values inputs{at::randn({rows, columns}), at::randn({rows, columns})};
      Values given = inputs;
      const at::Tensor found = compiled->Call(given)[0].toTensor();
      EXPECT_TRUE(found.allclose(graph::Interpreter(graph).Run(inputs)[0].toTensor(), 1e-4, 1e-6))
          << rows << " " << columns;
    }
  }
  EXPECT_LE(CountsOfNative().cached.generated - before.cached.generated, 2 * first);
}

TEST(RunningTest, ErrorsOfCalledOperatorsPassThroughAndTheNextCallWorks) {
  const graph::Graph graph = ShortGraph(
      "x, i\na = exp.default(x)\ns = index_fill.int_Scalar(a, 0, i, 3)\nb = mul.Tensor(s, 2)\nreturn (b,)");
  const at::NoGradGuard no_grad;
  const at::Tensor x = at::randn({5});
  const auto compiled = OpenNative(SettingOf("fast"))->Compile(graph, {x, at::full({3}, 1, at::kLong)});
  Values bad{x, at::full({3}, 77, at::kLong)};
  EXPECT_ANY_THROW(compiled->Call(bad));
  const Values inputs{x, at::full({3}, 4, at::kLong)};
  Values good = inputs;
  EXPECT_TRUE(
      compiled->Call(good)[0].toTensor().allclose(graph::Interpreter(graph).Run(inputs)[0].toTensor()));
}

TEST(RunningTest, LongRowsAndLargeNumbersKeepTheirDigits) {
  ExpectSame("x\ny = cumsum.default(x, 0)\nreturn (y,)", {at::full({100'000}, 1.1)});
  ExpectSame("x\ny = std.default(x, True)\nreturn (y,)", {at::randn({37}).mul(1e20)});
  ExpectSame("x\ny = fmod.Scalar(x, 1e-30)\nreturn (y,)", {at::full({13}, 3e38)});
}

}  // namespace
}  // namespace culprit::tests
