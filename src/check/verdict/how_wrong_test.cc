// SPDX-License-Identifier: Apache-2.0
#include "check/verdict/how_wrong.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace culprit::check {
namespace {

TEST(HowWrongTest, NumbersOfAnOutput) {
  compare::Output output{.path = "outputs[0]", .sizes = {2, 4}, .max_abs = 0.5, .mismatching = 3};
  output.detail = compare::Detail{.max_rel = 0.25};
  output.noise = compare::Noise{.factor = 4000};
  EXPECT_EQ(HowWrongIs(output).ToString(),
            "3 of 8 elements are wrong, by up to 0.5 (relative 0.25), 4e+03 times the noise");
}

TEST(HowWrongTest, NanAndInfinitiesThatEagerHasTooAreNotCounted) {
  compare::Output output{.sizes = {8}, .max_abs = INFINITY, .mismatching = 3};
  output.reference = {.nan = 1, .inf = 0};
  output.result = {.nan = 4, .inf = 2};
  EXPECT_EQ(HowWrongIs(output).NonFiniteAsText(), "3 of 8 elements are NaN");
  output.result.nan = 1;
  EXPECT_EQ(HowWrongIs(output).ToString(), "2 of 8 elements are infinite");
  output.result.inf = 0;
  EXPECT_EQ(HowWrongIs(output).NonFiniteAsText(), "");
}

TEST(HowWrongTest, OneElementIsTheOnlyOne) {
  EXPECT_EQ((HowWrong{.elements = 1, .wrong = 1, .nan = 1, .max_abs = INFINITY}).ToString(),
            "the only element is NaN");
}

TEST(HowWrongTest, GoesThroughJson) {
  const HowWrong numbers{
      .elements = 8, .wrong = 3, .nan = 1, .max_abs = INFINITY, .max_rel = 2, .times_noise = 7};
  EXPECT_EQ(HowWrongFromJson(HowWrongToJson(numbers)), numbers);
  const HowWrong structure{.structure = "bool in the result, int64 in the reference"};
  EXPECT_EQ(HowWrongFromJson(HowWrongToJson(structure)), structure);
}

}  // namespace
}  // namespace culprit::check
