// SPDX-License-Identifier: Apache-2.0
#include "hunt/run/keep_insight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/lib/temporary_folder.h"

namespace culprit::hunt {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> NamesIn(const std::string& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename());
  return names;
}

TEST(KeepInsightTest, EachTextIsAFile) {
  const tests::TemporaryFolder runs;
  const repro::RunFolder folder = *repro::RunFolder::Create(runs.path(), "net");
  ASSERT_TRUE(KeepInsight(folder, {.insight = {{"code.py", "x"}, {"kernel_1.cpp", "y"}}}).ok());
  EXPECT_THAT(NamesIn(folder.insight()), testing::UnorderedElementsAre("code.py", "kernel_1.cpp"));
  EXPECT_EQ(tests::ReadWholeFile(folder.insight() + "/code.py"), "x");
}

TEST(KeepInsightTest, NamesLeadNowhereElse) {
  const tests::TemporaryFolder runs;
  const repro::RunFolder folder = *repro::RunFolder::Create(runs.path(), "net");
  ASSERT_TRUE(KeepInsight(folder, {.insight = {{"../../escaped.py", "x"}, {"/tmp/a b.c/d", "y"}}}).ok());
  EXPECT_THAT(NamesIn(folder.insight()), testing::UnorderedElementsAre("escaped.py", "d"));
}

TEST(KeepInsightTest, WhatAnEarlierRunLeftIsReplaced) {
  const tests::TemporaryFolder runs;
  const repro::RunFolder folder = *repro::RunFolder::Create(runs.path(), "net");
  ASSERT_TRUE(KeepInsight(folder, {.insight = {{"old.py", "x"}}}).ok());
  ASSERT_TRUE(KeepInsight(folder, {.insight = {{"new.py", "x"}}}).ok());
  EXPECT_THAT(NamesIn(folder.insight()), testing::ElementsAre("new.py"));
}

TEST(KeepInsightTest, WithNothingToShowThereIsNoFolder) {
  const tests::TemporaryFolder runs;
  const repro::RunFolder folder = *repro::RunFolder::Create(runs.path(), "net");
  ASSERT_TRUE(KeepInsight(folder, {}).ok());
  EXPECT_FALSE(fs::exists(folder.insight()));
}

}  // namespace
}  // namespace culprit::hunt
