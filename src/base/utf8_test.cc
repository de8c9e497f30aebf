// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <gtest/gtest.h>

namespace culprit::base {
namespace {

TEST(Utf8, LengthOfASequence) {
  EXPECT_EQ(Utf8Length("a"), 1u);
  EXPECT_EQ(Utf8Length("é!"), 2u);
  EXPECT_EQ(Utf8Length("漢"), 3u);
  EXPECT_EQ(Utf8Length("🙂"), 4u);
}

TEST(Utf8, WhatIsNoSequenceHasNoLength) {
  EXPECT_EQ(Utf8Length("\xff"), 0u);
  EXPECT_EQ(Utf8Length("\xc3"), 0u) << "cut off";
  EXPECT_EQ(Utf8Length("\xc0\x80"), 0u) << "overlong";
  EXPECT_EQ(Utf8Length("\xed\xa0\x80"), 0u) << "a surrogate";
  EXPECT_EQ(Utf8Length("\xf4\x90\x80\x80"), 0u) << "beyond Unicode";
}

TEST(Utf8, CodePoints) {
  EXPECT_EQ(Utf8CodePoint("a"), 0x61u);
  EXPECT_EQ(Utf8CodePoint("é"), 0xe9u);
  EXPECT_EQ(Utf8CodePoint("漢"), 0x6f22u);
  EXPECT_EQ(Utf8CodePoint("🙂"), 0x1f642u);
}

TEST(Utf8, AnInvalidByteIsACharacter) {
  EXPECT_EQ(CountCharacters("é\xff漢"), 3u);
  EXPECT_EQ(OffsetOfCharacter("é\xff漢", 2), 3u);
  EXPECT_EQ(OffsetOfCharacter("ab", 5), 2u);
}

TEST(Utf8, ColumnsOnATerminal) {
  EXPECT_EQ(CountColumns("ab"), 2u);
  EXPECT_EQ(CountColumns("é"), 1u);
  EXPECT_EQ(CountColumns("漢字"), 4u);
  EXPECT_EQ(CountColumns("e\u0301"), 1u);
}

}  // namespace
}  // namespace culprit::base
