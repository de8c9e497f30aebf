// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/generalise/disagreement.h"

#include <gtest/gtest.h>

#include "tests/lib/short_graph.h"

namespace culprit::graph::sizes {
namespace {

constexpr const char* kGeneral =
    "x\ns0 = sym_size.int(x, 0)\nview = view.default(x, [2 * s0, 3])\nreturn (view,)";

/// What is otherwise where x is [size, 6] and the program has this graph; "same" if nothing is.
std::string Compare(const char* general, const char* actual, int64_t size,
                    const std::vector<c10::IValue>& inputs = {c10::IValue()}) {
  const auto different = CompareAt(tests::ShortGraph(general), inputs,
                                   {tests::ShortGraph(actual), {{size, 6}, {2 * size, 3}, {2 * size, 3}}});
  return different ? different->what : "same";
}

TEST(DisagreementTest, NumbersAreComputedAndCompared) {
  EXPECT_EQ(Compare(kGeneral, "x\nview = view.default(x, [8, 3])\nreturn (view,)", 4), "same");
  EXPECT_EQ(Compare(kGeneral, "x\nview = view.default(x, [8, 3])\nreturn (view,)", 5), "10 where it is 8");
}

TEST(DisagreementTest, OtherOperatorsAreNamed) {
  EXPECT_EQ(Compare(kGeneral, "x\nview = relu.default(x)\nreturn (view,)", 4), "it is aten::view there");
  EXPECT_EQ(Compare(kGeneral, "x\nreturn (x,)", 4), "it has fewer operators");
  EXPECT_EQ(
      Compare(kGeneral, "x\nview = view.default(x, [8, 3])\nrelu = relu.default(view)\nreturn (view,)", 4),
      "it has more operators");
}

TEST(DisagreementTest, WhichValuesAreUsedCounts) {
  EXPECT_EQ(Compare("x\na = relu.default(x)\nb = relu.default(a)\nreturn (b,)",
                    "x\na = relu.default(x)\nb = relu.default(x)\nreturn (b,)", 4),
            "it has other arguments");
  EXPECT_EQ(Compare(kGeneral, "x\nview = view.default(x, [8, 3])\nreturn (x,)", 4),
            "it returns something else");
}

TEST(DisagreementTest, WhatCannotBeComputedIsDifferent) {
  EXPECT_EQ(Compare("x\ns0 = sym_size.int(x, 0)\nview = view.default(x, [s0 // 0, 3])\n"
                    "return (view,)",
                    "x\nview = view.default(x, [8, 3])\nreturn (view,)", 4),
            "a size cannot be computed");
}

}  // namespace
}  // namespace culprit::graph::sizes
