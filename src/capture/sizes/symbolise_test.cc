// SPDX-License-Identifier: Apache-2.0
#include "capture/sizes/symbolise.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "capture/segment/segment_text.h"
#include "tests/lib/captured_function.h"

namespace culprit::capture {
namespace {

using c10::IValue;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using tests::CapturedFunction;

/// Calls with tensors of these sizes, one call after the other; the results are those of libtorch.
void CallAll(CapturedFunction& f, const std::vector<std::vector<int64_t>>& sizes) {
  for (const std::vector<int64_t>& each : sizes) {
    const at::Tensor x = at::randn(each);
    const IValue expected = f.AsWritten({x});
    const IValue actual = f({x});
    if (!expected.isTensor()) {
      EXPECT_EQ(actual, expected);
      continue;
    }
    EXPECT_EQ(actual.toTensor().sizes(), expected.toTensor().sizes());
    EXPECT_TRUE(actual.toTensor().equal(expected.toTensor()));
  }
}

const Segment& Last(CapturedFunction& f) {
  return *f.program().segments().back();
}

std::vector<std::string> ConditionsOfLast(CapturedFunction& f) {
  std::vector<std::string> texts;
  for (const SizeCondition& condition : Last(f).conditions) texts.push_back(ToString(condition.condition));
  return texts;
}

TEST(SymboliseTest, ASizeThatDiffersBecomesASymbol) {
  CapturedFunction f("def f(x: Tensor):\n  return x * 2\n");
  CallAll(f, {{4, 3}, {6, 3}, {8, 3}, {100, 3}});
  EXPECT_THAT(f.operators(), ElementsAre(1, 1));
  EXPECT_THAT(ConditionsOf(Last(f)), Contains(HasSubstr("x is a Float tensor of [s0, 3] without gaps")));
}

TEST(SymboliseTest, SizesAreComputedInTheGraph) {
  CapturedFunction f("def f(x: Tensor):\n  return x.view([x.size(0) * 2, -1])\n");
  CallAll(f, {{4, 6}, {6, 6}, {9, 6}});
  EXPECT_THAT(f.operators(), ElementsAre(1, 3));
}

TEST(SymboliseTest, SizesAreComputedForTheLineThatNeedsThem) {
  CapturedFunction f("def f(x: Tensor):\n  y = x * 2\n  return y.view([x.size(0) * 2, -1])\n");
  CallAll(f, {{4, 6}, {6, 6}});
  ASSERT_THAT(f.operators(), ElementsAre(2, 4));
  const graph::Graph graph = WithModelLines(Last(f));
  EXPECT_THAT(*graph.nodes().back().model_line, HasSubstr("<string>:3 in f"));
  for (const graph::Node& node : graph.nodes()) EXPECT_THAT(*node.model_line, HasSubstr("<string>:"));
}

TEST(SymboliseTest, ABranchOnASizeIsACondition) {
  CapturedFunction f("def f(x: Tensor):\n  if x.size(0) > 4:\n    return x * 2\n  return x\n");
  CallAll(f, {{5, 3}, {8, 3}, {7, 3}});
  EXPECT_THAT(ConditionsOfLast(f), ElementsAre("s0 > 4"));
  EXPECT_EQ(ConditionsOf(Last(f)).back(), "s0 > 4, from <string>:2");
  CallAll(f, {{3, 3}});
  EXPECT_THAT(f.log().back(), HasSubstr("s0 > 4, from <string>:2 in f"));
  CallAll(f, {{2, 3}, {4, 3}, {20, 3}});
  EXPECT_EQ(f.program().segments().size(), 3);
}

TEST(SymboliseTest, ZeroAndOneAreNoSymbols) {
  CapturedFunction f("def f(x: Tensor):\n  return x * 2\n");
  CallAll(f, {{4, 3}, {6, 3}, {1, 3}, {0, 3}});
  EXPECT_EQ(f.program().segments().size(), 4);
}

TEST(SymboliseTest, NumbersThatTheProgramKeepsAreComputedAgain) {
  CapturedFunction f("def f(x: Tensor):\n  return [x.size(0) * 2, 7]\n");
  CallAll(f, {{4, 3}, {6, 3}, {8, 3}});
  EXPECT_EQ(f.program().segments().size(), 2);
}

TEST(SymboliseTest, ASizeThatIsCutOffIsComputed) {
  CapturedFunction f("def f(x: Tensor):\n  return x[:min(x.size(0), 20)]\n");
  CallAll(f, {{6, 3}, {9, 3}, {12, 3}, {20, 3}, {21, 3}, {100, 3}, {2, 3}});
  EXPECT_EQ(f.program().segments().size(), 2);
  EXPECT_THAT(ConditionsOfLast(f), testing::IsEmpty());
}

TEST(SymboliseTest, WhatIsEqualByChanceIsACondition) {
  // No tensor has more than 8 rows where it is asked for 5.
  CapturedFunction f(
      "def f(x: Tensor):\n  if x.size(0) > 8:\n    return x * 2\n  return x[:min(x.size(0), 9)] + 1\n");
  CallAll(f, {{4, 3}, {6, 3}, {8, 3}, {9, 3}, {10, 3}, {70, 3}});
  EXPECT_EQ(f.program().segments().size(), 3) << testing::PrintToString(f.log());
}

TEST(SymboliseTest, WhatDiffersForFewSizesIsFoundAmongThoseOfTheSameWay) {
  // Images in windows of 7 by 7: what is missing to full ones is nothing where there are 14, 21 or 28 pixels.
  // There are several windows in two stages and then one, which goes for 60 to 115 pixels.
  CapturedFunction f(
      "def missing(n: int) -> int:\n  return (7 - n % 7) % 7\n\n"
      "def f(x: Tensor):\n"
      "  x = torch.max_pool2d(x, [4, 4], [4, 4])\n"
      "  for stage in range(4):\n"
      "    h, w = x.size(1), x.size(2)\n"
      "    x = torch.constant_pad_nd(x, [0, missing(w), 0, missing(h)])\n"
      "    moved_down = 0 if 7 >= x.size(1) else 3\n"
      "    moved_right = 0 if 7 >= x.size(2) else 3\n"
      "    x = torch.roll(x, [moved_down, moved_right], [1, 2])[:, :h, :w]\n"
      "    x = torch.constant_pad_nd(x, [0, w % 2, 0, h % 2])[:, ::2, ::2]\n"
      "  return x\n");
  CallAll(f, {{2, 64, 64}, {4, 96, 96}, {3, 71, 86}, {3, 86, 71}, {5, 86, 86}, {2, 60, 115}, {6, 100, 110}});
  EXPECT_EQ(f.program().segments().size(), 2) << testing::PrintToString(f.log());
}

TEST(SymboliseTest, WhatNoWalkHasShownIsComparedBeforeItIsUsed) {
  CapturedFunction f("def f(x: Tensor):\n  return int(float(x.size(0)) * 1.0005)\n");
  CallAll(f, {{4, 1}, {6, 1}, {700, 1}, {1999, 1}, {2000, 1}, {4001, 1}, {2000, 1}, {5, 1}});
  EXPECT_THAT(f.log(), Contains("captured again: it is another graph where s0 is 2000: "
                                "the program keeps another number"));
}

TEST(SymboliseTest, ForWhichSizesItWasComparedIsRemembered) {
  CapturedFunction f("def f(x: Tensor):\n  return x * 2\n");
  CallAll(f, {{4, 3}, {6, 3}, {8, 3}});
  EXPECT_EQ(Last(f).verdicts->Find({6}), "");
  EXPECT_EQ(Last(f).verdicts->Find({8}), "");
  EXPECT_EQ(Last(f).verdicts->Find({9}), std::nullopt);
}

TEST(SymboliseTest, SeveralThreadsMayBringNewSizes) {
  CapturedFunction f("def f(x: Tensor):\n  return x[:min(x.size(0), 20)] * x.size(0)\n");
  CallAll(f, {{4, 3}, {6, 3}});
  std::vector<std::thread> threads;
  for (int64_t first = 2; first < 6; ++first) {
    threads.emplace_back([&f, first] {
      for (int64_t size = first; size < 60; size += 3) {
        const at::Tensor x = at::ones({size, 3});
        EXPECT_TRUE(f({x}).toTensor().equal(f.AsWritten({x}).toTensor())) << size;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(f.program().segments().size(), 2);
}

TEST(SymboliseTest, ALoopOverASizeFixesIt) {
  CapturedFunction f("def f(x: Tensor):\n  y = x\n  for i in range(x.size(0)):\n    y = y + i\n  return y\n");
  CallAll(f, {{4, 3}, {6, 3}});
  EXPECT_THAT(f.log(), Contains(HasSubstr("x.size(0) is fixed to 6: ")));
}

TEST(SymboliseTest, EqualSizesOfSeveralInputsAreOneSymbol) {
  CapturedFunction f("def f(x: Tensor, y: Tensor):\n  return x + y\n");
  for (const int64_t size : {4, 6, 8}) f({at::ones({size, 3}), at::ones({size, 3})});
  EXPECT_EQ(f.program().segments().size(), 2);
  EXPECT_EQ(Last(f).symbol_sources.size(), 2);
  EXPECT_EQ(Last(f).symbol_sources[1].symbol, 0);
}

TEST(SymboliseTest, EqualSizesOfOneInputAreDifferentSymbols) {
  CapturedFunction f("def f(x: Tensor):\n  return x * 2\n");
  CallAll(f, {{4, 4}, {6, 6}, {8, 9}});
  EXPECT_EQ(f.program().segments().size(), 2);
}

TEST(SymboliseTest, UnlessTheyHaveToBeEqual) {
  CapturedFunction f("def f(x: Tensor):\n  return x + x.t()\n");
  CallAll(f, {{4, 4}, {6, 6}, {9, 9}});
  EXPECT_EQ(f.program().segments().size(), 2);
}

TEST(SymboliseTest, HowManyPartsThereAreIsACondition) {
  CapturedFunction f("def f(x: Tensor):\n  a, b = x.split(4)\n  return a.sum() - b.sum()\n");
  CallAll(f, {{6, 3}, {7, 3}, {8, 3}});
  EXPECT_THAT(ConditionsOfLast(f), ElementsAre("(s0 + 3)//4 == 2"));
  EXPECT_EQ(f.program().segments().size(), 2);
  EXPECT_ANY_THROW(f({at::ones({9, 3})}));
}

TEST(SymboliseTest, PartsOfAFixedDimensionAreNot) {
  CapturedFunction f("def f(x: Tensor):\n  a, b, c = x.chunk(3, 1)\n  return a * b + c\n");
  CallAll(f, {{6, 9}, {7, 9}, {8, 9}});
  EXPECT_EQ(ConditionsOfLast(f).size(), 0);
  EXPECT_EQ(f.program().segments().size(), 2);
}

TEST(SymboliseTest, ANumberThatDiffersBecomesASymbol) {
  CapturedFunction f("def f(x: Tensor, n: int):\n  return x * n\n");
  for (const int64_t n : {3, 4, 5}) {
    const at::Tensor x = at::randn({4});
    EXPECT_TRUE(f({x, n}).toTensor().equal(x.mul(n)));
  }
  EXPECT_EQ(f.program().segments().size(), 2);
}

TEST(SymboliseTest, StridesBecomeSymbolsWhereSizesAreTheSame) {
  CapturedFunction f("def f(x: Tensor):\n  return x * 2\n");
  for (const int64_t width : {8, 10, 12, 16}) {
    const at::Tensor x = at::randn({4, width}).narrow(1, 0, 3);
    EXPECT_TRUE(f({x}).toTensor().equal(x.mul(2)));
  }
  EXPECT_EQ(f.program().segments().size(), 2);
}

}  // namespace
}  // namespace culprit::capture
