// SPDX-License-Identifier: Apache-2.0
#include "watch/crash_record.h"

#include <ATen/ops/full.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "repro/read_repro.h"
#include "tests/lib/holds_in_fork.h"
#include "tests/lib/short_graph.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::watch {
namespace {

namespace fs = std::filesystem;
using Data = repro::WriteOptions::Data;

constexpr uint64_t kNoLimit = uint64_t{1} << 40;
/// More than what stands in the text.
constexpr int64_t kElements = 4096;

repro::Repro ReproOn(double number) {
  repro::Repro repro{tests::ShortGraph("x\nsin = sin.default(x)\nreturn (sin,)\n")};
  repro.inputs = {at::full({kElements}, number, at::kFloat)};
  return repro;
}

size_t Files(const std::string& folder) {
  size_t files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    files += entry.is_regular_file() && !entry.is_symlink();
  return files;
}

bool Opens(const std::string& path) {
  return repro::OpenRepro(path, tests::ReadWholeFile(path)).ok();
}

class CrashRecordTest : public testing::Test {
 protected:
  std::unique_ptr<CrashRecord> Make(uint64_t limit = kNoLimit) {
    return *CrashRecord::Create(runs_.path(), "net_0_forward", limit);
  }

  tests::TemporaryFolder runs_;
};

TEST_F(CrashRecordTest, WhatRunsIsOnDisk) {
  const auto record = Make();
  ASSERT_TRUE(record->Begin(ReproOn(1.5), Data::kStore).ok());
  const std::string in_progress = record->path() + "/in_progress/" + std::to_string(gettid()) + ".py";
  EXPECT_TRUE(Opens(in_progress));
  EXPECT_TRUE(Opens(record->path() + "/repro.py"));
  EXPECT_EQ(fs::canonical(runs_ / "latest"), fs::canonical(record->path()));
  record->End();
  EXPECT_FALSE(fs::exists(in_progress));
}

TEST_F(CrashRecordTest, TheSameInputsAreWrittenOnce) {
  const auto record = Make();
  for (const double number : {1.5, 2.5, 1.5, 2.5, 1.5}) {
    ASSERT_TRUE(record->Begin(ReproOn(number), Data::kStore).ok());
    record->End();
  }
  EXPECT_EQ(Files(record->path() + "/calls"), 2);
  EXPECT_EQ(Files(record->path() + "/store/storages"), 2);
}

TEST_F(CrashRecordTest, ReproIsWhatWasBegunLast) {
  const auto record = Make();
  for (const double number : {1.5, 2.5, 1.5}) {
    ASSERT_TRUE(record->Begin(ReproOn(number), Data::kStore).ok());
    record->End();
  }
  EXPECT_EQ(tests::ReadWholeFile(record->path() + "/repro.py"),
            tests::ReadWholeFile(record->path() + "/calls/1.py"));
  EXPECT_NE(tests::ReadWholeFile(record->path() + "/repro.py"),
            tests::ReadWholeFile(record->path() + "/calls/2.py"));
}

TEST_F(CrashRecordTest, ARecordThatIsClosedInOrderLeavesNothing) {
  {
    const auto record = Make();
    ASSERT_TRUE(record->Begin(ReproOn(1.5), Data::kStore).ok());
    record->End();
  }
  EXPECT_EQ(tests::NamesIn(runs_.path()), std::set<std::string>{});
}

TEST_F(CrashRecordTest, BeyondTheLimitOldDataIsForgotten) {
  constexpr uint64_t kOne = kElements * sizeof(float);
  const auto record = Make(2 * kOne);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(record->Begin(ReproOn(i + 0.5), Data::kStore).ok());
    EXPECT_LE(Files(record->path() + "/store/storages"), 3);
    EXPECT_TRUE(Opens(record->path() + "/repro.py"));
    record->End();
  }
}

TEST_F(CrashRecordTest, AForkedProcessHasAFolderOfItsOwn) {
  auto record = Make();
  ASSERT_TRUE(record->Begin(ReproOn(1.5), Data::kStore).ok());
  const std::string folder = record->path();
  EXPECT_TRUE(tests::HoldsInFork([&] {
    // What its parent had begun comes back here, too.
    record->End();
    const bool has_begun = record->Begin(ReproOn(2.5), Data::kStore).ok();
    const std::string in_progress = record->path() + "/in_progress/" + std::to_string(gettid()) + ".py";
    return has_begun && record->path() != folder && Opens(in_progress) && Files(folder + "/calls") == 1;
  }));
  EXPECT_TRUE(Opens(folder + "/in_progress/" + std::to_string(gettid()) + ".py"));
  record->End();
  record.reset();
  // The child has died in its call.
  EXPECT_EQ(tests::NamesIn(runs_.path()).size(), 2);
  EXPECT_TRUE(Opens(runs_ / "latest/repro.py"));
}

TEST_F(CrashRecordTest, AForkedProcessThatDestroysItLeavesItsParentsFolder) {
  auto record = Make();
  ASSERT_TRUE(record->Begin(ReproOn(1.5), Data::kStore).ok());
  record->End();
  EXPECT_TRUE(tests::HoldsInFork([&] {
    record.reset();
    return true;
  }));
  EXPECT_TRUE(Opens(record->path() + "/repro.py"));
}

TEST_F(CrashRecordTest, AtTheEndOfTheProgramAllThatHaveSurvivedAreClosed) {
  const auto survived = Make();
  const auto running = Make();
  ASSERT_TRUE(survived->Begin(ReproOn(1.5), Data::kStore).ok());
  survived->End();
  ASSERT_TRUE(running->Begin(ReproOn(1.5), Data::kStore).ok());
  const std::string closed = survived->path();
  CrashRecord::CloseAll();
  EXPECT_FALSE(fs::exists(closed));
  EXPECT_TRUE(fs::exists(running->path()));
  // Another function that runs at the end may call it again.
  ASSERT_TRUE(survived->Begin(ReproOn(1.5), Data::kStore).ok());
  EXPECT_TRUE(Opens(survived->path() + "/repro.py"));
  survived->End();
  running->End();
}

}  // namespace
}  // namespace culprit::watch
