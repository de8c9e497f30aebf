// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/generalise/verdicts.h"

#include <gtest/gtest.h>

namespace culprit::graph::sizes {
namespace {

TEST(VerdictsTest, SizesThatWereNotComparedHaveNone) {
  Verdicts verdicts;
  verdicts.Note({4, 5}, "");
  verdicts.Note({4, 6}, "another graph");
  EXPECT_EQ(verdicts.Find({4, 5}), "");
  EXPECT_EQ(verdicts.Find({4, 6}), "another graph");
  EXPECT_EQ(verdicts.Find({5, 4}), std::nullopt);
}

TEST(VerdictsTest, AreForgottenWhenThereAreTooMany) {
  Verdicts verdicts;
  for (int64_t size = 0; size < 10'000; ++size) verdicts.Note({size}, "");
  EXPECT_EQ(verdicts.Find({0}), std::nullopt);
  EXPECT_EQ(verdicts.Find({9'999}), "");
}

}  // namespace
}  // namespace culprit::graph::sizes
