// SPDX-License-Identifier: Apache-2.0
#include "hunt/result/nearest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/fake_checks.h"

namespace culprit::hunt {
namespace {

using minify::Neighbour;
using minify::Program;
using tests::Chain;

TEST(NearestTest, TheOneThatDiffersInTheFewestLinesIsShown) {
  const Program failing = Chain(3, {{1, "tanh"}});
  const std::vector<Neighbour> passing = {{Chain(1), "drop two", "drop"},
                                          {Chain(2), "drop tanh", "drop"},
                                          {Chain(3, {{1, "relu"}}), "a simpler operator", "simplify"}};
  const auto nearest = FindNearest(failing, passing);
  ASSERT_TRUE(nearest);
  EXPECT_EQ(nearest->edit, "drop tanh");
  EXPECT_EQ(nearest->difference,
            "         sin = torch.ops.aten.sin.default(x)\n"
            "-        tanh = torch.ops.aten.tanh.default(sin)\n"
            "-        sin_1 = torch.ops.aten.sin.default(tanh)\n"
            "+        sin_1 = torch.ops.aten.sin.default(sin)\n"
            "         return (sin_1,)\n");
}

TEST(NearestTest, ShapesAreShownToo) {
  Program smaller = Chain(1);
  smaller.inputs = {at::ones({1, 3})};
  const auto nearest = FindNearest(Chain(1), {{smaller, "fewer rows", "shapes"}});
  ASSERT_TRUE(nearest);
  EXPECT_THAT(nearest->difference, testing::HasSubstr("(2, 3)"));
  EXPECT_THAT(nearest->difference, testing::HasSubstr("(1, 3)"));
}

TEST(NearestTest, OneThatLooksTheSameShowsNothing) {
  Program other_numbers = Chain(1);
  other_numbers.inputs = {at::ones({2, 3}).mul(2)};
  EXPECT_FALSE(FindNearest(Chain(1), {{other_numbers, "twos", "values"}}));
}

TEST(NearestTest, WithoutNeighboursThereIsNone) {
  EXPECT_FALSE(FindNearest(Chain(1), {}));
}

TEST(NearestTest, LongProgramsAreNotShown) {
  EXPECT_FALSE(FindNearest(Chain(300), {{Chain(299), "drop sin", "drop"}}));
}

}  // namespace
}  // namespace culprit::hunt
