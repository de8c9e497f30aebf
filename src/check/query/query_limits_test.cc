// SPDX-License-Identifier: Apache-2.0
#include "check/query/query_limits.h"

#include <gtest/gtest.h>

namespace culprit::check {
namespace {

TEST(QueryLimitsTest, AreTheUsualOnesAndMayGrow) {
  const isolate::Limits limits = QueryLimits();
  EXPECT_EQ(limits.wall_time, std::chrono::seconds(60));
  EXPECT_EQ(limits.memory_bytes, uint64_t{8} << 30);
  EXPECT_EQ(limits.growth.time, 15);
  EXPECT_EQ(limits.growth.memory, 4);
}

TEST(QueryLimitsTest, NeverLetAGraphHaveTheWholeMachine) {
  EXPECT_EQ(QueryLimits().growth.most_memory_bytes, MostMemoryOfAQuery());
  EXPECT_GE(MostMemoryOfAQuery(), uint64_t{8} << 30);
}

}  // namespace
}  // namespace culprit::check
