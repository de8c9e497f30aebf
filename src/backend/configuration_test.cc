// SPDX-License-Identifier: Apache-2.0
#include "backend/configuration.h"

#include <gtest/gtest.h>

namespace culprit::backend {
namespace {

Description Example() {
  return {"mine",
          "an example",
          {{"stage", "plain", "how far it goes", {"plain", "all"}}, {"level", "2", "a number"}},
          {{"fold", "folds constants"}, {"fuse", "fuses loops"}}};
}

base::Result<Configuration> Configure(std::string_view text) {
  return Configuration::Make(*ParseSpec(text), Example());
}

TEST(ConfigurationTest, OptionsThatNobodyGaveHaveTheirDefault) {
  const Configuration configuration = *Configure("mine:level=7");
  EXPECT_EQ(configuration["stage"], "plain");
  EXPECT_EQ(*configuration.Integer("level", 1, 9), 7);
}

TEST(ConfigurationTest, MistakesAreNamed) {
  EXPECT_EQ(Configure("mine:stag=all").error().message, "unknown option 'stag', did you mean 'stage'?");
  EXPECT_EQ(Configure("mine:stage=al").error().message, "option 'stage' is one of plain, all, not 'al'");
  EXPECT_EQ(Configure("mine:level=1,level=2").error().message, "option 'level' is given twice");
  EXPECT_EQ(Configure("mine:off=fus").error().message, "unknown switch 'fus', did you mean 'fuse'?");
  EXPECT_EQ(Configure("mine:level=70")->Integer("level", 1, 9).error().message,
            "option 'level' is a number from 1 to 9, not '70'");
}

std::string Applied(std::string_view spec) {
  SwitchBoard board(ParseSpec(spec)->off);
  std::string text;
  for (int i = 0; i < 4; ++i) text += board.Apply("fuse") ? '1' : '0';
  return text;
}

TEST(SwitchBoardTest, ASwitchIsOffAlwaysOnceOrFromAnApplicationOn) {
  EXPECT_EQ(Applied("mine"), "1111");
  EXPECT_EQ(Applied("mine:off=fold"), "1111");
  EXPECT_EQ(Applied("mine:off=fuse"), "0000");
  EXPECT_EQ(Applied("mine:off=fuse@2"), "1011");
  EXPECT_EQ(Applied("mine:off=fuse@3+"), "1100");
}

}  // namespace
}  // namespace culprit::backend
