// SPDX-License-Identifier: Apache-2.0
//
// Every command that a *.md file shows in a console block is run, and prints what the file says it prints.
// Numbers with a point may differ, since processors round differently, and so may the width of columns. A
// line "..." stands for any number of lines. Every script in a python block is read and run.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/e2e/culprit_program.h"
#include "tests/house/markdown.h"

namespace culprit::tests {
namespace {

std::string WithoutDigits(const std::string& text) {
  static const std::regex number_pattern(R"(-?[0-9]+(\.[0-9]+(e[-+]?[0-9]+)?|e[-+]?[0-9]+))");
  static const std::regex blanks("[ \t]+");
  return std::regex_replace(std::regex_replace(text, number_pattern, "#.#"), blanks, " ");
}

bool Matches(const std::string& shown, const std::string& printed) {
  const std::string wanted = WithoutDigits(shown);
  const std::string given = WithoutDigits(printed);
  size_t position = 0;
  bool anywhere = false;
  for (const std::string_view line : Lines(wanted)) {
    if (line == "...") {
      anywhere = true;
      continue;
    }
    const std::string whole = fmt::format("{}\n", line);
    const size_t found = anywhere ? given.find(whole, position) : position;
    if (found == std::string::npos || given.compare(found, whole.size(), whole) != 0) return false;
    position = found + whole.size();
    anywhere = false;
  }
  return anywhere || position == given.size();
}

TEST(DocumentationTest, CommandsPrintWhatItSays) {
  size_t count = 0;
  for (const SourceFile& file : ReadTree(".")) {
    if (!file.path.ends_with(".md")) continue;
    for (const ShownCommand& shown : FindShownCommands(file.text)) {
      const std::string command =
          std::regex_replace(shown.command, std::regex("build/release/culprit"), "culprit");
      const ProgramRun result = RunShell(command, {{"COLUMNS", std::nullopt}});
      const std::string printed = result.out + result.err;
      EXPECT_TRUE(Matches(shown.output, printed))
          << file.path << ":" << shown.line << ": " << shown.command << "\nprints\n"
          << printed;
      ++count;
    }
  }
  EXPECT_GE(count, 3u) << "the documentation shows no commands any more";
}

TEST(DocumentationTest, ScriptsRun) {
  size_t count = 0;
  for (const SourceFile& file : ReadTree(".")) {
    if (!file.path.ends_with(".md")) continue;
    for (const CodeBlock& block : FindCodeBlocks(file.text, "python")) {
      const ProgramRun result =
          RunShell(fmt::format("culprit run --fp64 /dev/stdin <<'END'\n{}END", block.text));
      EXPECT_EQ(result.exit_code, 0) << file.path << ":" << block.line << ":\n" << result.err;
      EXPECT_THAT(result.err,
                  testing::AnyOf("", testing::StartsWith("note: the file does not hold the data of")))
          << file.path << ":" << block.line;
      ++count;
    }
  }
  EXPECT_GE(count, 1u) << "the documentation shows no scripts any more";
}

TEST(ShownCommandsCheckTest, OnlyNumbersWithAPointAndBlanksMayDiffer) {
  EXPECT_TRUE(Matches("a  1.5e-05 2\n", "a 0.25   2\n"));
  EXPECT_FALSE(Matches("a 1\n", "a 2\n"));
  EXPECT_FALSE(Matches("a\n", "a\nb\n"));
  EXPECT_FALSE(Matches("a\nb\n", "a\n"));
}

TEST(ShownCommandsCheckTest, DotsStandForAnyLines) {
  EXPECT_TRUE(Matches("a\n...\nd\n", "a\nb\nc\nd\n"));
  EXPECT_TRUE(Matches("a\n...\n", "a\nb\n"));
  EXPECT_FALSE(Matches("a\n...\nd\n", "a\nb\nc\n"));
  EXPECT_FALSE(Matches("...\nb\n", "a\nb\nc\n"));
}

}  // namespace
}  // namespace culprit::tests
