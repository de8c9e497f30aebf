// SPDX-License-Identifier: Apache-2.0
//
// The whole job from the shell: culprit hunt, minify, strategies.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <span>
#include <thread>

#include "tests/e2e/culprit_program.h"
#include "tests/lib/temporary_folder.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

/// sin ... exp ... tanh ...; faults speak of exp and tanh.
std::string ChainScript(int length) {
  std::string text = "class Repro(torch.nn.Module):\n    def forward(self, x):\n";
  std::string value = "x";
  for (int i = 0; i < length; ++i) {
    const std::string op = i == length / 4 ? "exp" : i == length / 2 ? "tanh" : "sin";
    const std::string name = op == "sin" ? "sin_" + std::to_string(i) : op;
    text += "        " + name + " = torch.ops.aten." + op + ".default(" + value + ")\n";
    value = name;
  }
  return text + "        return (" + value + ",)\n\n" +
         "def load_args(reader):\n"
         "    buf0 = reader.storage(None, 64)\n"
         "    reader.tensor(buf0, (4, 4), is_leaf=True)  # x\n"
         "load_args._version = 0\n";
}

class CliHunt : public testing::Test {
 protected:
  CliHunt() { WriteWholeFile(net_, ChainScript(40)); }

  /// With the run folder in the test's own.
  ProgramRun Hunt(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--out", folder_ / "runs"});
    return Culprit(arguments);
  }
  std::string latest() const { return folder_ / "runs/latest"; }
  std::string repro() const { return latest() + "/repro.py"; }

  static json JsonOf(const ProgramRun& run) { return json::parse(run.out, nullptr, false); }
  static std::vector<std::string> GuiltyOf(const json& report) {
    std::vector<std::string> operators;
    for (const json& guilty : report.at("guilty")) operators.push_back(guilty.at("operator"));
    return operators;
  }

  TemporaryFolder folder_;
  std::string net_ = folder_ / "net.py";
};

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
  EXPECT_THAT(run.out, HasSubstr("verified: the failure came back in 10 of 10 fresh processes"));
  EXPECT_THAT(run.out, HasSubstr("to see it fail:  culprit run "));
  EXPECT_THAT(run.err, HasSubstr("of 40 operators"));
}

TEST_F(CliHunt, TheSummaryCanBePastedIntoAnIssueTracker) {
  Hunt({"hunt", net_, "--fault", "tanh:accuracy"});
  const std::string summary = ReadWholeFile(latest() + "/summary.md");
  for (const char* part : {"# aten::tanh: compare: wrong values", "## The program\n\n```python\nclass Repro",
                           "## How to run it", "## What happens", "## What should happen", "OFF",
                           "## Guilty operators", "| operators | 40 | 1 |", "## Versions", "- culprit "}) {
    EXPECT_THAT(summary, HasSubstr(part));
  }
}

TEST_F(CliHunt, TheResultRunsInPlainPython) {
  Hunt({"hunt", net_, "--fault", "tanh:accuracy"});
  const ProgramRun run = RunProgram({CULPRIT_PYTHON, repro()});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, StartsWith("0 tensor("));
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
  const ProgramRun run = Hunt({"hunt", net_, "--fault", "tanh:above:100000", "--samples", "2"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
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

TEST_F(CliHunt, AJudgeOfTheUsersOwnDecides) {
  const std::string judge = folder_ / "judge.sh";
  WriteWholeFile(judge, "#!/bin/sh\ngrep -q 'aten.exp' \"$1\" && grep -q 'aten.tanh' \"$1\"\n");
  std::filesystem::permissions(judge, std::filesystem::perms::all);
  const ProgramRun run = Hunt({"minify", net_, "--check", judge, "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(GuiltyOf(JsonOf(run)), (std::vector<std::string>{"aten::exp", "aten::tanh"}));
}

TEST_F(CliHunt, AJudgeThatCannotBeRunIsRefused) {
  const ProgramRun run = Hunt({"minify", net_, "--check", net_});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("cannot be run: Permission denied"));
  EXPECT_THAT(run.err, HasSubstr("chmod +x"));
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

TEST_F(CliHunt, ASearchThatEndedAtItsLimitGoesOn) {
  const ProgramRun run = Hunt({"hunt", net_, "--fault", "exp&tanh:runtime-error", "--max-queries", "3"});
  EXPECT_THAT(run.out, HasSubstr("the search ended at the limit of questions"));
  EXPECT_THAT(run.out, HasSubstr("culprit minify --resume "));
  const ProgramRun resumed = Culprit({"minify", "--resume", latest(), "--json"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(JsonOf(resumed).at("after").at("operators"), 2);
}

TEST_F(CliHunt, ResumingDoesNotChangeTheQuestion) {
  const ProgramRun run = Culprit({"minify", "--resume", folder_.path(), "--fault", "sin:hang"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("--fault excludes --resume"));
}

TEST_F(CliHunt, AFolderThatIsNoRunCannotBeResumed) {
  const ProgramRun run = Culprit({"minify", "--resume", folder_.path()});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("is not the folder of a run"));
}

TEST_F(CliHunt, EitherAFileOrAFolderIsNamed) {
  EXPECT_THAT(Culprit({"minify"}).err, HasSubstr("neither a file nor the folder of a run is named"));
  EXPECT_THAT(Culprit({"minify", net_, "--resume", folder_.path()}).err,
              HasSubstr("a file is named and the folder of a run too"));
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
      {"conv_hardswish", "ofi"}, {"pytorch_92563", "ofi"},    {"pytorch_86527", "ofi"},
      {"pytorch_92740", "ofi"},  {"bool_times_one", "plain"}, {"pytorch_140101", "plain"},
      {"pytorch_86597", "nnc"}};
  for (const auto& [name, stage] : std::span(bugs).first(Volume(2, std::size(bugs)))) {
    const json report = JsonOf(Hunt({"hunt", fmt::format("tests/fixtures/real_bugs/{}.py", name), "--backend",
                                     fmt::format("torchscript:stage={}", stage), "--json"}));
    EXPECT_EQ(report.at("after").at("operators"), 2) << name << report;
    EXPECT_EQ(report.at("needs_store"), false) << name;
    EXPECT_EQ(report.at("verified"), true) << name;
  }
}

/// Starts a command, kills or interrupts it after a while, and gives its exit code as a shell would.
int RunAndSignal(const std::vector<std::string>& words, int number, std::chrono::milliseconds after) {
  std::vector<std::string> texts = words;
  texts.insert(texts.begin(), CULPRIT_PROGRAM);
  const pid_t child = fork();
  if (child == 0) {
    std::vector<char*> argv;
    for (std::string& text : texts) argv.push_back(text.data());
    argv.push_back(nullptr);
    if (freopen("/dev/null", "w", stdout) == nullptr || freopen("/dev/null", "w", stderr) == nullptr)
      _exit(1);
    execv(argv[0], argv.data());
    _exit(127);
  }
  std::this_thread::sleep_for(after);
  kill(child, number);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::set<std::string> QuestionsIn(const std::string& trace, size_t& count) {
  std::set<std::string> hashes;
  std::istringstream lines(ReadWholeFile(trace));
  count = 0;
  for (std::string line; std::getline(lines, line);) {
    const json event = json::parse(line, nullptr, false);
    if (!event.is_object() || event.value("event", "") != "answer") continue;
    hashes.insert(event.at("hash"));
    ++count;
  }
  return hashes;
}

TEST_F(CliHunt, AnInterruptedHuntSaysWhereItsResultsAre) {
  // A compiler that takes a while, so that there is something to interrupt.
  const std::vector<std::string> hunt = {"hunt",           net_,        "--fault", "exp&tanh:hang", "--out",
                                         folder_ / "runs", "--timeout", "1"};
  EXPECT_EQ(RunAndSignal(hunt, SIGINT, std::chrono::milliseconds(7000)), 130);
  EXPECT_TRUE(std::filesystem::exists(repro()));
}

TEST_F(CliHunt, KilledAtAnyMomentAndResumedItEndsAlikeAndAsksNothingTwice) {
  const std::vector<std::string> fault = {"--fault", "exp&tanh:segfault", "--out"};
  const json whole = JsonOf(Hunt({"hunt", net_, fault[0], fault[1], "--json"}));
  const std::string expected = ReadWholeFile(repro());
  std::mt19937 random(5);
  const int times = Volume(3, 50);
  for (int i = 0; i < times; ++i) {
    const std::string runs = folder_ / ("killed" + std::to_string(i));
    const auto moment = std::chrono::milliseconds(700 + random() % 1500);
    RunAndSignal({"hunt", net_, fault[0], fault[1], fault[2], runs}, SIGKILL, moment);
    if (!std::filesystem::exists(runs + "/latest/trace.jsonl")) continue;
    ASSERT_TRUE(std::filesystem::exists(runs + "/latest/repro.py"));
    size_t answers_before = 0;
    const std::set<std::string> before = QuestionsIn(runs + "/latest/trace.jsonl", answers_before);
    // Once more, in the middle of resuming.
    RunAndSignal({"minify", "--resume", runs + "/latest"}, SIGKILL,
                 std::chrono::milliseconds(500 + random() % 700));
    const json resumed = JsonOf(Culprit({"minify", "--resume", runs + "/latest", "--json"}));
    EXPECT_EQ(ReadWholeFile(runs + "/latest/repro.py"), expected) << "killed after " << moment.count();
    EXPECT_EQ(resumed.at("questions"), whole.at("questions"));
    size_t answers = 0;
    EXPECT_EQ(QuestionsIn(runs + "/latest/trace.jsonl", answers).size(), answers);
    EXPECT_GE(answers, answers_before);
  }
}

}  // namespace
}  // namespace culprit::tests
