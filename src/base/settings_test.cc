// SPDX-License-Identifier: Apache-2.0
//
// What is set for the process stays for the tests that follow, so each has settings of its own.
#include "base/settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>

#include "base/setting_table.h"

namespace culprit::base {
namespace {

SettingsPatch PatchOf(const SettingsPatch::Texts& texts) {
  return *SettingsPatch::Make(texts);
}

/// "3 patch"
std::string ValueAndOrigin(std::string_view name) {
  const std::vector<SettingValue> values = *DescribeSettings();
  const auto found =
      std::ranges::find_if(values, [&](const SettingValue& value) { return value.row->name == name; });
  return found->text + " " + std::string(found->origin);
}

TEST(SettingsTest, AreAsByDefaultIfNobodySaysOtherwise) {
  EXPECT_EQ(ValueAndOrigin("repro_level"), "2 default");
  EXPECT_EQ(CurrentSettings()->repro_level, 2);
}

TEST(SettingsTest, AreDescribedInTheOrderOfTheTable) {
  const std::vector<SettingValue> values = *DescribeSettings();
  ASSERT_EQ(values.size(), AllSettings().size());
  for (size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i].row, &AllSettings()[i]);
}

TEST(SettingsTest, APatchGoesOverTheProcess) {
  ASSERT_TRUE(SetForProcess("store_limit", "10").ok());
  EXPECT_EQ(ValueAndOrigin("store_limit"), "10 process");
  {
    const SettingsPatch patch = PatchOf({{"store_limit", "20"}});
    ASSERT_TRUE(SetForProcess("store_limit", "30").ok());
    EXPECT_EQ(ValueAndOrigin("store_limit"), "20 patch");
  }
  EXPECT_EQ(ValueAndOrigin("store_limit"), "30 process");
}

TEST(SettingsTest, AWrongValueForTheProcessChangesNothing) {
  ASSERT_TRUE(SetForProcess("on_timeout", "end").ok());
  EXPECT_EQ(SetForProcess("on_timeout", "stop").error().message,
            "on_timeout is 'stop', which is not one of wait, end");
  EXPECT_EQ(SetForProcess("no_timeout", "end").error().message,
            "unknown setting 'no_timeout', did you mean 'on_timeout'?");
  EXPECT_EQ(ValueAndOrigin("on_timeout"), "end process");
}

TEST(SettingsPatchTest, HoldsUntilItsEnd) {
  {
    const SettingsPatch patch = PatchOf({{"repro_level", "4"}, {"repro_after", "aot"}});
    EXPECT_EQ(CurrentSettings()->repro_level, 4);
    EXPECT_EQ(CurrentSettings()->repro_after, "aot");
  }
  EXPECT_EQ(CurrentSettings()->repro_level, 2);
}

TEST(SettingsPatchTest, AnInnerOneGoesOverAnOuterOne) {
  const SettingsPatch outer = PatchOf({{"repro_level", "3"}, {"log", "stderr"}});
  {
    const SettingsPatch inner = PatchOf({{"repro_level", "2"}});
    EXPECT_EQ(ValueAndOrigin("repro_level"), "2 patch");
    EXPECT_EQ(ValueAndOrigin("log"), "stderr patch");
  }
  EXPECT_EQ(ValueAndOrigin("repro_level"), "3 patch");
}

TEST(SettingsPatchTest, EndInAnyOrder) {
  std::optional<SettingsPatch> first = PatchOf({{"repro_level", "1"}});
  std::optional<SettingsPatch> second = PatchOf({{"repro_level", "3"}});
  std::optional<SettingsPatch> third = PatchOf({{"repro_level", "4"}});
  second.reset();
  EXPECT_EQ(CurrentSettings()->repro_level, 4);
  third.reset();
  EXPECT_EQ(CurrentSettings()->repro_level, 1);
  first.reset();
  EXPECT_EQ(CurrentSettings()->repro_level, 2);
}

TEST(SettingsPatchTest, CanBeMoved) {
  SettingsPatch patch = PatchOf({{"repro_level", "1"}});
  {
    const SettingsPatch moved = std::move(patch);
    EXPECT_EQ(CurrentSettings()->repro_level, 1);
  }
  EXPECT_EQ(CurrentSettings()->repro_level, 2);
}

TEST(SettingsPatchTest, AWrongValueChangesNothing) {
  EXPECT_EQ(SettingsPatch::Make({{"repro_level", "1"}, {"repro_tolerance", "small"}}).error().message,
            "repro_tolerance is 'small', which is not a number of 0 or more");
  EXPECT_EQ(CurrentSettings()->repro_level, 2);
}

TEST(SettingsPatchTest, IsForItsThreadAlone) {
  const SettingsPatch patch = PatchOf({{"repro_level", "4"}});
  std::thread([] { EXPECT_EQ(ValueAndOrigin("repro_level"), "2 default"); }).join();
}

TEST(SettingsPatchTest, MayEndOnAnotherThread) {
  SettingsPatch patch = PatchOf({{"repro_level", "4"}});
  std::thread([moved = std::move(patch)] { EXPECT_EQ(CurrentSettings()->repro_level, 2); }).join();
  EXPECT_EQ(CurrentSettings()->repro_level, 2);
}

TEST(SettingsTest, ThreadsSetAndReadAtTheSameTime) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 2000;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([i, &wrong] {
      for (int round = 0; round < kRounds; ++round) {
        // Long enough to be on the heap: a torn read would show.
        const std::string folder = std::string(40, static_cast<char>('a' + i)) + std::to_string(round);
        const bool is_set = SetForProcess("debug_directory", folder).ok();
        const SettingsPatch patch = PatchOf({{"directory", folder}});
        const Settings settings = *CurrentSettings();
        const std::string& shared = settings.debug_directory;
        const bool is_whole = shared.size() > 40 && shared.find_first_not_of(shared[0]) == 40;
        if (!is_set || settings.directory != folder || !is_whole) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(NonDefaultTest, NothingIfAllIsAsByDefault) {
  EXPECT_TRUE(NonDefault(Settings()).empty());
}

TEST(NonDefaultTest, LeavesOutWhatMeansNothingInARepro) {
  Settings settings;
  settings.repro_tolerance = 1e-5;
  settings.repro_fp64 = false;
  settings.repro_level = 4;
  settings.directory = "elsewhere";
  settings.backend = "torchscript";
  EXPECT_EQ(NonDefault(settings),
            (std::map<std::string, std::string>{{"repro_fp64", "false"}, {"repro_tolerance", "1e-05"}}));
}

TEST(NonDefaultTest, IsAPatch) {
  Settings settings;
  settings.call_timeout = 0.1;
  const std::map<std::string, std::string> texts = NonDefault(settings);
  const SettingsPatch patch = PatchOf({texts.begin(), texts.end()});
  EXPECT_EQ(CurrentSettings()->call_timeout, 0.1);
}

}  // namespace
}  // namespace culprit::base
