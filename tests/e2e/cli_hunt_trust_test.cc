// SPDX-License-Identifier: Apache-2.0
//
// Runs with compilers and judges that only the user may name (docs/security.md).
#include "tests/e2e/cli_hunt.h"

namespace culprit::tests {
namespace {

constexpr const char* kPlugin = CULPRIT_PLUGINS "/libodd_none.so";

TEST_F(CliHunt, ARunWithAPluginIsVerifiedAndNamesItInItsCommands) {
  const ProgramRun run = Hunt({"hunt", net_, "--backend", kPlugin, "--fault", "tanh:accuracy"});
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(run.out, HasSubstr("verified"));
  EXPECT_THAT(run.out, HasSubstr(std::string("--backend ") + kPlugin));
  EXPECT_EQ(Culprit({"query", repro()}).exit_code, 2);
  EXPECT_EQ(Culprit({"query", repro(), "--backend", kPlugin}).exit_code, 0);
}

TEST_F(CliHunt, AnInterruptedRunWithAPluginGoesOnIfTheUserNamesIt) {
  const ProgramRun run =
      Hunt({"minify", net_, "--backend", kPlugin, "--fault", "tanh:accuracy", "--max-queries", "2"});
  EXPECT_THAT(run.out, HasSubstr("to go on:"));
  const ProgramRun refused = Culprit({"minify", "--resume", latest()});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("the file asks for the plug-in '"));
  const ProgramRun other = Culprit({"minify", "--resume", latest(), "--backend", "eager"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("the compiler of the run is '"));
  const ProgramRun named = Culprit({"minify", "--resume", latest(), "--backend", kPlugin, "--json"});
  EXPECT_EQ(named.exit_code, 0);
  EXPECT_EQ(GuiltyOf(JsonOf(named)).size(), 1) << named.err;
}

TEST_F(CliHunt, AJudgeThatATraceNamesIsNotStarted) {
  const std::string canary = folder_ / "canary";
  const std::string judge = Judge("touch " + canary + "; grep -q aten.tanh \"$1\"");
  EXPECT_EQ(Hunt({"minify", net_, "--check", judge, "--max-queries", "2"}).exit_code, 0);
  std::filesystem::remove(canary);
  const ProgramRun refused = Culprit({"minify", "--resume", latest()});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("trace.jsonl: error: the trace asks for the judge '" + judge + "'"));
  EXPECT_THAT(refused.err, HasSubstr("--check " + judge));
  EXPECT_FALSE(std::filesystem::exists(canary));
  const ProgramRun other = Culprit({"minify", "--resume", latest(), "--check", "/bin/true"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("the judge of the run is '" + judge + "'"));
  const ProgramRun named = Culprit({"minify", "--resume", latest(), "--check", judge, "--json"});
  EXPECT_EQ(GuiltyOf(JsonOf(named)), std::vector<std::string>{"aten::tanh"}) << named.err;
}

}  // namespace
}  // namespace culprit::tests
