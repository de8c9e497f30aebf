// SPDX-License-Identifier: Apache-2.0
#include "ranks/view_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace culprit::ranks {
namespace {

using capture::PlaceView;

std::string ErrorOf(std::string_view text) {
  const auto view = ViewOf(text);
  return view.ok() ? "none" : view.error().message;
}

TEST(ViewTextTest, AViewComesBackAsItWas) {
  const PlaceView view = {
      .place = "forward: from net.py:12",
      .inputs = {{.name = "x", .type = "float32 tensor", .sizes = {2, 3}, .strides = {3, 1}},
                 {.name = "n", .type = "number", .number = INT64_MIN},
                 {.name = "scalar", .type = "float32 tensor"}},
      .end = {{.code = "B02", .reason = "a branch depends on the numbers of a tensor", .place = "net.py:29"}},
      .operators = 21,
      .failed_guard = "x is a float32 tensor of [3, 3], not of [2, 3]",
      .refusal = "internal error"};
  EXPECT_EQ(*ViewOf(TextOf(view)), view);
}

TEST(ViewTextTest, AnEmptyGraphThatReturnsHasAViewToo) {
  const PlaceView view = {.place = "forward: from net.py:12"};
  EXPECT_EQ(*ViewOf(TextOf(view)), view);
}

TEST(ViewTextTest, BytesThatAreNoTextDoNotKeepAViewFromBeingSent) {
  EXPECT_EQ(ViewOf(TextOf({.place = "f\xff"}))->place, "f\uFFFD");
}

TEST(ViewTextTest, AViewThatIsTooLargeSaysSo) {
  PlaceView view = {.place = "f"};
  view.inputs.assign(200'000, {.name = "x", .type = "float32 tensor", .sizes = {2}, .strides = {1}});
  const std::string text = TextOf(view);
  EXPECT_LT(text.size(), 100);
  EXPECT_EQ(ErrorOf(text), "would have 12.0 MiB, and at most 4.0 MiB are sent");
}

TEST(ViewTextTest, WhatOtherRanksSendIsNotBelieved) {
  EXPECT_EQ(ErrorOf(""), "is no JSON object");
  EXPECT_EQ(ErrorOf("[[[["), "is no JSON object");
  EXPECT_EQ(ErrorOf("[1]"), "is no JSON object");
  EXPECT_EQ(ErrorOf("{}"), "is of another version of Culprit");
  EXPECT_EQ(ErrorOf(R"({"version": 2})"), "is of another version of Culprit");
  EXPECT_EQ(ErrorOf(R"({"version": 1})"), "has no right 'place'");
  EXPECT_EQ(ErrorOf(R"({"version": 1, "place": 7})"), "has no right 'place'");
  EXPECT_EQ(ErrorOf(std::string(kLargestView + 1, ' ')), "has 4.0 MiB");
}

TEST(ViewTextTest, EachPartOfAViewIsLookedAt) {
  const auto error = [](std::string_view rest) {
    return ErrorOf(fmt::format(R"({{"version": 1, "place": "f", "failed_guard": "", {}}})", rest));
  };
  const auto error_of_input = [&](std::string_view input) {
    return error(fmt::format(R"("operators": 1, "inputs": [{}])", input));
  };
  EXPECT_EQ(error(R"("operators": -1, "inputs": [])"), "has no right 'operators'");
  EXPECT_EQ(error(R"("operators": 1, "inputs": 5)"), "has no right 'inputs'");
  EXPECT_EQ(error(R"("operators": 1, "inputs": [], "break": "B02")"), "has no right 'break'");
  EXPECT_EQ(error(R"("operators": 1, "inputs": [], "break": {"code": 2}})"), "is no JSON object");
  EXPECT_EQ(error(R"("operators": 1, "inputs": [], "break": {"code": "B02"})"), "has no right 'reason'");
  EXPECT_EQ(error_of_input("5"), "has no right 'inputs'");
  EXPECT_EQ(error_of_input(R"({"name": "x"})"), "has no right 'type'");
  EXPECT_EQ(error_of_input(R"({"name": "x", "type": "t", "sizes": 2})"), "has no right 'sizes'");
  EXPECT_EQ(error_of_input(R"({"name": "x", "type": "t", "sizes": [2.5]})"), "has no right 'sizes'");
  EXPECT_EQ(error_of_input(R"({"name": "x", "type": "t", "strides": ["1"]})"), "has no right 'strides'");
  EXPECT_EQ(error_of_input(R"({"name": "x", "type": "t", "number": null})"), "has no right 'number'");
  EXPECT_EQ(error_of_input(R"({"name": "x", "type": "t", "sizes": [2], "number": 3})"), "none");
}

}  // namespace
}  // namespace culprit::ranks
