// SPDX-License-Identifier: Apache-2.0
#include "isolate/output_excerpt.h"

#include <gtest/gtest.h>

namespace culprit::isolate {
namespace {

TEST(OutputExcerpt, KeepsAllThatFits) {
  OutputExcerpt excerpt(10);
  excerpt.Append("abc");
  excerpt.Append("defg");
  excerpt.Append("hij");
  EXPECT_EQ(excerpt.Text(), "abcdefghij");
  EXPECT_EQ(excerpt.total_bytes(), 10u);
}

TEST(OutputExcerpt, LeavesOutTheMiddle) {
  OutputExcerpt excerpt(4);
  for (char c = 'a'; c <= 'z'; ++c) excerpt.Append(std::string(1, c));
  EXPECT_EQ(excerpt.Text(), "ab\n[22 bytes left out]\nyz");
  EXPECT_EQ(excerpt.total_bytes(), 26u);
}

TEST(OutputExcerpt, TakesLongPieces) {
  OutputExcerpt excerpt(4);
  excerpt.Append("abcdefg");
  EXPECT_EQ(excerpt.Text(), "ab\n[3 bytes left out]\nfg");
}

TEST(OutputExcerpt, CanBeEmpty) {
  OutputExcerpt excerpt(0);
  EXPECT_EQ(excerpt.Text(), "");
  excerpt.Append("a");
  EXPECT_EQ(excerpt.Text(), "\n[1 byte left out]\n");
}

}  // namespace
}  // namespace culprit::isolate
