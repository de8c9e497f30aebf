// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/e2e/culprit_program.h"

namespace culprit::tests {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(CliFaultsTest, ListsEveryKindWithItsArgument) {
  const ProgramRun run = Culprit({"faults"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(std::ranges::count(run.out, '\n'), 27);
  EXPECT_THAT(run.out, StartsWith("compile-error      the compilation throws a std::runtime_error\n"));
  EXPECT_THAT(run.out, HasSubstr("\nflaky:N            wrong numbers at one call in N, at random\n"));
}

TEST(CliFaultsTest, AsJson) {
  const nlohmann::json kinds = nlohmann::json::parse(Culprit({"faults", "--json"}).out);
  EXPECT_EQ(kinds.size(), 27u);
  EXPECT_EQ(kinds.at(0), (nlohmann::json{{"name", "compile-error"},
                                         {"line", "the compilation throws a std::runtime_error"},
                                         {"calls", 1}}));
  const auto named = [&](const char* name) {
    return *std::ranges::find_if(kinds, [&](const nlohmann::json& kind) { return kind.at("name") == name; });
  };
  EXPECT_EQ(named("late").at("calls"), 2);
  EXPECT_EQ(named("flaky").at("argument"), "N");
  EXPECT_EQ(named("wrong-fusion").at("pass"), "fuse");
}

TEST(CliFaultsTest, TakesNoArguments) {
  ExpectRefused({"faults", "tanh"},
                "culprit faults: error: unexpected argument 'tanh'\n"
                "  help: to see its options, run: culprit faults --help\n");
}

}  // namespace
}  // namespace culprit::tests
