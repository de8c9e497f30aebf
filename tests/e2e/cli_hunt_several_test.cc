// SPDX-License-Identifier: Apache-2.0
//
// Of several failures none is hidden: those of other graphs of a model, and those behind one that was set
// aside.
#include "tests/e2e/cli_hunt.h"

namespace culprit::tests {
namespace {

constexpr const char* kNet = "examples/04_model/net.torchscript";

class CliHuntSeveral : public CliHunt {
 protected:
  ProgramRun HuntNet(std::vector<std::string> more) const {
    more.insert(more.begin(), {"hunt", kNet, "--inputs", "f32[1,3,16,16]"});
    return Hunt(more);
  }
  /// Something in each of the two graphs of the model.
  static std::vector<std::string> BothFail(std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--fault", "hardswish:nan", "--fault", "softmax:accuracy"});
    return more;
  }
  size_t CountRuns() const {
    size_t runs = 0;
    for (const std::string& name : NamesIn(folder_ / "runs")) runs += name != "latest" ? 1 : 0;
    return runs;
  }
};

TEST_F(CliHuntSeveral, BehindTheReportTheOtherGraphsThatFailAreNamed) {
  const ProgramRun run = HuntNet(BothFail());
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(run.out, HasSubstr("  hardswish = aten::hardswish"));
  EXPECT_THAT(run.out, HasSubstr("\n1 other graph of the model fails too:\n"
                                 "  net_1_captured: compare: wrong values in outputs[0] (call 1)\n"
                                 "to hunt there:   culprit hunt examples/04_model/net.torchscript --inputs"));
  EXPECT_THAT(run.out, testing::EndsWith(" --which net_1_captured\n"));
  EXPECT_EQ(CountRuns(), 1u);
}

TEST_F(CliHuntSeveral, TheCommandThatIsNamedHuntsThere) {
  const ProgramRun run = HuntNet(BothFail({"--which", "net_1_captured"}));
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(run.out, HasSubstr("  softmax = aten::softmax"));
  EXPECT_THAT(run.out, Not(HasSubstr("hardswish")));
  EXPECT_THAT(run.err, Not(HasSubstr("graph 1 of 2")));
  const json by_number = JsonOf(HuntNet(BothFail({"--which", "2", "--json"})));
  EXPECT_EQ(by_number.at("graph"), "net_1_captured");
}

TEST_F(CliHuntSeveral, WhereOnlyOneFailsThatIsSaid) {
  const ProgramRun run = HuntNet({"--fault", "hardswish:nan"});
  EXPECT_THAT(run.out, testing::EndsWith("\nof the 2 graphs of the model only net_0_captured fails\n"));
}

TEST_F(CliHuntSeveral, AsJsonTheOtherGraphsStandBesideTheReport) {
  const json report = JsonOf(HuntNet(BothFail({"--json"})));
  EXPECT_EQ(report.at("graph"), "net_0_captured");
  EXPECT_EQ(report.at("graphs"), 2);
  ASSERT_EQ(report.at("other_graphs").size(), 1u);
  EXPECT_EQ(report.at("other_graphs")[0].at("graph"), "net_1_captured");
  EXPECT_EQ(report.at("other_graphs")[0].at("verdict"), "failure");
}

TEST_F(CliHuntSeveral, AllFailingGraphsAreHuntedAndATableEndsIt) {
  const ProgramRun run = HuntNet(BothFail({"--all"}));
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(run.out, HasSubstr("  hardswish = aten::hardswish"));
  EXPECT_THAT(run.out, HasSubstr("  softmax = aten::softmax"));
  EXPECT_THAT(run.out, testing::ContainsRegex("net_0_captured +failure +11 -> 1"));
  EXPECT_THAT(run.out, testing::ContainsRegex("net_1_captured +failure +2 -> 1"));
  EXPECT_THAT(run.out, testing::EndsWith("\nfailures in 2 of 2 graphs\n"));
  EXPECT_EQ(CountRuns(), 2u);
}

TEST_F(CliHuntSeveral, AsJsonEachGraphHasItsReport) {
  const ProgramRun run = HuntNet({"--all", "--fault", "softmax:accuracy", "--json"});
  EXPECT_EQ(run.exit_code, 1) << run.err;
  const json result = JsonOf(run);
  EXPECT_EQ(result.at("passes"), false);
  ASSERT_EQ(result.at("graphs").size(), 2u);
  EXPECT_EQ(result.at("graphs")[0].at("verdict"), "passes");
  EXPECT_FALSE(result.at("graphs")[0].contains("report"));
  EXPECT_EQ(GuiltyOf(result.at("graphs")[1].at("report")), (std::vector<std::string>{"aten::softmax"}));
}

TEST_F(CliHuntSeveral, AGraphThatDoesNotExistIsAnErrorThatNamesTheNearest) {
  const ProgramRun run = HuntNet(BothFail({"--which", "net_1_captred"}));
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("error: there is no graph 'net_1_captred', did you mean 'net_1_captured'?\n"
                                 "  note: graph 1: net_0_captured\n"
                                 "  note: graph 2: net_1_captured\n"
                                 "  help: choose one with --which NAME or --which N\n"));
}

TEST_F(CliHuntSeveral, TheGraphsOfAScriptHaveNumbersOnly) {
  const ProgramRun named = Hunt({"hunt", net_, "--which", "tanh", "--fault", "tanh:nan"});
  EXPECT_EQ(named.exit_code, 2);
  EXPECT_THAT(named.err, HasSubstr("is a script, whose graphs have numbers: there is no graph 'tanh'\n"));
  EXPECT_THAT(Hunt({"hunt", net_, "--all", "--fault", "tanh:nan"}).err,
              HasSubstr("is a script, and --all is about the graphs of a model\n"));
  WriteWholeFile(net_, ChainScript(4) + ChainScript(6));
  const json report = JsonOf(Hunt({"hunt", net_, "--which", "2", "--fault", "tanh:nan", "--json"}));
  EXPECT_EQ(report.at("before").at("operators"), 6);
}

TEST_F(CliHuntSeveral, WhatAnIgnoredFailureHidesIsHunted) {
  const std::vector<std::string> faults = {"--fault", "exp:dtype", "--fault", "tanh:writes-input"};
  std::vector<std::string> words = {"hunt", net_, "--json"};
  words.insert(words.end(), faults.begin(), faults.end());
  EXPECT_EQ(GuiltyOf(JsonOf(Hunt(words))), (std::vector<std::string>{"aten::exp"}));
  words.insert(words.end(), {"--ignore", "dtype"});
  const json report = JsonOf(Hunt(words));
  EXPECT_EQ(GuiltyOf(report), (std::vector<std::string>{"aten::tanh"}));
  EXPECT_THAT(report.at("signature").get<std::string>(), StartsWith("compare: mutated input"));
  EXPECT_EQ(report.at("verified"), true);
  EXPECT_THAT(ReadWholeFile(repro()), HasSubstr("\"ignore\": \"dtype\""));
  EXPECT_EQ(Culprit({"verify", repro()}).exit_code, 0);
}

TEST_F(CliHuntSeveral, AFailureOfAnIgnoredKindIsToldAndNotHunted) {
  const ProgramRun run = Hunt({"hunt", net_, "--fault", "tanh:nan", "--ignore", "NaN"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out,
            "ignored: compare: NaN in outputs[0] (call 1)\npasses: in 3 runs, but for what is ignored\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "runs"));
  const json crash = JsonOf(Hunt({"hunt", net_, "--fault", "tanh:segfault", "--ignore", "signal", "--json"}));
  EXPECT_EQ(crash.at("passes"), true);
  EXPECT_EQ(crash.at("ignored").size(), 1u);
  EXPECT_EQ(Culprit({"run", net_, "--fault", "tanh:segfault", "--ignore", "signal"}).exit_code, 0);
}

TEST_F(CliHuntSeveral, AnIgnoredGraphDoesNotHideTheNext) {
  const ProgramRun run = HuntNet(BothFail({"--ignore", "nan", "--all"}));
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(run.out, testing::ContainsRegex("net_0_captured +ignored +11 +compare: NaN in outputs"));
  EXPECT_THAT(run.out, testing::EndsWith("\na failure in 1 of 2 graphs\n"));
}

TEST_F(CliHuntSeveral, AnUnknownKindIsAnErrorThatNamesTheNearest) {
  const ProgramRun run = Hunt({"hunt", net_, "--fault", "tanh:nan", "--ignore", "aliassing"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("there is no kind of failure 'aliassing', did you mean 'aliasing'?"));
}

}  // namespace
}  // namespace culprit::tests
