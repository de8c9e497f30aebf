// SPDX-License-Identifier: Apache-2.0
#include "report/term_list.h"

#include <gtest/gtest.h>

namespace culprit::report {
namespace {

TEST(TermListTest, MeaningsStandInAColumn) {
  EXPECT_EQ(TermList({{"a", "one"}, {"long", "two"}}), "a     one\nlong  two\n");
  EXPECT_EQ(TermList({{"a", "one"}}, 2), "  a  one\n");
}

TEST(TermListTest, LongMeaningsGoOnInTheirColumn) {
  EXPECT_EQ(TermList({{"a", "one two three"}}, 0, 10), "a  one two\n   three\n");
}

TEST(TermListTest, WhatAVeryLongNameMeansStandsBelowIt) {
  const std::string path = "/opt/of/somebody/compilers/build/libmine.so";
  EXPECT_EQ(TermList({{"eager", "one"}, {path, "two"}}), "eager  one\n" + path + "\n       two\n");
}

TEST(TermListTest, ATermMayMeanNothing) {
  EXPECT_EQ(TermList({{"a", ""}, {"b", "two"}}), "a\nb  two\n");
}

}  // namespace
}  // namespace culprit::report
