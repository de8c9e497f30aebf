// SPDX-License-Identifier: Apache-2.0
//
// --help reads like a manual page, and says the same as the documentation.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/e2e/culprit_program.h"
#include "tests/house/source_tree.h"

namespace culprit::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string HelpOf(const std::vector<std::string>& command) {
  std::vector<std::string> arguments = command;
  arguments.emplace_back("--help");
  const ProgramRun run = Culprit(arguments);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  return run.out;
}

std::vector<std::string> HeadingsOf(const std::string& page) {
  std::vector<std::string> headings;
  for (const std::string_view line : Lines(page)) {
    if (!line.empty() && line.front() != ' ') headings.emplace_back(line);
  }
  return headings;
}

TEST(HelpTest, IsAManualPage) {
  EXPECT_THAT(HeadingsOf(HelpOf({})), ElementsAre("NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS",
                                                  "EXIT STATUS", "EXAMPLES", "SEE ALSO"));
  for (const char* command : {"graph", "run", "convert", "backends", "config"}) {
    EXPECT_THAT(HeadingsOf(HelpOf({command})), ElementsAre("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS",
                                                           "EXIT STATUS", "EXAMPLES", "SEE ALSO"));
  }
}

TEST(HelpTest, FitsEightyColumns) {
  for (const auto& command : std::vector<std::vector<std::string>>{{},
                                                                   {"hunt"},
                                                                   {"explain"},
                                                                   {"graph"},
                                                                   {"run"},
                                                                   {"convert"},
                                                                   {"verify"},
                                                                   {"query"},
                                                                   {"backends"},
                                                                   {"faults"},
                                                                   {"config"}}) {
    const std::string page = HelpOf(command);
    for (const std::string_view line : Lines(page)) EXPECT_LE(line.size(), 80u) << line;
  }
}

TEST(HelpTest, ListsTheCommands) {
  EXPECT_THAT(HelpOf({}),
              HasSubstr("COMMANDS\n"
                        "       hunt        find a compiler's failure and make it as small as possible\n"
                        "       exec        run a Python program and watch what torch.compile compiles\n"
                        "       explain     show the graphs, guards and breaks of a TorchScript model\n"
                        "       run         run a graph or a repro and show or judge its outputs\n"
                        "       minify      make a failing program as small as possible\n"
                        "       verify      check that a repro fails again in fresh processes\n"
                        "       query       ask once whether a repro still fails in the same way\n"
                        "       convert     write a repro, for Python or as a C++ program\n"
                        "       graph       print a graph in normal form, or facts about it\n"
                        "       backends    list the compilers and what can be set in them\n"
                        "       faults      list the faults that can be injected into a backend\n"
                        "       strategies  list the ways in which programs are made smaller\n"
                        "       config      list what can be set, with value and origin\n"));
}

TEST(HelpTest, EntriesOfACommand) {
  const std::string page = HelpOf({"run"});
  EXPECT_THAT(page, HasSubstr("NAME\n"
                              "       culprit run - run a graph or a repro and show or judge its outputs\n\n"
                              "SYNOPSIS\n"
                              "       culprit run [OPTION]... FILE\n\n"));
  EXPECT_THAT(page, HasSubstr("OPTIONS\n"
                              "       FILE\n"
                              "              A script with a graph,"));
  EXPECT_THAT(page,
              HasSubstr("\n       --seed N\n"
                        "              Seed of the inputs that are made up and of random operators; the\n"
                        "              same seed gives the same numbers; without it that of the file, or\n"
                        "              0\n"));
  EXPECT_THAT(page, HasSubstr("\n       -h, --help\n"
                              "              Show this page\n\n"
                              "EXIT STATUS\n"));
  EXPECT_THAT(page, HasSubstr("\n       culprit run repro.py --seed 1\n"
                              "              Run a graph on other inputs\n"));
}

TEST(HelpTest, ExitCodesAreThoseOfTheReadme) {
  std::ifstream file("README.md");
  const std::string readme(std::istreambuf_iterator<char>(file), {});
  const std::string page = HelpOf({});
  const size_t begin = page.find("EXIT STATUS\n") + std::string("EXIT STATUS\n").size();
  const std::string rows = page.substr(begin, page.find("\n\n", begin) + 1 - begin);
  EXPECT_THAT(Lines(rows), testing::SizeIs(6));
  for (const std::string_view line : Lines(rows))
    EXPECT_THAT(readme, HasSubstr(fmt::format("\n| {} | {} |", line.substr(7, 1), line.substr(14))));
}

}  // namespace
}  // namespace culprit::tests
