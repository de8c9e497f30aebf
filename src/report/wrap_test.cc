// SPDX-License-Identifier: Apache-2.0
#include "report/wrap.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace culprit::report {
namespace {

TEST(WrappedTest, LinesThatFitStayAsTheyAre) {
  EXPECT_EQ(Wrapped("", 10), "");
  EXPECT_EQ(Wrapped("a  b\n\n  c\n", 10), "a  b\n\n  c\n");
  EXPECT_EQ(Wrapped("1234567890", 10), "1234567890");
}

TEST(WrappedTest, LongerOnesGoOnFurtherIn) {
  EXPECT_EQ(Wrapped("one two three\n", 10), "one two\n    three\n");
  EXPECT_EQ(Wrapped("  one two three four", 12), "  one two\n      three\n      four");
}

TEST(WrappedTest, BlanksWithinALineAreKept) {
  EXPECT_EQ(Wrapped("a   b   c   d", 10), "a   b   c\n    d");
}

TEST(WrappedTest, ALongWordStaysWhole) {
  EXPECT_EQ(Wrapped("in /a/long/path/indeed it is", 10), "in\n    /a/long/path/indeed\n    it is");
}

TEST(WrappedTest, ACommandStaysWhole) {
  EXPECT_EQ(Wrapped("  help: run: culprit verify net.py --times 3", 20),
            "  help: run:\n      culprit verify net.py --times 3");
}

TEST(WrappedTest, ColumnsAreWhatATerminalShows) {
  EXPECT_EQ(Wrapped("äöü äöü", 7), "äöü äöü");
  EXPECT_EQ(Wrapped("漢字 漢字", 8), "漢字\n    漢字");
}

TEST(WrappedTest, ZeroIsNoLimit) {
  EXPECT_EQ(Wrapped(std::string(100, 'a') + " b", 0), std::string(100, 'a') + " b");
}

TEST(FilledTest, LineBreaksOfTheParagraphAreBlanks) {
  EXPECT_EQ(Filled("one two\nthree", {2, 4}, 10), "  one two\n    three");
}

TEST(ColumnsTest, AreThoseOfTheEnvironmentOrEighty) {
  unsetenv("COLUMNS");
  EXPECT_EQ(Columns(), 80);
  setenv("COLUMNS", "120", 1);
  EXPECT_EQ(Columns(), 120);
  setenv("COLUMNS", "0", 1);
  EXPECT_EQ(Columns(), 0);
  setenv("COLUMNS", "wide", 1);
  EXPECT_EQ(Columns(), 80);
  unsetenv("COLUMNS");
}

}  // namespace
}  // namespace culprit::report
