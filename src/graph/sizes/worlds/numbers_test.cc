// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/worlds/numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/sizes/worlds/worlds.h"

namespace culprit::graph::sizes {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Ge;
using testing::IsEmpty;

/// s0 and s1 in four worlds.
Numbers TwoSymbols() {
  return Numbers({{8, 10}, {9, 10}, {8, 11}, {13, 14}});
}

std::string Found(const Numbers& numbers, const Samples& samples) {
  const std::optional<Expression> found = numbers.Find(samples);
  return found ? ToString(*found) : "";
}

TEST(NumbersTest, SumsOfMultiplesOfSymbolsAreFound) {
  const Numbers numbers = TwoSymbols();
  EXPECT_EQ(Found(numbers, {8, 9, 8, 13}), "s0");
  EXPECT_EQ(Found(numbers, {96, 108, 96, 156}), "12*s0");
  EXPECT_EQ(Found(numbers, {17, 18, 18, 26}), "s0 + s1 - 1");
  EXPECT_EQ(Found(numbers, {7, 7, 7, 7}), "7");
}

TEST(NumbersTest, WhatFitsInSomeWorldsOnlyIsNotFound) {
  const Numbers numbers = TwoSymbols();
  EXPECT_EQ(Found(numbers, {80, 90, 88, 182}), "");  // s0*s1
  EXPECT_EQ(Found(numbers, {4, 4, 4, 6}), "");       // s0//2
}

TEST(NumbersTest, WhatAProgramComputedIsKnown) {
  Numbers numbers = TwoSymbols();
  const Expression product = Expression::Symbol(0) * Expression::Symbol(1);
  numbers.Know(*numbers.SamplesOf(product), product);
  EXPECT_EQ(Found(numbers, {80, 90, 88, 182}), "s0*s1");
}

TEST(NumbersTest, FormulasAreForThoseWhoNeedSymbols) {
  Numbers numbers = TwoSymbols();
  const Expression half =
      Expression::Of(Operation::kFloorDivide, Expression::Symbol(0), Expression::Constant(2));
  numbers.KnowFormula(*numbers.SamplesOf(half), half);
  EXPECT_EQ(numbers.Find({4, 4, 4, 6}), std::nullopt);
  EXPECT_EQ(ToString(*numbers.FindInSymbols({4, 4, 4, 6})), "s0//2");
}

TEST(NumbersTest, SaysOnWhichSymbolsANumberDepends) {
  EXPECT_THAT(TwoSymbols().SymbolsIn({80, 80, 88, 182}), ElementsAre(1));
}

TEST(ChooseWorldsTest, EachSymbolIsAnotherInAWorldOfItsOwnAndThenAllAre) {
  const Chosen chosen = ChooseWorlds({8, 10}, [](const Hints&) { return true; });
  EXPECT_THAT(chosen.rigid, IsEmpty());
  ASSERT_GE(chosen.worlds.size(), 5);
  EXPECT_THAT(chosen.worlds[0], ElementsAre(8, 10));
  EXPECT_EQ(chosen.worlds[1][1], 10);
  EXPECT_EQ(chosen.worlds[2][0], 8);
  for (size_t i = 3; i < 5; ++i) {
    EXPECT_NE(chosen.worlds[i][0], 8);
    EXPECT_NE(chosen.worlds[i][1], 10);
  }
}

TEST(ChooseWorldsTest, WorldsFarAwayAndMetBeforeAreTriedToo) {
  const std::vector<Hints> met = {{3, 70}, {4, 5}};
  const Chosen chosen = ChooseWorlds(
      {8, 10}, [](const Hints& hints) { return hints[0] != 4; }, met);
  EXPECT_THAT(chosen.rigid, IsEmpty());
  EXPECT_THAT(chosen.worlds, Contains(ElementsAre(Ge(1000), Ge(1000))));
  EXPECT_THAT(chosen.worlds, Contains(ElementsAre(2, 3)));
  EXPECT_EQ(chosen.worlds.back(), met[0]);
}

TEST(NumbersTest, WhatIsEqualByChanceIsSaid) {
  Numbers numbers({{5}, {6}, {8}, {13}});
  const Expression cut_off =
      Expression::Of(Operation::kMinimum, Expression::Symbol(0), Expression::Constant(20));
  numbers.Know({5, 6, 8, 13}, cut_off);
  numbers.Know({10, 12, 16, 26}, Expression::Symbol(0) + Expression::Symbol(0));
  const std::vector<Numbers::Coincidence> coincidences = numbers.TakeCoincidences();
  ASSERT_EQ(coincidences.size(), 1);
  EXPECT_EQ(coincidences[0].computed, cut_off);
  EXPECT_EQ(coincidences[0].taken, Expression::Symbol(0));
  EXPECT_THAT(numbers.TakeCoincidences(), IsEmpty());
}

TEST(ChooseWorldsTest, WhatIsRefusedIsReplaced) {
  const Chosen chosen = ChooseWorlds({32}, [](const Hints& hints) { return hints[0] % 32 == 0; });
  EXPECT_THAT(chosen.rigid, IsEmpty());
  for (const Hints& hints : chosen.worlds) EXPECT_EQ(hints[0] % 32, 0);
}

TEST(ChooseWorldsTest, ASymbolThatCanBeNothingElseIsRigid) {
  const Chosen chosen = ChooseWorlds({8, 3}, [](const Hints& hints) { return hints[1] == 3; });
  EXPECT_THAT(chosen.rigid, ElementsAre(1));
}

}  // namespace
}  // namespace culprit::graph::sizes
