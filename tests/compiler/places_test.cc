// SPDX-License-Identifier: Apache-2.0
//
// Operators that read at places which a tensor says: a place that is not there is an error in libtorch's own
// words, whatever is fused with what, and harms nothing.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "graph/run/interpreter.h"
#include "graph/tensors/tensor_copy.h"
#include "tests/compiler/judge.h"
#include "tests/compiler/native_backend.h"
#include "tests/lib/short_graph.h"

namespace culprit::tests {
namespace {

using Values = std::vector<c10::IValue>;

constexpr const char* kSettings[] = {"fast",     "llvm-o3",    "exact",           "off=codegen",
                                     "off=fuse", "off=inline", "off=plan_memory", "off=lower"};

/// The operator, between others that it can be put into and that can be put into it. `x` has sizes [4, 3].
struct Call {
  const char* text;
  std::vector<int64_t> sizes;
  int64_t lowest;
  int64_t end;
};

const Call kCalls[] = {
    {"embedding.default(a, i)", {2, 5}, 0, 4},    {"index_select.default(a, 0, i)", {6}, 0, 4},
    {"index_select.default(a, 1, i)", {6}, 0, 3}, {"gather.default(a, 0, i)", {5, 3}, 0, 4},
    {"gather.default(a, 1, i)", {4, 7}, 0, 3},    {"take.default(a, i)", {2, 5}, -12, 12},
    {"index.Tensor(a, [i])", {2, 5}, -4, 4},      {"index.Tensor(a, [None, i])", {5}, -3, 3},
    {"index.Tensor(a, [i, i])", {2, 5}, -3, 3},
};

std::string TextOf(const Call& call) {
  return fmt::format(
      "x, i\na = mul.Tensor(x, 2.0)\ng = {}\ns = sum.dim_IntList(g, [-1], True)\n"
      "b = sub.Tensor(g, s)\nreturn (b,)",
      call.text);
}

at::Tensor PlacesFor(const Call& call) {
  return at::arange(at::empty(call.sizes).numel())
      .remainder(call.end - call.lowest)
      .add(call.lowest)
      .reshape(call.sizes);
}

/// Its last number is another one.
at::Tensor WithLast(const at::Tensor& numbers, int64_t last) {
  at::Tensor copy = numbers.clone();
  copy.view({-1})[-1] = last;
  return copy;
}

/// Empty if it does not fail.
std::string ErrorOf(const std::function<void()>& run) {
  try {
    run();
  } catch (const c10::Error& error) {
    return fmt::format("{}: {}", typeid(error).name(), error.what_without_backtrace());
  }
  return "";
}

TEST(PlacesTest, WhatIsThereIsRead) {
  for (const char* setting : kSettings)
    for (const Call& call : kCalls)
      EXPECT_EQ(Judge(*OpenNative(SettingOf(setting)), ShortGraph(TextOf(call)),
                      {at::randn({4, 3}), PlacesFor(call)}, {.calls = 2})
                    .difference,
                "")
          << setting << " " << call.text;
}

TEST(PlacesTest, WhatIsNotThereFailsInLibtorchsWordsAndTheNextCallWorks) {
  const at::NoGradGuard no_grad;
  for (const char* setting : kSettings) {
    for (const Call& call : kCalls) {
      const graph::Graph graph = ShortGraph(TextOf(call));
      const Values good = {at::randn({4, 3}), PlacesFor(call)};
      const auto compiled = OpenNative(SettingOf(setting))->Compile(graph, good);
      for (const int64_t place : {call.end, call.lowest - 1, std::numeric_limits<int64_t>::max(),
                                  std::numeric_limits<int64_t>::min(), int64_t{1} << 33}) {
        const Values bad = {good[0], WithLast(good[1].toTensor(), place)};
        const Values before = graph::CopyAll(bad);
        const std::string expected = ErrorOf([&] { graph::Interpreter(graph).Run(bad); });
        EXPECT_NE(expected, "") << call.text << " " << place;
        Values given = bad;
        EXPECT_EQ(ErrorOf([&] { compiled->Call(given); }), expected)
            << setting << " " << call.text << " " << place;
        for (size_t i = 0; i < bad.size(); ++i)
          EXPECT_TRUE(graph::SameTensor(bad[i].toTensor(), before[i].toTensor()))
              << setting << " " << call.text;
        Values again = good;
        EXPECT_TRUE(compiled->Call(again)[0].toTensor().allclose(
            graph::Interpreter(graph).Run(good)[0].toTensor(), 1e-5, 1e-6))
            << setting << " " << call.text;
      }
    }
  }
}

// libtorch takes the remainder, so every place is there.
TEST(PlacesTest, PlacesOfTakeAlongDimGoAround) {
  const Call call = {"take_along_dim.default(a, i, 1)", {4, 7}, -5, 9};
  for (const char* setting : kSettings)
    EXPECT_EQ(Judge(*OpenNative(SettingOf(setting)), ShortGraph(TextOf(call)),
                    {at::randn({4, 3}), PlacesFor(call)}, {.calls = 2})
                  .difference,
              "")
        << setting;
}

TEST(PlacesTest, PlacesOfInt32) {
  const at::NoGradGuard no_grad;
  const graph::Graph graph =
      ShortGraph("x, i\na = embedding.default(x, i)\nb = relu.default(a)\nreturn (b,)");
  const at::Tensor x = at::randn({4, 3});
  const at::Tensor places = at::arange(6, at::kInt).remainder(4);
  const auto compiled = OpenNative(SettingOf("fast"))->Compile(graph, {x, places});
  Values good = {x, places};
  EXPECT_TRUE(compiled->Call(good)[0].toTensor().equal(x.index_select(0, places).relu()));
  Values bad = {x, at::arange(6, at::kInt)};
  EXPECT_NE(ErrorOf([&] { compiled->Call(bad); }).find("index out of range in self"), std::string::npos);
}

// The numbers are computed beside a value of their own sizes, which is read at these places.
TEST(PlacesTest, PlacesThatAreComputedAreLookedAtBeforeTheyAreUsed) {
  const at::NoGradGuard no_grad;
  const std::string text =
      "x, n\ni = add.Tensor(n, 1)\nf = mul.Tensor(x, 0.5)\ng = gather.default(f, 1, i)\nb = add.Tensor(g, "
      "f)\n"
      "j = sub.Tensor(i, 1)\nc = gather.default(b, 1, j)\nreturn (c, i)";
  const at::Tensor x = at::randn({5, 9});
  const at::Tensor n = at::arange(45).remainder(8).reshape({5, 9});
  for (const char* setting : kSettings) {
    const auto backend = OpenNative(SettingOf(setting));
    EXPECT_EQ(Judge(*backend, ShortGraph(text), {x, n}).difference, "") << setting;
    const auto compiled = backend->Compile(ShortGraph(text), {x, n});
    Values bad = {x, WithLast(n, 8)};
    EXPECT_NE(
        ErrorOf([&] { compiled->Call(bad); }).find("index 9 is out of bounds for dimension 1 with size 9"),
        std::string::npos)
        << setting;
  }
}

TEST(PlacesTest, OtherSizesHaveOtherPlaces) {
  const at::NoGradGuard no_grad;
  graph::Graph graph = ShortGraph(
      "x, i\na = index.Tensor(x, [i])\nb = exp.default(a)\ns = sum.dim_IntList(b, [-1])\nreturn (b, s)");
  graph.SetSymbols(0, {"s0", "s1"});
  graph.SetSymbols(1, {"s2"});
  const auto compiled =
      OpenNative(SettingOf("fast"))->Compile(graph, {at::randn({3, 50}), at::arange(-3, 3)});
  for (const int64_t rows : {1, 2, 3, 9}) {
    const Values good = {at::randn({rows, 40}), at::arange(-rows, rows)};
    Values given = good;
    EXPECT_TRUE(
        compiled->Call(given)[0].toTensor().allclose(graph::Interpreter(graph).Run(good)[0].toTensor(), 1e-5))
        << rows;
    Values bad = {good[0], at::arange(-rows, rows + 1)};
    EXPECT_NE(ErrorOf([&] {
                compiled->Call(bad);
              }).find(fmt::format("index {} is out of bounds for dimension 0 with size {}", rows, rows)),
              std::string::npos)
        << rows;
  }
}

TEST(PlacesTest, NothingIsReadAtNoPlaces) {
  for (const Call& call : kCalls) {
    std::vector<int64_t> none = call.sizes;
    none[0] = 0;
    EXPECT_EQ(Judge(*OpenNative(SettingOf("fast")), ShortGraph(TextOf(call)),
                    {at::randn({4, 3}), at::empty(none, at::kLong)})
                  .difference,
              "")
        << call.text;
  }
}

}  // namespace
}  // namespace culprit::tests
