// SPDX-License-Identifier: Apache-2.0
#include "base/setting_layer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace culprit::base {
namespace {

Result<SettingLayer> LayerOf(std::vector<const char*> entries) {
  entries.push_back(nullptr);
  return ReadEnvironment(entries.data());
}

std::string ErrorOf(const char* entry) {
  const Result<SettingLayer> layer = LayerOf({"HOME=/home", entry});
  return layer.ok() ? "none" : layer.error().Render();
}

Settings SettingsOf(const std::vector<const char*>& entries) {
  Settings settings;
  LayerOf(entries)->LayOver(settings);
  return settings;
}

TEST(ReadEnvironmentTest, FindsSettings) {
  const Settings settings = SettingsOf(
      {"HOME=/home", "CULPRIT_REPRO_LEVEL=3", "CULPRIT_BACKENDS=./a=b.so:c.so", "NO_CULPRIT_LOG=x"});
  EXPECT_EQ(settings.repro_level, 3);
  EXPECT_EQ(settings.backends, "./a=b.so:c.so");
  EXPECT_EQ(settings.log, "");
}

TEST(ReadEnvironmentTest, HasWhatWasSetAlone) {
  const Result<SettingLayer> layer = LayerOf({"CULPRIT_REPRO_LEVEL=2"});
  EXPECT_TRUE(layer->Has(**FindSetting("repro_level")));
  EXPECT_FALSE(layer->Has(**FindSetting("repro_after")));
}

TEST(ReadEnvironmentTest, AVariableWithoutAValueIsNotSet) {
  const Result<SettingLayer> layer = LayerOf({"CULPRIT_REPRO_LEVEL=", "CULPRIT_LOG"});
  EXPECT_FALSE(layer->Has(**FindSetting("repro_level")));
  EXPECT_FALSE(layer->Has(**FindSetting("log")));
}

TEST(ReadEnvironmentTest, AMalformedValueIsAnError) {
  EXPECT_EQ(ErrorOf("CULPRIT_ON_TIMEOUT=edn"),
            "error: CULPRIT_ON_TIMEOUT is 'edn', which is not one of wait, end, did you mean 'end'?\n"
            "  help: to see all settings, run: culprit config --markdown");
}

TEST(ReadEnvironmentTest, AVariableThatIsNoSettingIsAnError) {
  EXPECT_EQ(ErrorOf("CULPRIT_REPRO_LVEEL=3"),
            "error: unknown environment variable 'CULPRIT_REPRO_LVEEL', did you mean 'CULPRIT_REPRO_LEVEL'?\n"
            "  help: to see all settings, run: culprit config --markdown");
  EXPECT_EQ(ErrorOf("CULPRIT_XYZ=3"),
            "error: unknown environment variable 'CULPRIT_XYZ'\n"
            "  help: to see all settings, run: culprit config --markdown");
}

TEST(ReadEnvironmentTest, VariablesOfOthersAreNoError) {
  EXPECT_EQ(ErrorOf("CULPRIT_TEST_VOLUME=full"), "none");
  EXPECT_EQ(ErrorOf("CULPRIT_ROOT=/opt/culprit"), "none");
}

}  // namespace
}  // namespace culprit::base
