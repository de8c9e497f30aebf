// SPDX-License-Identifier: Apache-2.0
#include "repro/file_name.h"

#include <gtest/gtest.h>

namespace culprit::repro {
namespace {

TEST(FileNameTest, WhatCouldLeaveTheFolderBecomesUnderscores) {
  EXPECT_EQ(AsFileName("../my net-2.1", "graph"), "___my_net-2_1");
}

TEST(FileNameTest, ItIsNeitherEmptyNorLong) {
  EXPECT_EQ(AsFileName("", "graph"), "graph");
  EXPECT_EQ(AsFileName(std::string(100, 'x'), "graph"), std::string(60, 'x'));
}

}  // namespace
}  // namespace culprit::repro
