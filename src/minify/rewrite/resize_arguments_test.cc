// SPDX-License-Identifier: Apache-2.0
#include "minify/rewrite/resize_arguments.h"

#include <gtest/gtest.h>

namespace culprit::minify {
namespace {

const std::map<int64_t, int64_t> kNothingKnown;

TEST(ResizedViewTest, FlattenedDimensionsAreMultiplied) {
  EXPECT_EQ(ResizedView({{8, 20, 4, 4}, {8, 20, 2, 2}}, {8, 320}, kNothingKnown), (Sizes{8, 80}));
}

TEST(ResizedViewTest, SplitDimensionsKeepWhatTheyCan) {
  EXPECT_EQ(ResizedView({{8, 768}, {8, 96}}, {8, 12, 64}, kNothingKnown), (Sizes{8, 12, 8}));
  EXPECT_EQ(ResizedView({{8, 768}, {8, 96}}, {8, 12, 64}, {{12, 6}, {64, 16}}), (Sizes{8, 6, 16}));
}

TEST(ResizedViewTest, TheUnknownDimensionStaysUnknown) {
  EXPECT_EQ(ResizedView({{8, 20, 4}, {2, 20, 4}}, {-1, 4}, kNothingKnown), (Sizes{-1, 4}));
}

TEST(ResizedViewTest, OnesMayStandAnywhere) {
  EXPECT_EQ(ResizedView({{6, 4}, {3, 2}}, {1, 6, 1, 4, 1}, kNothingKnown), (Sizes{1, 3, 1, 2, 1}));
}

TEST(ResizedViewTest, WhatDoesNotCorrespondStays) {
  EXPECT_EQ(ResizedView({{6, 4}, {3, 4}}, {5, 5}, kNothingKnown), (Sizes{5, 5}));
}

}  // namespace
}  // namespace culprit::minify
