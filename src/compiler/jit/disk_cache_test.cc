// SPDX-License-Identifier: Apache-2.0
#include "compiler/jit/disk_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <vector>

#include "tests/lib/holds_in_fork.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::compiler::jit {
namespace {

using testing::ElementsAre;
using testing::Optional;
using testing::UnorderedElementsAre;

constexpr uint64_t kPlenty = 1 << 20;

/// Its first digits choose when the folder is cleaned up.
std::string Key(uint32_t number) {
  return fmt::format("{:08x}{:024x}", number, 7);
}

class DiskCacheTest : public testing::Test {
 protected:
  DiskCache Open(uint64_t most_bytes = kPlenty) const { return *DiskCache::Open(folder_.path(), most_bytes); }
  std::string PathOf(const std::string& key) const { return folder_ / (key + ".kernel"); }

  /// The entry of Key(1) after `change`, if it can be read at all.
  DiskCache::Found ReadAfter(const std::function<void(std::string& contents)>& change) const {
    EXPECT_TRUE(Open().Write(Key(1), "object"));
    std::string contents = tests::ReadWholeFile(PathOf(Key(1)));
    change(contents);
    tests::WriteWholeFile(PathOf(Key(1)), contents);
    return Open().Read(Key(1));
  }

  void ExpectDamaged(const DiskCache::Found& found) const {
    EXPECT_TRUE(found.is_damaged);
    EXPECT_FALSE(found.object.has_value());
  }

  const tests::TemporaryFolder folder_;
};

TEST_F(DiskCacheTest, WhatWasWrittenIsRead) {
  const std::string object("an object\0with\nany bytes", 24);
  EXPECT_TRUE(Open().Write(Key(1), object));
  const DiskCache::Found found = Open().Read(Key(1));
  EXPECT_THAT(found.object, Optional(object));
  EXPECT_FALSE(found.is_damaged);
}

TEST_F(DiskCacheTest, WhatIsNotThereIsNotDamaged) {
  const DiskCache::Found found = Open().Read(Key(1));
  EXPECT_FALSE(found.object.has_value());
  EXPECT_FALSE(found.is_damaged);
}

TEST_F(DiskCacheTest, AnEntryIsReplaced) {
  EXPECT_TRUE(Open().Write(Key(1), "old"));
  EXPECT_TRUE(Open().Write(Key(1), "new"));
  EXPECT_THAT(Open().Read(Key(1)).object, Optional(std::string("new")));
  EXPECT_EQ(tests::NamesIn(folder_.path()).size(), 1u);
}

TEST_F(DiskCacheTest, AnyFlippedByteIsNoticed) {
  EXPECT_TRUE(Open().Write(Key(1), "object"));
  const size_t bytes = tests::ReadWholeFile(PathOf(Key(1))).size();
  for (size_t i = 0; i < bytes; ++i) {
    SCOPED_TRACE(i);
    ExpectDamaged(ReadAfter([i](std::string& contents) { contents[i] ^= 0x20; }));
  }
}

TEST_F(DiskCacheTest, AnyOtherLengthIsNoticed) {
  EXPECT_TRUE(Open().Write(Key(1), "object"));
  const size_t bytes = tests::ReadWholeFile(PathOf(Key(1))).size();
  for (size_t i = 0; i < bytes; ++i) {
    SCOPED_TRACE(i);
    ExpectDamaged(ReadAfter([i](std::string& contents) { contents.resize(i); }));
  }
  ExpectDamaged(ReadAfter([](std::string& contents) { contents += '\0'; }));
}

TEST_F(DiskCacheTest, AnEntryOfAnotherKeyIsNoticed) {
  EXPECT_TRUE(Open().Write(Key(1), "object"));
  std::filesystem::copy_file(PathOf(Key(1)), PathOf(Key(2)));
  ExpectDamaged(Open().Read(Key(2)));
}

TEST_F(DiskCacheTest, AnEntryThatOthersMayWriteIsNotBelieved) {
  for (const mode_t mode : {0664, 0646}) {
    EXPECT_TRUE(Open().Write(Key(1), "object"));
    chmod(PathOf(Key(1)).c_str(), mode);
    ExpectDamaged(Open().Read(Key(1)));
  }
}

TEST_F(DiskCacheTest, AnEntryOfAnotherUserIsNotBelieved) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  EXPECT_TRUE(Open().Write(Key(1), "object"));
  constexpr uid_t kNobody = 65534;
  ASSERT_EQ(chown(PathOf(Key(1)).c_str(), kNobody, kNobody), 0);
  ExpectDamaged(Open().Read(Key(1)));
}

TEST_F(DiskCacheTest, ALinkIsNotBelieved) {
  const tests::TemporaryFolder elsewhere;
  EXPECT_TRUE(DiskCache::Open(elsewhere.path(), kPlenty)->Write(Key(1), "object"));
  std::filesystem::create_symlink(elsewhere / (Key(1) + ".kernel"), PathOf(Key(1)));
  ExpectDamaged(Open().Read(Key(1)));
  EXPECT_TRUE(Open().Write(Key(1), "mine"));
  EXPECT_THAT(Open().Read(Key(1)).object, Optional(std::string("mine")));
  EXPECT_THAT(DiskCache::Open(elsewhere.path(), kPlenty)->Read(Key(1)).object,
              Optional(std::string("object")));
}

TEST_F(DiskCacheTest, AFifoIsNotWaitedFor) {
  ASSERT_EQ(mkfifo(PathOf(Key(1)).c_str(), 0600), 0);
  ExpectDamaged(Open().Read(Key(1)));
}

TEST_F(DiskCacheTest, TheFolderIsPrivate) {
  const auto mode_of = [](const std::string& path) {
    struct stat status = {};
    EXPECT_EQ(stat(path.c_str(), &status), 0);
    return status.st_mode & 0777;
  };
  EXPECT_TRUE(DiskCache::Open(folder_ / "a/b", kPlenty).ok());
  EXPECT_EQ(mode_of(folder_ / "a/b"), 0700);
  chmod((folder_ / "a/b").c_str(), 0755);
  EXPECT_TRUE(DiskCache::Open(folder_ / "a/b", kPlenty).ok());
  EXPECT_EQ(mode_of(folder_ / "a/b"), 0700);
}

TEST_F(DiskCacheTest, AFolderThatOthersMayWriteIsNotUsed) {
  chmod(folder_.path().c_str(), 0777);
  const auto opened = DiskCache::Open(folder_.path(), kPlenty);
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().Render(),
            folder_.path() + ": error: others may write into the folder and could put code there\n" +
                "  help: look what is in it, then: chmod 700 " + folder_.path());
}

TEST_F(DiskCacheTest, AFolderOfAnotherUserIsNotUsed) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give folders away";
  constexpr uid_t kNobody = 65534;
  ASSERT_EQ(chown(folder_.path().c_str(), kNobody, kNobody), 0);
  EXPECT_EQ(DiskCache::Open(folder_.path(), kPlenty).error().message,
            "the folder belongs to another user, who could put code there");
}

TEST_F(DiskCacheTest, AFolderThatCannotBeMadeIsNone) {
  tests::WriteWholeFile(folder_ / "file", "");
  EXPECT_FALSE(DiskCache::Open(folder_ / "file/cache", kPlenty).ok());
}

TEST_F(DiskCacheTest, AFolderThatCannotBeWrittenIsRead) {
  EXPECT_TRUE(Open().Write(Key(1), "object"));
  EXPECT_TRUE(tests::HoldsInFork([&] {
    chmod(folder_.path().c_str(), 0555);
    constexpr uid_t kNobody = 65534;
    const bool is_root = geteuid() == 0;
    for (const std::string& path : {PathOf(Key(1)), folder_.path()}) {
      if (is_root && chown(path.c_str(), kNobody, kNobody) != 0) return false;
    }
    if (is_root && setuid(kNobody) != 0) return false;
    return Open().Read(Key(1)).object == "object" && !Open().Write(Key(2), "object");
  }));
}

/// Three entries of 1,000 bytes and a bit, and what is left of them after a fourth.
class EvictionTest : public DiskCacheTest {
 protected:
  static constexpr uint64_t kObjectBytes = 1000;
  static constexpr uint64_t kMostBytes = 4000;

  void WriteThree() const {
    for (uint32_t i = 1; i <= 3; ++i) {
      EXPECT_TRUE(Open(kMostBytes).Write(Key(i), std::string(kObjectBytes, 'o')));
      const std::filesystem::path path = PathOf(Key(i));
      std::filesystem::last_write_time(path,
                                       std::filesystem::last_write_time(path) - std::chrono::hours(10 - i));
    }
  }
  void WriteFourth() const { EXPECT_TRUE(Open(kMostBytes).Write(Key(4), std::string(kObjectBytes, 'o'))); }
  std::vector<uint32_t> Left() const {
    std::vector<uint32_t> left;
    for (uint32_t i = 1; i <= 4; ++i) {
      if (std::filesystem::exists(PathOf(Key(i)))) left.push_back(i);
    }
    return left;
  }
};

TEST_F(EvictionTest, TheOldestEntryGoesFirst) {
  WriteThree();
  EXPECT_THAT(Left(), ElementsAre(1, 2, 3));
  WriteFourth();
  EXPECT_THAT(Left(), ElementsAre(2, 3, 4));
}

TEST_F(EvictionTest, AnEntryThatWasUsedIsNotOld) {
  WriteThree();
  EXPECT_TRUE(Open(kMostBytes).Read(Key(1)).object.has_value());
  WriteFourth();
  EXPECT_THAT(Left(), ElementsAre(1, 3, 4));
}

TEST_F(EvictionTest, NothingElseInTheFolderIsRemoved) {
  // As a store names its files.
  const std::string name = Key(9);
  tests::WriteWholeFile(folder_ / name, std::string(2 * kMostBytes, 'x'));
  WriteThree();
  EXPECT_THAT(Left(), ElementsAre(1, 2, 3));
  WriteFourth();
  EXPECT_TRUE(std::filesystem::exists(folder_ / name));
}

TEST_F(EvictionTest, WhatIsLargerThanAllMayBeIsNotKept) {
  WriteThree();
  EXPECT_FALSE(Open(kMostBytes).Write(Key(4), std::string(kMostBytes, 'o')));
  EXPECT_THAT(Left(), ElementsAre(1, 2, 3));
}

TEST_F(EvictionTest, WhatDeadWritersLeftIsRemoved) {
  tests::WriteWholeFile(folder_ / (".writing-" + Key(9)), "half");
  WriteFourth();
  EXPECT_THAT(tests::NamesIn(folder_.path()), UnorderedElementsAre(Key(4) + ".kernel"));
}

// Among many writings few look through the folder, and yet it keeps to the limit, nearly.
TEST_F(EvictionTest, ManySmallEntriesStayNearTheLimit) {
  constexpr uint64_t kMost = 100'000;
  constexpr uint64_t kBytes = 100;
  uint32_t number = 1;
  for (int i = 0; i < 2000; ++i) {
    // Like a hash: any step that is odd goes through all numbers.
    number += 0x9e3779b1;
    EXPECT_TRUE(Open(kMost).Write(Key(number), std::string(kBytes, 'o')));
  }
  uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) bytes += entry.file_size();
  EXPECT_GT(bytes, kMost / 2);
  EXPECT_LT(bytes, kMost * 11 / 10);
}

}  // namespace
}  // namespace culprit::compiler::jit
