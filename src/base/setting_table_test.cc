// SPDX-License-Identifier: Apache-2.0
#include "base/setting_table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <set>

namespace culprit::base {
namespace {

const SettingRow& RowOf(std::string_view name) {
  return **FindSetting(name);
}

/// How the value is printed again, or the message of the error.
std::string ParsedAndPrinted(std::string_view name, std::string_view text) {
  Settings settings;
  const Status status = ParseSetting(RowOf(name), text, name, settings);
  return status.ok() ? PrintSetting(RowOf(name), settings) : status.error().message;
}

TEST(SettingTableTest, NamesAreDifferent) {
  std::set<std::string_view> names;
  for (const SettingRow& row : AllSettings()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
}

TEST(SettingTableTest, EveryMemberHasOneRow) {
  std::set<std::string> members;
  for (const SettingRow& row : AllSettings()) {
    Settings settings;
    const auto* base = reinterpret_cast<const char*>(&settings);
    const auto offset = std::visit(
        [&](auto member) { return reinterpret_cast<const char*>(&(settings.*member)) - base; }, row.member);
    EXPECT_TRUE(members.insert(std::to_string(offset)).second) << row.name;
  }
  const auto [repro_after, repro_level, repro_tolerance, repro_forward_only, repro_ignore_non_float,
              repro_fp64, check_every, verify_correctness, directory, store_limit, call_timeout, on_timeout,
              suppress_errors, minify_now, program, backend, backends, faults, recompile_limit,
              accumulated_recompile_limit, dynamic_sizes, disable, fresh_caches, log, debug, debug_directory,
              ranks, ranks_timeout, ranks_port, ranks_recompile] = Settings();
  EXPECT_EQ(members.size(), 30u) << "as many as the line above names";
}

TEST(SettingTableTest, VariablesAreMadeOfNames) {
  for (const SettingRow& row : AllSettings()) {
    std::string variable = "CULPRIT_";
    for (const unsigned char c : row.name) variable += static_cast<char>(std::toupper(c));
    EXPECT_EQ(row.variable, variable);
  }
}

TEST(SettingTableTest, LinesAreLowerCaseWithoutAFullStop) {
  for (const SettingRow& row : AllSettings()) {
    EXPECT_FALSE(row.line.empty()) << row.name;
    EXPECT_FALSE(row.line.ends_with('.')) << row.name;
  }
}

TEST(SettingTableTest, EveryRowReadsItsPrintedDefault) {
  for (const SettingRow& row : AllSettings()) {
    const std::string printed = PrintSetting(row, Settings());
    EXPECT_EQ(ParsedAndPrinted(row.name, printed), printed) << row.name;
  }
}

TEST(SettingTableTest, SwitchesHaveManyWords) {
  for (const char* word : {"1", "true", "on", "yes"}) EXPECT_EQ(ParsedAndPrinted("debug", word), "true");
  for (const char* word : {"0", "false", "off", "no"})
    EXPECT_EQ(ParsedAndPrinted("repro_fp64", word), "false");
}

TEST(SettingTableTest, NumbersKeepTheirDigits) {
  EXPECT_EQ(ParsedAndPrinted("repro_tolerance", "1e-07"), "1e-07");
  EXPECT_EQ(ParsedAndPrinted("repro_tolerance", "0.30000000000000004"), "0.30000000000000004");
  EXPECT_EQ(ParsedAndPrinted("check_every", "9007199254740993"), "9007199254740993");
}

TEST(SettingTableTest, DynamoMeansCapture) {
  EXPECT_EQ(ParsedAndPrinted("repro_after", "dynamo"), "capture");
}

TEST(SettingTableTest, MalformedValuesAreRefused) {
  EXPECT_EQ(ParsedAndPrinted("debug", "True"),
            "debug is 'True', which is not one of 1, 0, true, false, on, off, yes, no, did you mean 'true'?");
  EXPECT_EQ(ParsedAndPrinted("repro_after", "captrue"),
            "repro_after is 'captrue', which is not one of none, capture, dynamo, aot, auto, did you mean "
            "'capture'?");
  EXPECT_EQ(ParsedAndPrinted("check_every", "1.5"),
            "check_every is '1.5', which is not a whole number of 1 or more");
  EXPECT_EQ(ParsedAndPrinted("check_every", "2 "),
            "check_every is '2 ', which is not a whole number of 1 or more");
  EXPECT_EQ(ParsedAndPrinted("call_timeout", ""),
            "call_timeout is '', which is not a number from 0 to 1000000");
  EXPECT_EQ(ParsedAndPrinted("call_timeout", "\x1b[1m"),
            "call_timeout is '\\x1b[1m', which is not a number from 0 to 1000000");
}

TEST(SettingTableTest, NumbersOutOfRangeAreRefused) {
  EXPECT_EQ(ParsedAndPrinted("repro_level", "4"), "4");
  EXPECT_EQ(ParsedAndPrinted("repro_level", "5"),
            "repro_level is '5', which is not a whole number from 0 to 4");
  EXPECT_EQ(ParsedAndPrinted("repro_level", "-1"),
            "repro_level is '-1', which is not a whole number from 0 to 4");
  EXPECT_EQ(ParsedAndPrinted("check_every", "9223372036854775808"),
            "check_every is '9223372036854775808', which is not a whole number of 1 or more");
  for (const char* number : {"-0.5", "nan", "inf", "1e999"}) {
    EXPECT_EQ(ParsedAndPrinted("repro_tolerance", number),
              fmt::format("repro_tolerance is '{}', which is not a number of 0 or more", number));
  }
}

TEST(SettingTableTest, TextIsEmptyOnlyIfThatIsTheDefault) {
  EXPECT_EQ(ParsedAndPrinted("log", ""), "");
  EXPECT_EQ(ParsedAndPrinted("directory", ""), "directory is empty");
}

TEST(SettingTableTest, AnErrorChangesNothing) {
  Settings settings;
  settings.repro_level = 3;
  EXPECT_FALSE(ParseSetting(RowOf("repro_level"), "7", "CULPRIT_REPRO_LEVEL", settings).ok());
  EXPECT_EQ(settings.repro_level, 3);
}

TEST(SettingTableTest, AnUnknownNameIsRefused) {
  EXPECT_EQ(FindSetting("repro_levle").error().Render(),
            "error: unknown setting 'repro_levle', did you mean 'repro_level'?\n"
            "  help: to see all settings, run: culprit config");
}

}  // namespace
}  // namespace culprit::base
