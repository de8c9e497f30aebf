// SPDX-License-Identifier: Apache-2.0
#include "process/shared_library.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/lib/temporary_folder.h"

namespace culprit::process {
namespace {

TEST(SharedLibraryTest, IsLoadedOnce) {
  Dl_info info;
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&dlopen), &info), 0);
  const auto once = LoadSharedLibrary(std::filesystem::canonical(info.dli_fname));
  const auto twice = LoadSharedLibrary(std::filesystem::canonical(info.dli_fname));
  ASSERT_TRUE(once.ok()) << once.error().Render();
  EXPECT_EQ(*once, *twice);
}

TEST(SharedLibraryTest, AMissingFileIsAnError) {
  const auto loaded = LoadSharedLibrary("nowhere/libmine.so");
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().Render(), "nowhere/libmine.so: error: there is no such file");
}

// dlopen would find it in the system's folders.
TEST(SharedLibraryTest, NothingIsSearchedFor) {
  EXPECT_FALSE(LoadSharedLibrary("libc.so.6").ok());
}

TEST(SharedLibraryTest, AFileThatIsNoLibraryIsAnErrorWithItsReason) {
  const tests::TemporaryFolder folder;
  tests::WriteWholeFile(folder / "text.so", "no library at all");
  const auto loaded = LoadSharedLibrary(folder / "text.so");
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().place.file, folder / "text.so");
  EXPECT_THAT(loaded.error().message,
              testing::MatchesRegex("cannot be loaded: (file too short|invalid ELF header)"));
}

}  // namespace
}  // namespace culprit::process
