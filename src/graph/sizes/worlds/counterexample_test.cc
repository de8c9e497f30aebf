// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/worlds/counterexample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::graph::sizes {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Ge;
using testing::Gt;
using testing::Le;
using testing::Lt;

const Expression kSize = Expression::Symbol(0);
const Condition kAtMostTwenty = {kSize, Relation::kLessEqual, Expression::Constant(20)};
const Condition kAtMostTwentyFour = {kSize, Relation::kLessEqual, Expression::Constant(24)};
const Condition kBelowThirty = {kSize, Relation::kLess, Expression::Constant(30)};

/// What is missing to a multiple of seven, and the same with seven for nothing.
Condition SevenIsNothing(const Expression& size) {
  const Expression seven = Expression::Constant(7);
  const Expression missing =
      Expression::Of(Operation::kSubtract, seven, Expression::Of(Operation::kModulo, size, seven));
  return Equality(Expression::Of(Operation::kModulo, missing, seven), missing);
}

TEST(CounterexampleTest, BreaksTheCoincidenceAndNoCondition) {
  const std::optional<Hints> found = Counterexample({kAtMostTwenty}, {kBelowThirty}, {{5, 8}}, {});
  ASSERT_TRUE(found);
  EXPECT_THAT(found->at(0), AllOf(Gt(20), Lt(30)));
}

TEST(CounterexampleTest, ThereIsNoneForWhatFollowsFromConditions) {
  EXPECT_FALSE(Counterexample({kBelowThirty}, {kAtMostTwenty}, {{5}}, {}));
  EXPECT_FALSE(Counterexample({}, {}, {{5}}, {}));
}

TEST(CounterexampleTest, FindsTheSizeThatLeavesNoRemainder) {
  const std::optional<Hints> found = Counterexample({SevenIsNothing(kSize)}, {}, {{96}, {64}}, {});
  ASSERT_TRUE(found);
  EXPECT_THAT(*found, ElementsAre(AllOf(Ge(64), Le(96))));
  EXPECT_EQ(found->at(0) % 7, 0);
}

TEST(CounterexampleTest, BetweenTheWorldsItBreaksAsManyAsPossible) {
  const std::vector<Condition> coincidences = {SevenIsNothing(kSize), SevenIsNothing(Expression::Symbol(1))};
  const std::optional<Hints> found = Counterexample(coincidences, {}, {{96, 96}, {64, 64}}, {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->at(0) % 7, 0);
  EXPECT_EQ(found->at(1) % 7, 0);
}

TEST(CounterexampleTest, FartherAwayItBreaksAsFewAsPossible) {
  const std::optional<Hints> found = Counterexample({kAtMostTwenty, kAtMostTwentyFour}, {}, {{5}}, {});
  ASSERT_TRUE(found);
  EXPECT_THAT(*found, ElementsAre(AllOf(Gt(20), Le(24))));
}

TEST(CounterexampleTest, IsNotBeyondARefusedOneThatBreaksTheSame) {
  EXPECT_FALSE(Counterexample({kAtMostTwenty}, {}, {{5}}, {{21}}));
  EXPECT_TRUE(Counterexample({kAtMostTwenty}, {}, {{5}}, {{22}}));
  // In the other direction something else may be decided.
  const std::optional<Hints> found = Counterexample({SevenIsNothing(kSize)}, {}, {{16}}, {{14}});
  ASSERT_TRUE(found);
  EXPECT_GT(found->at(0), 16);
}

TEST(DistinguisherTest, AddsTheWorldThatIsLikeTheOthers) {
  std::vector<Hints> worlds = {{16}};
  std::vector<Hints> tried;
  const auto try_world = [&](const Hints& hints) {
    tried.push_back(hints);
    return hints[0] > 16;
  };
  EXPECT_TRUE(Distinguisher().AddWorld({SevenIsNothing(kSize)}, {}, try_world, worlds));
  EXPECT_THAT(tried, ElementsAre(ElementsAre(14), ElementsAre(21)));
  EXPECT_THAT(worlds, ElementsAre(ElementsAre(16), ElementsAre(21)));
}

TEST(DistinguisherTest, GivesUpWhereNoneIsLikeTheOthers) {
  std::vector<Hints> worlds = {{5}};
  EXPECT_FALSE(Distinguisher().AddWorld(
      {kAtMostTwenty}, {}, [](const Hints&) { return false; }, worlds));
  EXPECT_EQ(worlds.size(), 1);
}

}  // namespace
}  // namespace culprit::graph::sizes
