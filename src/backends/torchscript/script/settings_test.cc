// SPDX-License-Identifier: Apache-2.0
#include "backends/torchscript/script/settings.h"

#include <gtest/gtest.h>

namespace culprit::backends::torchscript {
namespace {

base::Result<ScriptSettings> Read(std::string_view spec) {
  const backend::Description description{"torchscript", "", DescribeOptions()};
  return ReadSettings(*backend::Configuration::Make(*backend::ParseSpec(spec), description));
}

TEST(SettingsTest, TheProfilingExecutorNeedsThreeCalls) {
  const ScriptSettings settings = *Read("torchscript");
  EXPECT_EQ(settings.stage, ScriptStage::kPlain);
  EXPECT_EQ(settings.executor, Executor::kProfiling);
  EXPECT_EQ(settings.calls, 3);
  EXPECT_EQ(Read("torchscript:executor=simple")->calls, 1);
  EXPECT_EQ(Read("torchscript:calls=7")->calls, 7);
}

TEST(SettingsTest, TheOldFuserHasAnExecutorOfItsOwn) {
  EXPECT_EQ(Read("torchscript:stage=legacy-fuser")->executor, Executor::kLegacy);
  EXPECT_EQ(Read("torchscript:stage=legacy-fuser,executor=profiling").error().message,
            "stage 'legacy-fuser' has its fuser in executor 'legacy', not in 'profiling'");
  EXPECT_EQ(Read("torchscript:stage=nnc,executor=simple").error().message,
            "stage 'nnc' has its fuser in executor 'profiling', not in 'simple'");
}

TEST(SettingsTest, CallsAreANumber) {
  EXPECT_EQ(Read("torchscript:calls=0").error().message,
            "option 'calls' is a number from 1 to 1000, not '0'");
}

}  // namespace
}  // namespace culprit::backends::torchscript
