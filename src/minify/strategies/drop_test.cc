// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/lib/minimize_with.h"

namespace culprit::minify::strategies {
namespace {

using tests::Chain;
using tests::FakeCheck;
using tests::MinimizeWith;
using tests::Needs;
using tests::OperatorsOf;

TEST(DropTest, WhatIsNotNeededGoes) {
  FakeCheck check(Needs({"exp", "tanh"}));
  const SearchResult result = MinimizeWith({"drop"}, Chain(50, {{13, "exp"}, {40, "tanh"}}), check);
  EXPECT_EQ(OperatorsOf(result.program), (std::vector<std::string>{"exp", "tanh"}));
}

TEST(DropTest, ManyGoAtOnce) {
  FakeCheck check(Needs({"tanh"}));
  const SearchResult result = MinimizeWith({"drop"}, Chain(1000, {{500, "tanh"}}), check);
  EXPECT_EQ(OperatorsOf(result.program), std::vector<std::string>{"tanh"});
  EXPECT_LE(result.questions, 30);
}

TEST(DropTest, TheOnlyOperatorStays) {
  FakeCheck check(Needs({"tanh"}));
  const SearchResult result = MinimizeWith({"drop"}, Chain(1, {{0, "tanh"}}), check);
  EXPECT_EQ(result.questions, 0);
  EXPECT_EQ(OperatorsOf(result.program), std::vector<std::string>{"tanh"});
}

TEST(DropTest, EachIsTriedIfAllAreNeeded) {
  FakeCheck check(Needs({"exp", "cos", "tanh"}));
  const SearchResult result = MinimizeWith({"drop"}, Chain(3, {{0, "exp"}, {1, "cos"}, {2, "tanh"}}), check);
  ASSERT_EQ(result.tried.size(), 1);
  EXPECT_EQ(result.tried[0].passes, 3);
  EXPECT_EQ(result.passing.size(), 3);
}

}  // namespace
}  // namespace culprit::minify::strategies
