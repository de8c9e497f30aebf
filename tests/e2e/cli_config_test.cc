// SPDX-License-Identifier: Apache-2.0
//
// culprit config, and settings in the environment of a process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/e2e/culprit_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

TEST(CliConfigTest, ListsValuesAndOrigins) {
  const ProgramRun run =
      Culprit({"config"}, {{"CULPRIT_REPRO_AFTER", "dynamo"}, {"CULPRIT_DIRECTORY", "my \x1b runs"}});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_THAT(run.out, MatchesRegex("repro_after = capture  .environment.\n"
                                    "    which graphs .*\n"
                                    "repro_level = 2  .default.\n"
                                    "    0 off, .*\n"
                                    "directory = my .x1b runs  .environment.\n"
                                    "    where run folders are made\n.*"
                                    "backends = \"\"  .default.\n.*"
                                    "\nThe environment variable of a setting is its name in capitals behind "
                                    "CULPRIT_, as in CULPRIT_REPRO_LEVEL=4.\n"));
}

TEST(CliConfigTest, ShowsOne) {
  const ProgramRun run = Culprit({"config", "repro_level"}, {{"CULPRIT_REPRO_LEVEL", "4"}});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run.out,
            "setting               repro_level\n"
            "value                 4\n"
            "origin                environment\n"
            "default               2\n"
            "environment variable  CULPRIT_REPRO_LEVEL\n"
            "may be                a whole number from 0 to 4\n"
            "what it is for        0 off, 1 a repro on errors, 2 ready to minify, 3 written before every "
            "compile and call, for crashes, 4 numbers are checked too\n");
}

TEST(CliConfigTest, TheVariableIsTheNameInCapitals) {
  for (const json& setting : json::parse(Culprit({"config", "--json"}).out)) {
    std::string variable = "CULPRIT_" + setting.at("name").get<std::string>();
    for (char& c : variable) c = static_cast<char>(std::toupper(c));
    EXPECT_EQ(setting.at("variable"), variable);
  }
}

TEST(CliConfigTest, AsJson) {
  const json one =
      json::parse(Culprit({"config", "on_timeout", "--json"}, {{"CULPRIT_ON_TIMEOUT", "end"}}).out);
  EXPECT_EQ(one.at("value"), "end");
  EXPECT_EQ(one.at("origin"), "environment");
  EXPECT_EQ(one.at("default"), "wait");
  EXPECT_EQ(one.at("choices"), (json{"wait", "end"}));
  const json all = json::parse(Culprit({"config", "--json"}).out);
  EXPECT_EQ(all.size(), 30u);
  EXPECT_EQ(all[1].at("variable"), "CULPRIT_REPRO_LEVEL");
}

TEST(CliConfigTest, AValueThatIsNoUtf8IsShownAllTheSame) {
  const ProgramRun run = Culprit({"config", "log", "--json"}, {{"CULPRIT_LOG", "a\xff"}});
  EXPECT_EQ(json::parse(run.out).at("value"), "a\ufffd");
}

TEST(CliConfigTest, AnUnknownNameIsRefused) {
  ExpectRefused({"config", "repro_levle"},
                "error: unknown setting 'repro_levle', did you mean 'repro_level'?\n"
                "  help: to see all settings, run: culprit config\n");
}

void ExpectEnvironmentRefused(const std::string& command, const EnvironmentChanges& changes,
                              const std::string& text) {
  const ProgramRun run = Culprit({command}, changes);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, text);
}

TEST(CliConfigTest, AWrongEnvironmentIsRefused) {
  ExpectEnvironmentRefused("config", {{"CULPRIT_DEBUG", "flase"}},
                           "error: CULPRIT_DEBUG is 'flase', which is not one of 1, 0, true, false, on, off, "
                           "yes, no, did you mean 'false'?\n"
                           "  help: to see all settings, run: culprit config --markdown\n");
  ExpectEnvironmentRefused("backends", {{"CULPRIT_BACKNDS", "./a.so"}},
                           "error: unknown environment variable 'CULPRIT_BACKNDS', did you mean "
                           "'CULPRIT_BACKENDS'?\n"
                           "  help: to see all settings, run: culprit config --markdown\n");
}

TEST(CliConfigTest, ThePageIsShownWhateverIsSet) {
  const ProgramRun run = Culprit({"config", "--markdown"}, {{"CULPRIT_REPRO_LEVEL", "many"}});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, StartsWith("# Settings\n"));
  EXPECT_THAT(run.out, HasSubstr("| `repro_level` | `2` |"));
}

TEST(SettingsPageTest, IsWhatTheProgramPrints) {
  EXPECT_EQ(ReadWholeFile("docs/settings.md"), Culprit({"config", "--markdown"}).out);
}

}  // namespace
}  // namespace culprit::tests
