// SPDX-License-Identifier: Apache-2.0
//
// culprit backends, and operators of users' own.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/e2e/culprit_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

const std::string kOdd = CULPRIT_PLUGINS "/libodd_none.so";
const std::string kPartition =
    "  partition=default  default saves what autograd would save; min-cut saves the fewest bytes and "
    "recomputes "
    "what is cheap (one of default, min-cut)\n";
const std::string kOperators = CULPRIT_PLUGINS "/libcustom_operators.so";

TEST(CliBackendsTest, ListsThoseThatCannotBeLoadedToo) {
  const ProgramRun run = Culprit({"backends"}, {{"CULPRIT_BACKENDS", kOdd + ":nowhere.so"}});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_THAT(run.out, MatchesRegex("eager +libtorch's own kernels.*\n"
                                    ".*libodd_none.so\n +plug-in: odd: a plug-in for tests\n"
                                    "./nowhere.so +plug-in: cannot be used: there is no such file\n"
                                    "./FILE.so +a path is a plug-in: a compiler of your own .*\n"));
}

TEST(CliBackendsTest, ShowsOptionsAndSwitches) {
  const ProgramRun run = Culprit({"backends", kOdd});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out,
            kOdd +
                "\n  plug-in: odd: a plug-in for tests\n\n"
                "options, with their defaults\n"
                "  does=walk          what it does\n"
                "  graphs=captured    graphs as captured, or those that autograd makes of them (one of "
                "captured, aot)\n" +
                kPartition +
                "\n"
                "switches, each turned off with off=NAME\n"
                "  first   does nothing\n"
                "  second  does nothing either\n");
}

TEST(CliBackendsTest, ShowsHowGraphsAreSplit) {
  const ProgramRun run = Culprit({"backends", "aot-eager"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out,
            "aot-eager  forward and backward graphs of autograd, operator by operator\n\n"
            "options, with their defaults\n" +
                kPartition);
}

TEST(CliBackendsTest, AsJson) {
  const ProgramRun run = Culprit({"backends", "--json"}, {{"CULPRIT_BACKENDS", kOdd + ":nowhere.so"}});
  const auto json = nlohmann::json::parse(run.out);
  EXPECT_EQ(json.front(),
            (nlohmann::json{{"name", "eager"},
                            {"line", "libtorch's own kernels, operator by operator; the control"},
                            {"options", nlohmann::json::array()},
                            {"switches", nlohmann::json::array()}}));
  EXPECT_EQ(json[json.size() - 2]["options"][0]["default"], "walk");
  EXPECT_EQ(json.back(), (nlohmann::json{{"name", "./nowhere.so"}, {"error", "there is no such file"}}));
}

TEST(CliBackendsTest, AnUnknownOneIsRefused) {
  ExpectRefused(
      {"backends", "eagr"},
      "error: unknown backend 'eagr', did you mean 'eager'?\n"
      "  help: a plug-in or a server is named with a slash, as in ./libmine.so or ./mine.py; to see all "
      "backends, run: culprit backends\n");
  ExpectRefused({"backends", "./nowhere.so"}, "./nowhere.so: error: there is no such file\n");
}

TEST(CliLoadLibraryTest, BringsOperators) {
  const std::string script = Script("custom_operator.py");
  EXPECT_THAT(Culprit({"graph", script}).err, HasSubstr("unknown operator 'mylib::twice_plus'"));
  const ProgramRun graph = Culprit({"graph", "--load-library", kOperators, script});
  EXPECT_EQ(graph.exit_code, 0) << graph.err;
  EXPECT_THAT(graph.out, HasSubstr("twice_plus = torch.ops.mylib.twice_plus.default(x, 0.5)"));
  const ProgramRun run = Culprit({"run", script, "--load-library", kOperators, "--fp64", "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_LT(nlohmann::json::parse(run.out)[0]["max_abs"], 1e-5);
}

TEST(CliLoadLibraryTest, WhatCannotBeLoadedIsRefused) {
  ExpectRefused({"graph", "--load-library", "nowhere.so", Script("net.py")},
                "nowhere.so: error: there is no such file\n");
  const ProgramRun text = Culprit({"run", "--load-library", Script("net.py"), Script("net.py")});
  EXPECT_EQ(text.exit_code, 2);
  EXPECT_THAT(text.err, HasSubstr("error: cannot be loaded: invalid ELF header"));
}

TEST(CliLoadLibraryTest, OperatorsThatExistAlreadyAreRefused) {
  const TemporaryFolder folder;
  std::filesystem::copy_file(kOperators, folder / "again.so");
  const ProgramRun run = Culprit(
      {"graph", "--load-library", kOperators, "--load-library", folder / "again.so", Script("net.py")});
  EXPECT_EQ(run.exit_code, 2) << run.out;
  EXPECT_THAT(run.err, HasSubstr("again.so: error: cannot be loaded: it throws: "));
}

}  // namespace
}  // namespace culprit::tests
