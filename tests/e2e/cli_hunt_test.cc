// SPDX-License-Identifier: Apache-2.0
//
// The whole job from the shell: culprit hunt, minify, strategies.
#include <fmt/format.h>
#include <span>

#include "tests/e2e/cli_hunt.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

TEST_F(CliHunt, AFailureIsMinifiedAndVerified) {
  const ProgramRun run = Hunt({"hunt", net_, "--fault", "exp&tanh:segfault", "--json"});
  EXPECT_EQ(run.exit_code, 1) << run.err;
  const json report = JsonOf(run);
  EXPECT_EQ(GuiltyOf(report), (std::vector<std::string>{"aten::exp", "aten::tanh"}));
  EXPECT_EQ(report.at("guilty")[0].at("source"), net_ + ":13");
  EXPECT_EQ(report.at("verified"), true);
  EXPECT_EQ(report.at("needs_store"), false);
  EXPECT_EQ(report.at("before").at("operators"), 40);
  EXPECT_EQ(report.at("after").at("operators"), 2);
  EXPECT_EQ(Culprit({"verify", repro()}).exit_code, 0);
}

TEST_F(CliHunt, TheReportSaysWhatPeopleWantToKnow) {
  const ProgramRun run = Hunt({"hunt", net_, "--fault", "tanh:compile-error"});
  EXPECT_THAT(run.out, StartsWith("failure: compile: exception"));
  EXPECT_THAT(run.out, HasSubstr("operators 40 -> 1, inputs 1 -> 1, outputs 1 -> 1"));
  EXPECT_THAT(run.out, HasSubstr("guilty operator:\n  tanh = aten::tanh   " + net_ + ":23\n"));
  EXPECT_THAT(run.out, HasSubstr("no strategy finds a smaller one"));
  EXPECT_THAT(run.out, HasSubstr("verified: the failure came back in 10 of 10 processes, 9 of them forked"));
  EXPECT_THAT(run.out, HasSubstr("to see it fail:  culprit run "));
  EXPECT_THAT(run.err, HasSubstr("of 40 operators"));
}

TEST_F(CliHunt, TheSummaryCanBePastedIntoAnIssueTracker) {
  Hunt({"hunt", net_, "--fault", "tanh:accuracy"});
  const std::string summary = ReadWholeFile(latest() + "/summary.md");
  for (const char* part :
       {"# aten::tanh: compare: wrong values",
        "- compiler: `eager`, with the injected fault `tanh:accuracy`\n",
        "- outputs[0]: the only element is wrong, by up to",
        "- in the original program outputs[0] (sin_39): ", "- verified: ",
        "- expected: the results are those of the program without the compiler",
        "## The program\n\n```python\nclass Repro", "def load_args(reader):", "$ culprit run repro.py\n",
        "OFF", "## Guilty operators", "- operators 40 -> 1, ", "- culprit "}) {
    EXPECT_THAT(summary, HasSubstr(part));
  }
}

TEST_F(CliHunt, TheResultRunsInPlainPython) {
  Hunt({"hunt", net_, "--fault", "tanh:accuracy"});
  const ProgramRun run = RunProgram(
      {CULPRIT_PYTHON, "-c", "import runpy, sys; print(runpy.run_path(sys.argv[1])['run']()[0])", repro()});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, StartsWith("tensor("));
}

TEST_F(CliHunt, WhereNothingFailsNothingIsLeftBehind) {
  const ProgramRun run = Hunt({"hunt", net_, "--backend", "torchscript:stage=plain"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, "passes: in 3 runs\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "runs"));
}

TEST_F(CliHunt, WithoutACompilerThereIsNothingToHuntIn) {
  const ProgramRun run = Hunt({"hunt", net_});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("net.py: error: names no compiler, so there is nothing to hunt in"));
  EXPECT_THAT(run.err, HasSubstr("help: name one, as in: --backend"));
}

TEST_F(CliHunt, AFileThatCannotBeReadIsRefusedAsEverywhere) {
  WriteWholeFile(net_, "class Repro(torch.nn.Module):\n    def forward(self, x):\n        y = nonsense(x)\n");
  const ProgramRun run = Hunt({"hunt", net_, "--backend", "eager"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err, Culprit({"graph", net_}).err);
}

TEST_F(CliHunt, AFolderThatCannotBeMadeIsRefused) {
  const ProgramRun run = Culprit({"hunt", net_, "--fault", "tanh:accuracy", "--out", "/proc/nowhere"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("help: name a folder that can be written, with: --out DIR"));
}

TEST_F(CliHunt, AGraphMayComeFromStandardInput) {
  const ProgramRun run = RunShell(
      "cat " + net_ + " | culprit hunt - --fault tanh:runtime-error --json --out " + (folder_ / "runs"));
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_EQ(GuiltyOf(JsonOf(run)), std::vector<std::string>{"aten::tanh"});
}

TEST_F(CliHunt, AnotherSetOfInputsMayFail) {
  // frac of negative numbers is wrong, and the inputs of the file have positive cosines.
  WriteWholeFile(net_, R"(class Repro(torch.nn.Module):
    def forward(self, x):
        cos = torch.ops.aten.cos.default(x)
        frac = torch.ops.aten.frac.default(cos)
        return (frac,)

def load_args(reader):
    buf0 = fill(reader.storage(None, 16), torch.tensor([0.1, 0.2, 0.3, 0.4], dtype=torch.float32))
    reader.tensor(buf0, (4,), is_leaf=True)  # x
load_args._version = 0
)");
  const std::vector<std::string> hunt = {"hunt", net_, "--backend", "torchscript:stage=nnc"};
  const ProgramRun one = Hunt(hunt);
  EXPECT_EQ(one.exit_code, 0) << one.out << one.err;
  std::vector<std::string> with_samples = hunt;
  with_samples.insert(with_samples.end(), {"--samples", "20", "--json"});
  const ProgramRun run = Hunt(with_samples);
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_EQ(GuiltyOf(JsonOf(run)), (std::vector<std::string>{"aten::cos", "aten::frac"}));
  EXPECT_EQ(Culprit({"verify", latest() + "/original.py"}).exit_code, 0) << "it has the inputs that fail";
}

TEST_F(CliHunt, SeveralQuestionsAtATimeEndWithTheSameProgram) {
  const std::vector<std::string> hunt = {"hunt", net_, "--fault", "exp&tanh:segfault", "--json"};
  std::vector<std::string> two_jobs = hunt;
  two_jobs.insert(two_jobs.end(), {"--jobs", "2"});
  ASSERT_EQ(Hunt(hunt).exit_code, 1);
  const std::string expected = ReadWholeFile(repro());
  const ProgramRun run = Hunt(two_jobs);
  EXPECT_EQ(JsonOf(run).at("verified"), true) << run.err;
  EXPECT_EQ(ReadWholeFile(repro()), expected);
}

TEST_F(CliHunt, OtherFailuresHaveReprosOfTheirOwn) {
  const ProgramRun run =
      Hunt({"hunt", net_, "--fault", "exp&tanh:compile-error", "--fault", "exp:exit7", "--json"});
  const json report = JsonOf(run);
  EXPECT_EQ(GuiltyOf(report), (std::vector<std::string>{"aten::exp", "aten::tanh"})) << run.err;
  ASSERT_EQ(report.at("finds").size(), 1) << report;
  EXPECT_EQ(report.at("finds")[0].at("signature"), "call 1: exit with code 7");
  const ProgramRun verified = Culprit({"verify", report.at("finds")[0].at("file")});
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
  EXPECT_THAT(verified.out, HasSubstr("call 1: exit with code 7"));
}

TEST_F(CliHunt, WhatHangsIsVerifiedOnce) {
  WriteWholeFile(net_, ChainScript(2));
  const ProgramRun run = Hunt({"hunt", net_, "--fault", "tanh:hang", "--timeout", "1", "--only", "drop"});
  EXPECT_THAT(run.out, StartsWith("failure: call 1: time limit exceeded")) << run.err;
  EXPECT_THAT(run.out, HasSubstr("verified: the failure came back in a fresh process\n"));
}

TEST_F(CliHunt, TheFirstRunsAreToldWhileTheyLast) {
  WriteWholeFile(net_, ChainScript(2));
  const ProgramRun run = Hunt({"hunt", net_, "--fault", "tanh:hang", "--timeout", "2", "--only", "drop"});
  for (const char* which : {"run 1 of 3", "run 2 of 3", "run 3 of 3"})
    EXPECT_THAT(run.err, HasSubstr(std::string(which) + " (at most 2 s each), ")) << run.err;
  EXPECT_THAT(run.err, HasSubstr("failure: call 1: time limit exceeded\n  seen in 3 of 3 runs\n"));
}

TEST_F(CliHunt, OfAFailureThatComesOnlySometimesNoSingleRunIsShown) {
  WriteWholeFile(net_, ChainScript(2));
  // By chance the first three runs are all alike, so that it seems to fail always or never.
  const auto is_flaky = [](const ProgramRun& run) {
    return run.err.find("probability of 99 %") != std::string::npos;
  };
  ProgramRun run;
  for (int tries = 0; tries < 20 && !is_flaky(run); ++tries)
    run = Hunt({"hunt", net_, "--fault", "tanh:flaky:2", "--only", "drop"});
  ASSERT_TRUE(is_flaky(run)) << run.err;
  const std::string summary = ReadWholeFile(latest() + "/summary.md");
  EXPECT_THAT(summary, HasSubstr("runs show it with a probability of 99 %"));
  EXPECT_THAT(summary, Not(HasSubstr("failure: ")));
  EXPECT_THAT(run.err, testing::ContainsRegex("failure: compare: .*\n  seen in [0-9]+ of 20 runs; "));
  // A single run would often pass.
  const std::string command = "culprit verify --times 3 ";
  EXPECT_THAT(run.out, HasSubstr("to see it fail:  " + command));
  EXPECT_THAT(summary, HasSubstr("$ " + command + "repro.py"));
  EXPECT_THAT(ReadWholeFile(repro()), HasSubstr("\n#   " + command + "repro.py\n"));
  EXPECT_THAT(summary, Not(HasSubstr("culprit run")));
}

TEST_F(CliHunt, AReproThatCannotBeMadeSmallerNamesItsOwnFile) {
  WriteWholeFile(net_, ChainScript(1));
  Hunt({"hunt", net_, "--fault", "exp:accuracy", "--only", "drop"});
  const std::string text = ReadWholeFile(repro());
  EXPECT_THAT(text, HasSubstr("#   culprit run repro.py"));
  EXPECT_THAT(text, Not(HasSubstr("original.py")));
}

TEST_F(CliHunt, ARecordedFailureIsMinified) {
  Culprit({"run", net_, "--fault", "exp>tanh:runtime-error", "--fault", "tanh:runtime-error", "--record",
           folder_ / "r.py"});
  const ProgramRun run = Hunt({"minify", folder_ / "r.py", "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(GuiltyOf(JsonOf(run)), std::vector<std::string>{"aten::tanh"});
}

TEST_F(CliHunt, WhatDoesNotFailCannotBeMinified) {
  const ProgramRun run = Hunt({"minify", net_, "--backend", "eager"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.err, HasSubstr("net.py: error: does not fail, so there is nothing to make smaller"));
}

TEST_F(CliHunt, StrategiesAreChosenByName) {
  const ProgramRun run =
      Hunt({"hunt", net_, "--fault", "exp&tanh:runtime-error", "--only", "prefix,suffix", "--json"});
  EXPECT_EQ(JsonOf(run).at("after").at("operators"), 11) << run.err;
  const ProgramRun wrong = Hunt({"hunt", net_, "--fault", "tanh:runtime-error", "--skip", "dorp"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("there is no strategy 'dorp', did you mean 'drop'?"));
  EXPECT_THAT(Culprit({"strategies"}).out, StartsWith("hoist "));
}

TEST_F(CliHunt, AWrittenInputIsFoundWhereItsMemoryIsAnOutputToo) {
  WriteWholeFile(net_, R"(class Repro(torch.nn.Module):
    def forward(self, x):
        add = torch.ops.aten.add_.Scalar(x, 1)
        mul = torch.ops.aten.mul_.Scalar(add, 2)
        tanh = torch.ops.aten.tanh_.default(mul)
        sin = torch.ops.aten.sin_.default(tanh)
        exp = torch.ops.aten.exp.default(sin)
        return (exp,)

def load_args(reader):
    buf0 = reader.storage(None, 64)
    reader.tensor(buf0, (4, 4), is_leaf=True)  # x
load_args._version = 0
)");
  const json report = JsonOf(Hunt({"hunt", net_, "--fault", "tanh_:writes-input", "--json"}));
  EXPECT_EQ(report.at("failure").at("kind"), "mutated input") << report;
  EXPECT_EQ(GuiltyOf(report), std::vector<std::string>{"aten::tanh_"});
  EXPECT_EQ(report.at("verified"), true);
  EXPECT_THAT(Culprit({"run", repro()}).out, HasSubstr("also: compare: mutated input in inputs[0] (call 1)"));
}

TEST_F(CliHunt, RealMiscompilesOfLibtorchEndWithTwoOperatorsAndNoDataFile) {
  const std::pair<const char*, const char*> bugs[] = {
      {"conv_avg_pool", "ofi"},    {"pytorch_92563", "ofi"},    {"pytorch_92740", "ofi"},
      {"bool_times_one", "plain"}, {"pytorch_140101", "plain"}, {"pytorch_86597", "nnc"}};
  for (const auto& [name, stage] : std::span(bugs).first(Volume(2, std::size(bugs)))) {
    const json report = JsonOf(Hunt({"hunt", fmt::format("tests/fixtures/real_bugs/{}.py", name), "--backend",
                                     fmt::format("torchscript:stage={}", stage), "--json"}));
    EXPECT_EQ(report.at("after").at("operators"), 2) << name << report;
    EXPECT_EQ(report.at("needs_store"), false) << name;
    EXPECT_EQ(report.at("verified"), true) << name;
  }
}

}  // namespace
}  // namespace culprit::tests
