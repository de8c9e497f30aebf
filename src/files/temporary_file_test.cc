// SPDX-License-Identifier: Apache-2.0
#include "files/temporary_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/temporary_folder.h"

namespace culprit::files {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using tests::NamesIn;
using tests::ReadWholeFile;
using tests::TemporaryFolder;

class TemporaryFileTest : public testing::TestWithParam<TemporaryFile::Kind> {
 protected:
  TemporaryFile Written(const std::string& text) const {
    TemporaryFile file = *TemporaryFile::Create(folder_, GetParam());
    *file.Write(std::as_bytes(std::span(text)), "x");
    return file;
  }

  TemporaryFolder place_;
  Folder folder_ = *Folder::Open(place_.path());
};

INSTANTIATE_TEST_SUITE_P(Kinds, TemporaryFileTest,
                         testing::Values(TemporaryFile::Kind::kNamelessIfPossible,
                                         TemporaryFile::Kind::kNamed));

TEST_P(TemporaryFileTest, AppearsWithItsContentsAndReadOnly) {
  EXPECT_TRUE(*Written("contents").PublishNew("name"));
  EXPECT_THAT(NamesIn(place_.path()), ElementsAre("name"));
  EXPECT_EQ(ReadWholeFile(place_ / "name"), "contents");
  struct stat status = {};
  ASSERT_EQ(stat((place_ / "name").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0333, 0U);
}

TEST_P(TemporaryFileTest, DoesNotReplaceUnlessAsked) {
  EXPECT_TRUE(*Written("first").PublishNew("name"));
  EXPECT_FALSE(*Written("second").PublishNew("name"));
  EXPECT_EQ(ReadWholeFile(place_ / "name"), "first");
  EXPECT_TRUE(Written("third").PublishOver("name").ok());
  EXPECT_EQ(ReadWholeFile(place_ / "name"), "third");
  EXPECT_THAT(NamesIn(place_.path()), ElementsAre("name"));
}

TEST_P(TemporaryFileTest, VanishesWithoutAName) {
  Written("contents");
  EXPECT_THAT(NamesIn(place_.path()), IsEmpty());
}

TEST_P(TemporaryFileTest, AFolderInItsPlaceIsAnErrorAndStays) {
  mkdir((place_ / "name").c_str(), 0755);
  EXPECT_EQ(Written("x").PublishOver("name").error().Render(),
            place_ / "name" + ": error: cannot give it its name: is a directory");
  EXPECT_THAT(NamesIn(place_.path()), ElementsAre("name"));
}

TEST(StaleFilesTest, OnlyThoseOfDeadWritersAreRemoved) {
  const TemporaryFolder place;
  const Folder folder = *Folder::Open(place.path());
  const TemporaryFile living = *TemporaryFile::Create(folder, TemporaryFile::Kind::kNamed);
  ASSERT_THAT(NamesIn(place.path()), SizeIs(1));
  const std::string dead = ".writing-0123456789abcdef0123456789abcdef";
  tests::WriteWholeFile(place / dead, "half a fi");
  tests::WriteWholeFile(place / ".writing-it", "somebody else's");
  tests::WriteWholeFile(place / "name", "contents");
  EXPECT_EQ(*RemoveStaleFiles(folder), 1);
  EXPECT_FALSE(std::filesystem::exists(place / dead));
  EXPECT_THAT(NamesIn(place.path()), SizeIs(3));
}

TEST(StaleFilesTest, AChildThatDiedLeavesOne) {
  const TemporaryFolder place;
  const Folder folder = *Folder::Open(place.path());
  const pid_t child = fork();
  if (child == 0) {
    const TemporaryFile file = *TemporaryFile::Create(folder, TemporaryFile::Kind::kNamed);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  EXPECT_THAT(NamesIn(place.path()), SizeIs(1));
  EXPECT_EQ(*RemoveStaleFiles(folder), 1);
  EXPECT_THAT(NamesIn(place.path()), IsEmpty());
}

}  // namespace
}  // namespace culprit::files
