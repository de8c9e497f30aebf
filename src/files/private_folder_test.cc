// SPDX-License-Identifier: Apache-2.0
#include "files/private_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "tests/lib/temporary_folder.h"

namespace culprit::files {
namespace {

using tests::NamesIn;

/// Makes a folder with something in it, in a process that does what is left to do and is then killed.
void MakeAndBeKilled(
    const std::string& parent, const std::function<void()>& before = [] {}) {
  const pid_t child = fork();
  if (child == 0) {
    const auto folder = PrivateFolder::Make(parent, "culprit-run");
    tests::WriteWholeFile(folder->path() + "/weights", "much");
    before();
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
}

TEST(PrivateFolderTest, IsForItsOwnerAloneAndGoesWithAllThatIsInIt) {
  const tests::TemporaryFolder parent;
  {
    const auto folder = PrivateFolder::Make(parent.path(), "culprit-run");
    ASSERT_TRUE(folder.ok());
    struct stat status = {};
    ASSERT_EQ(stat(folder->path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700);
    std::filesystem::create_directories(folder->path() + "/graphs/store");
    tests::WriteWholeFile(folder->path() + "/graphs/store/x", "y");
  }
  EXPECT_EQ(NamesIn(parent.path()), std::set<std::string>{});
}

TEST(PrivateFolderTest, WhatAKilledProcessLeftIsRemovedByTheNext) {
  const tests::TemporaryFolder parent;
  MakeAndBeKilled(parent.path());
  EXPECT_EQ(NamesIn(parent.path()).size(), 1);
  const auto folder = PrivateFolder::Make(parent.path(), "culprit-hunt");
  EXPECT_THAT(NamesIn(parent.path()), testing::ElementsAre(testing::StartsWith("culprit-hunt-")));
}

TEST(PrivateFolderTest, WhatALivingProcessUsesStays) {
  const tests::TemporaryFolder parent;
  const auto folder = PrivateFolder::Make(parent.path(), "culprit-run");
  RemoveAbandonedFolders(parent.path());
  EXPECT_TRUE(std::filesystem::exists(folder->path()));
}

TEST(PrivateFolderTest, WhatAForkedProcessStillUsesStays) {
  const tests::TemporaryFolder parent;
  pid_t user = 0;
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  MakeAndBeKilled(parent.path(), [&] {
    user = fork();
    if (user == 0) pause();
    ASSERT_EQ(write(pipe_ends[1], &user, sizeof(user)), sizeof(user));
  });
  ASSERT_EQ(read(pipe_ends[0], &user, sizeof(user)), sizeof(user));
  RemoveAbandonedFolders(parent.path());
  EXPECT_EQ(NamesIn(parent.path()).size(), 1);
  kill(user, SIGKILL);
  // It is no child of this process, so there is no way to wait for it but to look.
  for (int i = 0; i < 1000 && !NamesIn(parent.path()).empty(); ++i) {
    usleep(10000);
    RemoveAbandonedFolders(parent.path());
  }
  EXPECT_EQ(NamesIn(parent.path()), std::set<std::string>{});
}

TEST(PrivateFolderTest, FoldersOfOthersStayWhateverTheirNames) {
  const tests::TemporaryFolder parent;
  std::filesystem::create_directory(parent / "culprit-run-backup");
  tests::WriteWholeFile(parent / "culprit-run-backup/thesis", "mine");
  std::filesystem::create_directory(parent / "elsewhere");
  tests::WriteWholeFile(parent / "elsewhere/.culprit-lock", "");
  tests::WriteWholeFile(parent / "elsewhere/thesis", "mine");
  std::filesystem::create_directory_symlink("elsewhere", parent / "culprit-run-abcdef");
  RemoveAbandonedFolders(parent.path());
  EXPECT_THAT(NamesIn(parent.path()),
              testing::ElementsAre("culprit-run-abcdef", "culprit-run-backup", "elsewhere"));
  EXPECT_TRUE(std::filesystem::exists(parent / "culprit-run-backup/thesis"));
  EXPECT_TRUE(std::filesystem::exists(parent / "elsewhere/thesis"));
}

TEST(PrivateFolderTest, APlaceThatDoesNotExistIsAnError) {
  const auto folder = PrivateFolder::Make("/nowhere", "culprit-run");
  ASSERT_FALSE(folder.ok());
  EXPECT_THAT(folder.error().Render(),
              testing::MatchesRegex("/nowhere/culprit-run-......: error: the folder cannot be made: No such "
                                    "file or directory"));
}

}  // namespace
}  // namespace culprit::files
