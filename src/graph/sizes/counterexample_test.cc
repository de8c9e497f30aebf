// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/counterexample.h"

#include <gtest/gtest.h>

namespace culprit::graph::sizes {
namespace {

const Condition kAtMostTwenty = {Expression::Symbol(0), Relation::kLessEqual, Expression::Constant(20)};
const Condition kBelowThirty = {Expression::Symbol(0), Relation::kLess, Expression::Constant(30)};

TEST(CounterexampleTest, BreaksTheCoincidenceAndNoCondition) {
  std::set<Hints> tried;
  for (int i = 0; i < 5; ++i) {
    const std::optional<Hints> found = Counterexample({kAtMostTwenty}, {kBelowThirty}, {5, 8}, tried);
    ASSERT_TRUE(found);
    EXPECT_GT(found->at(0), 20);
    EXPECT_LT(found->at(0), 30);
    EXPECT_TRUE(tried.insert(*found).second);
  }
}

TEST(CounterexampleTest, ThereIsNoneForWhatFollowsFromConditions) {
  EXPECT_FALSE(Counterexample({kBelowThirty}, {kAtMostTwenty}, {5}, {}));
  EXPECT_FALSE(Counterexample({}, {}, {5}, {}));
}

}  // namespace
}  // namespace culprit::graph::sizes
