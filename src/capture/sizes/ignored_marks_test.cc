// SPDX-License-Identifier: Apache-2.0
#include "capture/sizes/ignored_marks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::capture {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// x is a matrix, n a number, xs a list of one tensor.
Segment Example() {
  TensorLike matrix;
  matrix.sizes = {4, 3};
  matrix.strides = {3, 1};
  Segment segment;
  segment.guards.push_back({GuardSource{.name = "x"}, matrix});
  segment.guards.push_back({GuardSource{.name = "n"}, Constant{70'000}});
  segment.guards.push_back({GuardSource{.name = "xs"}, ListOf{1}});
  segment.guards.push_back({GuardSource{.name = "xs[0]"}, matrix});
  return segment;
}

TEST(IgnoredMarksTest, MarksOfSizesAreNone) {
  EXPECT_THAT(IgnoredMarks(Example(), {.dynamic = {{"x", 0}, {"xs[0]", 1}}, .fixed = {{"x", 1}}}), IsEmpty());
}

TEST(IgnoredMarksTest, OfWhatTheSegmentDoesNotLookAtNothingIsSaid) {
  EXPECT_THAT(IgnoredMarks(Example(), {.dynamic = {{"y", 7}}}), IsEmpty());
}

TEST(IgnoredMarksTest, ADimensionThatIsNotThere) {
  EXPECT_THAT(IgnoredMarks(Example(), {.dynamic = {{"x", 2}}}),
              ElementsAre("x.size(2) is marked, but x has 2 dimensions"));
  EXPECT_THAT(IgnoredMarks(Example(), {.fixed = {{"x", 7}}}),
              ElementsAre("x.size(7) is marked, but x has 2 dimensions"));
}

TEST(IgnoredMarksTest, ANumberThatIsTooLarge) {
  EXPECT_THAT(IgnoredMarks(Example(), {.dynamic = {{"n", 0}}}),
              ElementsAre("n is fixed to 70000: numbers above 65536 are no sizes"));
}

TEST(IgnoredMarksTest, APartThatIsNotThere) {
  EXPECT_THAT(IgnoredMarks(Example(), {.dynamic = {{"xs[3]", 0}}}),
              ElementsAre("xs[3] is marked, but there is no such value"));
  EXPECT_THAT(IgnoredMarks(Example(), {.dynamic = {{"xs", 0}}}),
              ElementsAre("xs is marked, but is neither a tensor nor a whole number"));
}

}  // namespace
}  // namespace culprit::capture
