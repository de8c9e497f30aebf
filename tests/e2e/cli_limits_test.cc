// SPDX-License-Identifier: Apache-2.0
//
// Limits of time and memory: what is said when a graph reaches one that the compiler has nothing to do with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/e2e/culprit_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

const std::string kOperators = CULPRIT_PLUGINS "/libcustom_operators.so";

class CliLimitsTest : public testing::Test {
 protected:
  CliLimitsTest() {
    // No inputs: nothing has to be run to find out which numbers they want.
    WriteWholeFile(slow_, R"(class Repro(torch.nn.Module):
    def forward(self):
        ones = torch.ops.aten.ones.default([4])
        slow = torch.ops.mylib.slow.default(ones, 0.7)
        return (slow,)
)");
    WriteWholeFile(large_, R"(class Repro(torch.nn.Module):
    def forward(self):
        ones = torch.ops.aten.ones.default([25, 1048576])
        sin = torch.ops.aten.sin.default(ones)
        cos = torch.ops.aten.cos.default(sin)
        return (cos,)
)");
  }

  ProgramRun OnSlow(std::vector<std::string> words) const {
    words.insert(words.end(), {slow_, "--load-library", kOperators, "--timeout", "1"});
    return Culprit(words);
  }

  const TemporaryFolder folder_;
  const std::string slow_ = folder_ / "slow.py";
  const std::string large_ = folder_ / "large.py";
};

TEST_F(CliLimitsTest, ALimitThatEagerReachesIsCulpritsOwnWithWhatToType) {
  const ProgramRun run = OnSlow({"run", "--backend", "eager"});
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_EQ(run.out,
            "in the second run of eager: took more than 1 s of wall time\n"
            "invalid: reached a limit of Culprit's own in the second run of eager: took more than "
            "1 s of wall time\n"
            "help: to give it more, add: --timeout 5\n");
}

TEST_F(CliLimitsTest, AllCommandsSayWhatToType) {
  const ProgramRun json = OnSlow({"run", "--backend", "eager", "--json"});
  EXPECT_EQ(nlohmann::json::parse(json.out).at("help"), "to give it more, add: --timeout 5");
  const ProgramRun often = OnSlow({"run", "--backend", "eager", "--times", "2"});
  EXPECT_EQ(often.exit_code, 5);
  EXPECT_EQ(often.out,
            "invalid: reached a limit of Culprit's own in the second run of eager: took more than "
            "1 s of wall time\n"
            "help: to give it more, add: --timeout 5\n");
  const ProgramRun query = OnSlow({"query", "--backend", "eager"});
  EXPECT_EQ(query.exit_code, 1);
  EXPECT_EQ(query.out,
            "invalid\n"
            "  reached a limit of Culprit's own in the second run of eager: took more than 1 "
            "s of wall time\n"
            "help: to give it more, add: --timeout 5\n");
  const ProgramRun verify = OnSlow({"verify", "--backend", "eager", "--times", "1"});
  EXPECT_EQ(verify.exit_code, 5);
  EXPECT_THAT(verify.out, HasSubstr("\nhelp: to give it more, add: --timeout 5\n"));
  const ProgramRun hunt = OnSlow({"hunt", "--backend", "eager", "--out", folder_ / "runs"});
  EXPECT_EQ(hunt.exit_code, 5);
  EXPECT_THAT(hunt.err, HasSubstr("error: there is no question to ask: reached a limit of"));
  EXPECT_THAT(hunt.err, HasSubstr("\n  help: to give it more, add: --timeout 5\n"));
}

TEST_F(CliLimitsTest, WithoutALimitOfTheUsersASlowGraphIsChecked) {
  const ProgramRun run = Culprit({"run", slow_, "--load-library", kOperators, "--backend", "eager"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
}

TEST_F(CliLimitsTest, AVerdictWithoutACompilerNamesItsRunToo) {
  EXPECT_THAT(OnSlow({"run", "--accuracy"}).out, HasSubstr("\nhelp: to give it more, add: --timeout 5\n"));
  EXPECT_THAT(OnSlow({"run", "--fp64"}).out, HasSubstr("in the run in float64: took more than 1 s"));
}

TEST_F(CliLimitsTest, MemoryThatEagerLacksIsCulpritsOwnLimit) {
  const ProgramRun run = Culprit({"run", large_, "--backend", "eager", "--memory-limit", "150"});
  EXPECT_EQ(run.exit_code, 5) << run.out;
  EXPECT_THAT(run.out, MatchesRegex("in eager: used .* MiB of memory, more than 150.0 MiB\n"
                                    "invalid: reached a limit of Culprit's own in eager: used .*\n"
                                    "help: to give it more, add: --memory-limit 300\n"));
}

TEST_F(CliLimitsTest, AFloat64ReferenceThatTakesTooMuchIsMissedAloud) {
  const ProgramRun run = Culprit(
      {"run", large_, "--backend", "native", "--fault", "sin:wrong-loop", "--memory-limit", "700", "--json"});
  EXPECT_EQ(run.exit_code, 1) << run.out << run.err;
  const nlohmann::json warnings = nlohmann::json::parse(run.out).at("verdict").at("warnings");
  ASSERT_EQ(warnings.size(), 1) << run.out;
  EXPECT_EQ(
      warnings[0],
      "could not generate fp64 outputs: it takes more than 350.0 MiB of memory, which is all that a check "
      "has for it; a larger --memory-limit gives it more");
}

}  // namespace
}  // namespace culprit::tests
