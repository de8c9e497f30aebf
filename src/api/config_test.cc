// SPDX-License-Identifier: Apache-2.0
#include "culprit/config.h"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <thread>

namespace culprit::config {
namespace {

std::string RefusalOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing is refused";
}

TEST(ConfigTest, APatchHoldsUntilTheEndOfItsScope) {
  {
    const Patch patch{{"repro_level", "4"}};
    EXPECT_EQ(Get("repro_level"), "4");
  }
  EXPECT_EQ(Get("repro_level"), "2");
}

TEST(ConfigTest, APatchMayHoldSeveral) {
  const std::vector<Patch::NameAndValue> values = {{"repro_after", "dynamo"}, {"repro_fp64", "off"}};
  const Patch patch(values);
  EXPECT_EQ(Get("repro_after"), "capture");
  EXPECT_EQ(Get("repro_fp64"), "false");
}

TEST(ConfigTest, APatchCanBeMovedOutOfItsScope) {
  Patch outer{};
  {
    Patch inner{{"repro_level", "3"}};
    outer = std::move(inner);
  }
  EXPECT_EQ(Get("repro_level"), "3");
}

TEST(ConfigTest, WhatIsSetIsForAllThreads) {
  Set("directory", "elsewhere");
  const Patch patch{{"directory", "here"}};
  EXPECT_EQ(Get("directory"), "here");
  std::thread([] { EXPECT_EQ(Get("directory"), "elsewhere"); }).join();
}

TEST(ConfigTest, WrongNamesAndValuesAreRefused) {
  EXPECT_EQ(RefusalOf([] { Set("repro_levels", "3"); }),
            "error: unknown setting 'repro_levels', did you mean 'repro_level'?\n"
            "  help: to see all settings, run: culprit config");
  EXPECT_EQ(RefusalOf([] { Get("levels"); }),
            "error: unknown setting 'levels'\n"
            "  help: to see all settings, run: culprit config");
  EXPECT_EQ(RefusalOf([] {
              const Patch patch{{"repro_level", "5"}};
            }),
            "error: repro_level is '5', which is not a whole number from 0 to 4\n"
            "  help: to see all settings, run: culprit config --markdown");
}

}  // namespace
}  // namespace culprit::config
