// SPDX-License-Identifier: Apache-2.0
#include "ranks/first_difference.h"

#include <gtest/gtest.h>

namespace culprit::ranks {
namespace {

using capture::PlaceView;

const PlaceView kView = {
    .place = "forward: from net.py:12",
    .inputs = {{.name = "x", .type = "float32 tensor", .sizes = {2, 3}, .strides = {3, 1}},
               {.name = "n", .type = "number", .number = 5}},
    .operators = 7};

constexpr char kHelp[] =
    "\n  help: run the same program on all ranks, with inputs that differ in sizes and numbers only";

/// What four ranks hear if rank 2 has this view, and the others have `kView`.
std::string Heard(const PlaceView& odd, const PlaceView& even = kView) {
  const auto failure = FirstDifference({even, even, odd, even});
  if (!failure) return "no difference";
  EXPECT_EQ(failure->kind, RankFailureKind::kDisagreement);
  EXPECT_EQ(failure->ranks, (std::vector{0, 2}));
  return failure->why.Render();
}

TEST(FirstDifferenceTest, EqualViewsDoNotDiffer) {
  EXPECT_EQ(Heard(kView), "no difference");
  EXPECT_FALSE(FirstDifference({kView}));
}

TEST(FirstDifferenceTest, SizesStridesNumbersAndWhatFollowsFromThemMayDiffer) {
  PlaceView view = kView;
  view.inputs[0].sizes = {4, 3};
  view.inputs[0].strides = {1, 4};
  view.inputs[1].number = 6;
  view.operators = 0;
  view.failed_guard = "n is 6, not 5";
  EXPECT_EQ(Heard(view), "no difference");
}

TEST(FirstDifferenceTest, AnotherPlace) {
  PlaceView view = kView;
  view.place = "forward: from net.py:30";
  EXPECT_EQ(
      Heard(view),
      "forward: from net.py:12: error: ranks 0 and 2 differ: rank 0 is at forward: from net.py:12 and rank 2 "
      "at forward: from net.py:30" +
          std::string(kHelp));
}

TEST(FirstDifferenceTest, AnotherNumberOfInputs) {
  PlaceView view = kView;
  view.inputs.push_back({.name = "mask", .type = "bool tensor", .sizes = {2}, .strides = {1}});
  EXPECT_EQ(
      Heard(view),
      "forward: from net.py:12: error: ranks 0 and 2 differ: the graph has 2 inputs on rank 0 and 3 on rank "
      "2\n  note: only on rank 2: mask" +
          std::string(kHelp));
  EXPECT_EQ(
      Heard({.place = kView.place}),
      "forward: from net.py:12: error: ranks 0 and 2 differ: the graph has 2 inputs on rank 0 and 0 on rank "
      "2\n  note: only on rank 0: x, n" +
          std::string(kHelp));
}

TEST(FirstDifferenceTest, AnotherNameOfAnInput) {
  PlaceView view = kView;
  view.inputs[1].name = "m";
  EXPECT_EQ(Heard(view),
            "forward: from net.py:12: error: ranks 0 and 2 differ: input 1 is n on rank 0 and m on rank 2" +
                std::string(kHelp));
}

TEST(FirstDifferenceTest, AnotherTypeOfAnInput) {
  PlaceView view = kView;
  view.inputs[0].type = "int64 tensor";
  EXPECT_EQ(
      Heard(view),
      "forward: from net.py:12: error: ranks 0 and 2 differ: x is a float32 tensor on rank 0 and an int64 "
      "tensor on rank 2" +
          std::string(kHelp));
}

TEST(FirstDifferenceTest, AnotherNumberOfDimensions) {
  PlaceView view = kView;
  view.inputs[0].sizes = {2, 3, 1};
  EXPECT_EQ(
      Heard(view),
      "forward: from net.py:12: error: ranks 0 and 2 differ: x is a float32 tensor of 2 dimensions on rank 0 "
      "and of 3 on rank 2" +
          std::string(kHelp));
}

TEST(FirstDifferenceTest, ABreakOnOneRankOnly) {
  PlaceView view = kView;
  view.end = {{.code = "B02", .reason = "a branch depends on numbers", .place = "net.py:29"}};
  EXPECT_EQ(
      Heard(view),
      "forward: from net.py:12: error: ranks 0 and 2 differ: the graph ends with a return on rank 0 and with "
      "break B02 at net.py:29 (a branch depends on numbers) on rank 2" +
          std::string(kHelp));
}

TEST(FirstDifferenceTest, TheSameBreakForOtherNumbersIsNoDifference) {
  PlaceView even = kView;
  even.end = {{.code = "B02", .reason = "because of 2", .place = "net.py:29"}};
  PlaceView odd = even;
  odd.end->reason = "because of 3";
  EXPECT_EQ(Heard(odd, even), "no difference");
  odd.end->place = "net.py:31";
  EXPECT_EQ(
      Heard(odd, even),
      "forward: from net.py:12: error: ranks 0 and 2 differ: the graph ends with break B02 at net.py:29 "
      "(because of 2) on rank 0 and with break B02 at net.py:31 (because of 3) on rank 2" +
          std::string(kHelp));
}

TEST(FirstDifferenceTest, TheFirstRankThatDiffersIsNamed) {
  PlaceView odd = kView;
  odd.inputs[0].type = "int64 tensor";
  EXPECT_EQ(FirstDifference({kView, odd, {}, odd})->ranks, (std::vector{0, 1}));
}

TEST(FirstDifferenceTest, WhatOtherRanksSendCannotWriteOnTheTerminal) {
  PlaceView view = kView;
  view.inputs[0].type = "\x1b[31m";
  EXPECT_EQ(Heard(view).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace culprit::ranks
