// SPDX-License-Identifier: Apache-2.0
//
// With a judge of the user's own: culprit minify --check.
#include "tests/e2e/cli_hunt.h"

namespace culprit::tests {
namespace {

TEST_F(CliHunt, AJudgeOfTheUsersOwnDecides) {
  const std::string judge = Judge("grep -q 'aten.exp' \"$1\" && grep -q 'aten.tanh' \"$1\"");
  const ProgramRun run = Hunt({"minify", net_, "--check", judge, "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(GuiltyOf(JsonOf(run)), (std::vector<std::string>{"aten::exp", "aten::tanh"}));
  EXPECT_EQ(NamesIn(latest()).count("summary.md"), 1);
  EXPECT_EQ(NamesIn(latest()).size(), 7) << "no candidate is left";
}

TEST_F(CliHunt, AJudgeThatGivesNoAnswerEndsTheSearchWithTheReason) {
  const std::string judge = Judge("grep -q aten.tanh \"$1\" || exit 127");
  const ProgramRun run = Hunt({"minify", net_, "--check", judge});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err,
              HasSubstr("judge.sh: error: exited with 127, which says that a program was not found"));
  EXPECT_THAT(run.err, HasSubstr("note: the smallest repro so far: "));
  EXPECT_THAT(run.err, HasSubstr("help: to go on, run: culprit minify --resume "));
  Judge("grep -q aten.tanh \"$1\"");
  const ProgramRun resumed = Culprit({"minify", "--resume", latest(), "--trust", "--json"});
  EXPECT_EQ(GuiltyOf(JsonOf(resumed)), std::vector<std::string>{"aten::tanh"}) << resumed.err;
}

TEST_F(CliHunt, AJudgeThatNeverAnswersIsNotTakenForOneThatLetsPass) {
  const ProgramRun run = Hunt({"minify", net_, "--check", Judge("no_such_program_at_all \"$1\"")});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("exited with 127"));
  EXPECT_THAT(run.err, Not(HasSubstr("does not fail")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "runs"));
}

TEST_F(CliHunt, ASearchEndsAtItsLimitOfTime) {
  const ProgramRun run = Hunt({"minify", net_, "--check", Judge("sleep 0.3; grep -q aten.exp \"$1\""),
                               "--max-time", "1", "--skip", "prefix,suffix,quickxplain"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("the search ended at the limit of time"));
  EXPECT_THAT(run.out, HasSubstr("culprit minify --resume "));
}

TEST_F(CliHunt, AJudgeThatCannotBeRunIsRefused) {
  const ProgramRun run = Hunt({"minify", net_, "--check", net_});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("cannot be run: Permission denied"));
  EXPECT_THAT(run.err, HasSubstr("chmod +x"));
}

}  // namespace
}  // namespace culprit::tests
