// SPDX-License-Identifier: Apache-2.0
#include "repro/run_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "tests/lib/temporary_folder.h"

namespace culprit::repro {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

TEST(RunFolderTest, EachRunHasAFolderOfItsOwn) {
  const tests::TemporaryFolder runs;
  const auto first = RunFolder::Create(runs / "runs", "net_0_inference");
  const auto second = RunFolder::Create(runs / "runs", "net_0_inference");
  EXPECT_NE(first->path(), second->path());
  EXPECT_THAT(first->path(), EndsWith("-net_0_inference"));
  EXPECT_EQ(tests::NamesIn(first->path()), std::set<std::string>{});
}

TEST(RunFolderTest, AFolderInsideHasTheSameStore) {
  const tests::TemporaryFolder runs;
  const auto run = RunFolder::Create(runs.path(), "net");
  ASSERT_TRUE(run->MakeFolder("calls").ok());
  EXPECT_EQ(std::filesystem::canonical(run->path() + "/calls/store"),
            std::filesystem::canonical(run->path() + "/store"));
}

TEST(RunFolderTest, LatestDoesNotLeadToWhatIsRemoved) {
  const tests::TemporaryFolder runs;
  const auto first = RunFolder::Create(runs.path(), "a");
  const auto second = RunFolder::Create(runs.path(), "b");
  second->Remove();
  EXPECT_EQ(std::filesystem::canonical(runs / "latest"), std::filesystem::canonical(first->path()));
  first->Remove();
  EXPECT_EQ(tests::NamesIn(runs.path()), std::set<std::string>{});
}

TEST(RunFolderTest, WhatIsRemovedLeavesTheOneBeforeAsLatest) {
  const tests::TemporaryFolder folder;
  // More than nine in a second, and names that are not in the order of their folders.
  std::vector<RunFolder> runs;
  for (int i = 0; i < 12; ++i) runs.push_back(*RunFolder::Create(folder.path(), "same"));
  for (const char* name : {"z", "m", "a"}) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    runs.push_back(*RunFolder::Create(folder.path(), name));
  }
  for (; runs.size() > 1; runs.pop_back()) {
    EXPECT_EQ(std::filesystem::canonical(folder / "latest"), runs.back().path());
    runs.back().Remove();
  }
}

TEST(RunFolderTest, LatestLeadsToTheNewest) {
  const tests::TemporaryFolder runs;
  RunFolder::Create(runs.path(), "a").value();
  const auto second = RunFolder::Create(runs.path(), "b");
  EXPECT_EQ(std::filesystem::canonical(runs / "latest"), std::filesystem::canonical(second->path()));
}

TEST(RunFolderTest, ANameThatIsAPathStaysInTheFolder) {
  const tests::TemporaryFolder runs;
  const auto folder = RunFolder::Create(runs.path(), "../../etc/passwd");
  EXPECT_EQ(std::filesystem::path(folder->path()).parent_path(), runs.path());
}

TEST(RunFolderTest, AFolderThatCannotBeMadeSaysWhatToType) {
  const auto folder = RunFolder::Create("/proc/nowhere", "net");
  ASSERT_FALSE(folder.ok());
  EXPECT_THAT(folder.error().Render(), HasSubstr("/proc/nowhere: error: the folder cannot be made"));
  EXPECT_THAT(folder.error().Render(), HasSubstr("--out DIR"));
}

TEST(RunFolderTest, WhatIsCalledLatestAndIsNoLinkStays) {
  const tests::TemporaryFolder runs;
  const std::string latest = runs / "latest";
  tests::WriteWholeFile(latest, "my notes");
  const auto first = RunFolder::Create(runs.path(), "net");
  first->BecomeLatest();
  EXPECT_EQ(tests::ReadWholeFile(latest), "my notes");
  const std::string warning = latest +
                              ": warning: is no link to the newest run, so it is left as it is\n"
                              "  help: to have a link to the newest run there, rename what is in its place";
  ASSERT_TRUE(first->WarningAboutLatest());
  EXPECT_EQ(first->WarningAboutLatest()->Render("warning"), warning);
  first->Remove();
  EXPECT_EQ(tests::ReadWholeFile(latest), "my notes");
  std::filesystem::remove(latest);
  std::filesystem::create_directory(latest);
  const auto second = RunFolder::Create(runs.path(), "net");
  EXPECT_TRUE(std::filesystem::is_directory(std::filesystem::symlink_status(latest)));
  EXPECT_EQ(second->WarningAboutLatest()->Render("warning"), warning);
  std::filesystem::remove(latest);
  EXPECT_FALSE(RunFolder::Create(runs.path(), "net")->WarningAboutLatest());
  EXPECT_EQ(tests::NamesIn(runs.path()).size(), 3) << "two runs and the link";
}

TEST(RunFolderTest, OnlyFoldersOfRunsAreOpened) {
  const tests::TemporaryFolder folder;
  EXPECT_FALSE(RunFolder::Open(folder.path()).ok());
  tests::WriteWholeFile(folder / "original.py", "");
  tests::WriteWholeFile(folder / "trace.jsonl", "");
  EXPECT_EQ(RunFolder::Open(folder.path() + "/")->path(), folder.path());
}

TEST(RunFolderTest, AFolderWithALinkThatLeadsOutIsNotOpened) {
  const tests::TemporaryFolder runs;
  const auto run = RunFolder::Create(runs.path(), "net");
  ASSERT_TRUE(run->MakeFolder("checkpoints").ok());
  tests::WriteWholeFile(run->original(), "");
  tests::WriteWholeFile(run->trace(), "");
  EXPECT_TRUE(RunFolder::Open(run->path()).ok());
  const std::string finds = run->path() + "/finds";
  std::filesystem::create_directory_symlink("/tmp", finds);
  const auto opened = RunFolder::Open(run->path());
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().Render(),
            finds + ": error: is a link, through which a run would write elsewhere\n" +
                "  help: go on in a copy without links: cp -rL " + run->path() + " COPY");
  std::filesystem::remove(finds);
  std::filesystem::remove(run->path() + "/checkpoints/store");
  std::filesystem::create_directory_symlink("/tmp", run->path() + "/checkpoints/store");
  EXPECT_FALSE(RunFolder::Open(run->path()).ok());
}

}  // namespace
}  // namespace culprit::repro
