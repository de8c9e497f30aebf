// SPDX-License-Identifier: Apache-2.0
#include "report/text_table.h"

#include <gtest/gtest.h>

namespace culprit::report {
namespace {

constexpr TableLayout kLayout = {.text_begin = 1, .text_end = 3, .names = 2};
const std::vector<TableRow> kRows = {{"", "output", "dtype", "min", "max"},
                                     {"0", "x", "int", "-100", "7"},
                                     {"1", "sum", "float", "1.5", "2.25"}};

TEST(AlignTableTest, TextIsToTheLeftAndNumbersToTheRight) {
  EXPECT_EQ(AlignTable(kRows, kLayout),
            "   output  dtype   min   max\n"
            "0  x       int    -100     7\n"
            "1  sum     float   1.5  2.25\n");
}

TEST(AlignTableTest, ATableThatIsTooWideIsShownInPartsWithTheNames) {
  const std::string parts =
      "   output  dtype   min\n"
      "0  x       int    -100\n"
      "1  sum     float   1.5\n"
      "\n"
      "   output   max\n"
      "0  x          7\n"
      "1  sum     2.25\n";
  EXPECT_EQ(AlignTable(kRows, kLayout, 27), parts);
  EXPECT_EQ(AlignTable(kRows, kLayout, 22), parts);
  EXPECT_EQ(AlignTable(kRows, kLayout, 28), AlignTable(kRows, kLayout));
}

TEST(AlignTableTest, APartHasAtLeastOneColumnBesideTheNames) {
  EXPECT_EQ(AlignTable({{"a", "b"}, {"1", "2"}}, {.names = 1}, 1), "a  b\n1  2\n");
}

TEST(AlignTableTest, ZeroIsNoLimit) {
  const std::vector<TableRow> wide = {{"a", std::string(100, 'b'), "c"}};
  EXPECT_EQ(AlignTable(wide, {.text_end = 3}, 0), "a  " + std::string(100, 'b') + "  c\n");
}

}  // namespace
}  // namespace culprit::report
