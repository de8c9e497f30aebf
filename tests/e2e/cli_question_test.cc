// SPDX-License-Identifier: Apache-2.0
//
// The one question from the shell: culprit run with a compiler, query, verify.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/e2e/culprit_program.h"
#include "tests/lib/fixtures.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kTanh =
    "class Repro(torch.nn.Module):\n"
    "    def forward(self, x):\n"
    "        tanh = torch.ops.aten.tanh.default(x)\n"
    "        return (tanh,)\n"
    "\n"
    "def load_args(reader):\n"
    "    buf0 = fill(reader.storage(None, 8), torch.tensor([0.3, 1.1], dtype=torch.float32))\n"
    "    reader.tensor(buf0, (2,), is_leaf=True)  # x\n"
    "load_args._version = 0\n";

/// A repro of wrong numbers, and one of a crash, are recorded once for all tests.
class CliQuestion : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    WriteWholeFile(tanh(), kTanh);
    recorded_wrong_ =
        new ProgramRun(Culprit({"run", tanh(), "--fault", "tanh:accuracy", "--record", wrong()}));
    recorded_crash_ =
        new ProgramRun(Culprit({"run", tanh(), "--fault", "tanh:segfault", "--record", crash()}));
  }
  static void TearDownTestSuite() {
    delete recorded_wrong_;
    delete recorded_crash_;
    delete folder_;
  }

  static std::string tanh() { return *folder_ / "tanh.py"; }
  static std::string wrong() { return *folder_ / "wrong/repro.py"; }
  static std::string crash() { return *folder_ / "crash/repro.py"; }

  static inline TemporaryFolder* folder_ = nullptr;
  static inline ProgramRun* recorded_wrong_ = nullptr;
  static inline ProgramRun* recorded_crash_ = nullptr;
};

std::string LastLine(const std::string& text) {
  const size_t end = text.find_last_not_of('\n');
  return text.substr(text.rfind('\n', end) + 1, end - text.rfind('\n', end));
}

struct RealBug {
  const char* file;
  const char* stage;
  const char* last_line;
};

constexpr RealBug kRealBugs[] = {
    {"bool_times_one", "plain", "failure: compare: wrong dtype in outputs[0] (call 1)"},
    {"conv_avg_pool", "ofi", "failure: compare: wrong values in outputs[0] (call 1)"},
    {"conv_hardswish", "ofi", "passes: the compiled graph does what eager does"},
    {"conv_scaled_add", "ofi", "failure: compare: wrong values in outputs[0] (call 1)"},
    {"pytorch_140101", "plain", "failure: compare: wrong gradient in gradients.inputs[0] (call 2)"},
    {"pytorch_86527", "ofi", "passes: the compiled graph does what eager does"},
    {"pytorch_86597", "nnc", "failure: compare: wrong values in outputs[0] (call 2)"},
    {"pytorch_86816", "nnc", "passes: the compiled graph does what eager does"},
    {"pytorch_92563", "ofi",
     "failure: compile: exception c10::Error: N INTERNAL ASSERT FAILED at \"ivalue.h\":N, please report a "
     "bug to PyTorch. expected double"},
    {"pytorch_92740", "ofi",
     "failure: call 1: exception std::runtime_error: convolution = aten::conv2d(image, weight)RuntimeError: "
     "Input "
     "type (CPUFloatType) and weight type (MkldnnCPUFloatType) should be the same"},
};

TEST(CliRealBugs, AreSignedAsTheyAreDocumented) {
  EXPECT_EQ(FixturesIn("real_bugs").size(), std::size(kRealBugs)) << "every file has a row";
  for (const RealBug& bug : kRealBugs) {
    const ProgramRun run = Culprit({"run", fmt::format("tests/fixtures/real_bugs/{}.py", bug.file),
                                    "--backend", fmt::format("torchscript:stage={}", bug.stage)});
    EXPECT_EQ(LastLine(run.out), bug.last_line) << bug.file;
    EXPECT_EQ(run.exit_code, std::string_view(bug.last_line).starts_with("passes") ? 0 : 1) << bug.file;
  }
}

TEST_F(CliQuestion, AFailureThatComesSometimesIsAskedForAsOftenAsItTakes) {
  const std::string file = *folder_ / "flaky/repro.py";
  // That 30 calls all agree happens once in a billion times.
  const ProgramRun run =
      Culprit({"run", tanh(), "--fault", "tanh:flaky:2", "--times", "30", "--record", file});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, testing::MatchesRegex(
                           "failure: compare: results that vary from run to run in outputs.0. .call 1.\n"
                           "  seen in [0-9]+ of 30 runs; [0-9]+ runs show it with a "
                           "probability of 99 %\n.*"));
  const auto header = nlohmann::json::parse(Culprit({"graph", file, "--header"}).out);
  EXPECT_GT(std::stoi(header.at("settings").at("repeats").get<std::string>()), 1);
}

TEST_F(CliQuestion, TheLimitThatAFailureDependsOnIsRecorded) {
  const std::string file = *folder_ / "hang/repro.py";
  Culprit({"run", tanh(), "--fault", "tanh:hang", "--timeout", "1", "--record", file});
  EXPECT_EQ(Culprit({"query", file}).exit_code, 0);
  const auto header = nlohmann::json::parse(Culprit({"graph", file, "--header"}).out);
  EXPECT_EQ(header.at("settings").at("timeout"), "1");
}

TEST_F(CliQuestion, WrongNumbersAreAFailureInOneLine) {
  EXPECT_EQ(recorded_wrong_->exit_code, 1);
  EXPECT_THAT(recorded_wrong_->err, StartsWith("note: wrote the failure to "));
  EXPECT_THAT(recorded_wrong_->out,
              EndsWith("\n1 value off.\nfailure: compare: wrong values in outputs[0] (call 1)\n"));
}

TEST_F(CliQuestion, ACrashIsAFailureWithItsFrames) {
  EXPECT_EQ(recorded_crash_->exit_code, 1);
  EXPECT_THAT(recorded_crash_->err, StartsWith("note: wrote the failure to "));
  EXPECT_THAT(recorded_crash_->out, StartsWith("   0  culprit::faults::WriteToNull\n   1  "));
  EXPECT_THAT(recorded_crash_->out,
              EndsWith("\nin call 1: SIGSEGV, null page, in "
                       "culprit::faults::WriteToNull(culprit::faults::Incident&)\n"
                       "failure: call 1: signal SIGSEGV in culprit::faults::WriteToNull\n"));
}

TEST_F(CliQuestion, ARecordedFailureIsFoundAgain) {
  const ProgramRun query = Culprit({"query", wrong()});
  EXPECT_EQ(query.exit_code, 0);
  EXPECT_EQ(query.out, "same failure: compare: wrong values in outputs[0] (call 1)\n");
  EXPECT_EQ(query.err, "");
}

TEST_F(CliQuestion, TheAnswerForMachines) {
  const nlohmann::json answer = nlohmann::json::parse(Culprit({"query", wrong(), "--json"}).out);
  EXPECT_EQ(answer.at("answer"), "same failure");
  EXPECT_EQ(answer.at("signature"), "compare: wrong values in outputs[0] (call 1)");
  EXPECT_EQ(answer.at("failure"), nlohmann::json::parse(R"({"phase": "compare", "call": 1,
      "kind": "wrong values", "output": "outputs[0]"})"));
}

TEST_F(CliQuestion, ARecordedFailureComesBackInFreshProcesses) {
  const ProgramRun verify = Culprit({"verify", wrong(), "--times", "2"});
  EXPECT_EQ(verify.exit_code, 0);
  EXPECT_EQ(verify.out,
            "always: the failure came back in 2 of 2 fresh processes\n"
            "  compare: wrong values in outputs[0] (call 1)\n");
}

TEST_F(CliQuestion, SoDoesACrash) {
  const ProgramRun verify = Culprit({"verify", crash(), "--times=1", "--json"});
  EXPECT_EQ(verify.exit_code, 0);
  EXPECT_EQ(nlohmann::json::parse(verify.out), nlohmann::json::parse(R"({"verified": "always", "same": 1,
      "times": 1, "signature": "call 1: signal SIGSEGV in culprit::faults::WriteToNull", "others": {}})"));
}

TEST_F(CliQuestion, WhatPassesNeverFails) {
  const ProgramRun verify = Culprit({"verify", tanh(), "--backend", "eager", "--times", "1"});
  EXPECT_EQ(verify.exit_code, 1);
  EXPECT_EQ(verify.out, "never: the failure came back in 0 of 1 fresh process\n  1 time: passes\n");
}

TEST_F(CliQuestion, AnotherFailureIsNotTheSame) {
  const ProgramRun query = Culprit({"query", wrong(), "--fault", "tanh:runtime-error"});
  EXPECT_EQ(query.exit_code, 1);
  EXPECT_EQ(
      query.out,
      "other failure: call 1: exception std::runtime_error: injected fault: aten::tanh failed at call N\n"
      "  the phase is 'call', not 'compare'\n");
}

TEST_F(CliQuestion, ACrashIsNotTheSameAsWrongNumbers) {
  const ProgramRun verify = Culprit({"verify", wrong(), "--times", "1", "--fault", "tanh:segfault"});
  EXPECT_EQ(verify.exit_code, 1);
  EXPECT_THAT(verify.out, EndsWith("  1 time: other failure: call 1: signal SIGSEGV in "
                                   "culprit::faults::WriteToNull\n"));
}

TEST_F(CliQuestion, TheUserSaysWhatIsTheSame) {
  EXPECT_EQ(Culprit({"query", wrong(), "--fault", "tanh:nan"}).exit_code, 1);
  EXPECT_EQ(Culprit({"query", wrong(), "--fault", "tanh:nan", "--match", "any"}).exit_code, 0);
  EXPECT_EQ(Culprit({"query", wrong(), "--fault", "tanh:nan", "--any-failure"}).out,
            "same failure: compare: NaN in outputs[0] (call 1)\n");
}

TEST_F(CliQuestion, AReproCanComeFromStandardInput) {
  EXPECT_EQ(RunShell("culprit query - < " + crash()).out,
            "same failure: call 1: signal SIGSEGV in culprit::faults::WriteToNull\n");
  const ProgramRun verify = RunShell("cat " + wrong() + " | culprit verify - --times 2");
  EXPECT_EQ(verify.exit_code, 0);
  EXPECT_THAT(verify.out, StartsWith("always: the failure came back in 2 of 2 fresh processes\n"));
}

TEST_F(CliQuestion, TheHeaderOfARepro) {
  const ProgramRun graph = Culprit({"graph", crash(), "--header"});
  EXPECT_EQ(graph.exit_code, 0);
  const nlohmann::json header = nlohmann::json::parse(graph.out);
  EXPECT_EQ(header.at("faults"), nlohmann::json({"tanh:segfault"}));
  EXPECT_EQ(header.at("expected").at("signal"), "SIGSEGV");
  EXPECT_EQ(header.at("expected").at("phase"), "call");
}

TEST_F(CliQuestion, AFileThatNamesNeitherCompilerNorFailureIsRefused) {
  for (const char* command : {"query", "verify"}) {
    ExpectRefused({command, tanh()},
                  tanh() +
                      ": error: names neither a compiler nor a failure, so there is nothing to ask\n"
                      "  help: name a compiler, as in: --backend torchscript:stage=ofi; `culprit backends` "
                      "lists them\n");
  }
}

TEST_F(CliQuestion, AHangEndsAtTheTimeLimit) {
  const ProgramRun run = Culprit({"run", tanh(), "--fault", "tanh:hang", "--timeout", "1"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.out,
            "in call 1: took more than 1 s of wall time\n"
            "failure: call 1: time limit exceeded\n"
            "help: if it is no failure but needs more, add: --timeout 5\n");
}

TEST_F(CliQuestion, AnExitIsAFailureForMachinesToo) {
  const ProgramRun run = Culprit({"run", tanh(), "--fault", "tanh:exit0", "--json"});
  EXPECT_EQ(run.exit_code, 1);
  const nlohmann::json json = nlohmann::json::parse(run.out);
  EXPECT_EQ(json.at("passes"), false);
  EXPECT_EQ(json.at("signature"), "call 1: exit with code 0");
}

TEST_F(CliQuestion, AFaultThatIsForNothingIsSaid) {
  const ProgramRun run = Culprit({"run", tanh(), "--fault", "sin:nan"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(LastLine(run.out), "passes: the compiled graph does what eager does");
  EXPECT_EQ(run.err, "note: the graph has nothing that the fault 'sin:nan' is for: it does not call 'sin'\n");
}

TEST_F(CliQuestion, AFaultForAnOperatorThatDoesNotExistIsRefused) {
  ExpectRefused({"run", tanh(), "--fault", "tahn:nan"},
                "fault 'tahn:nan': error: unknown operator 'tahn', did you mean 'tanh'?\n");
}

TEST_F(CliQuestion, BelowAutogradAFaultMayBeForWhatTheGraphDoesNotHave) {
  const ProgramRun run = Culprit({"run", tanh(), "--backend", "native", "--fault", "sin:nan"});
  EXPECT_EQ(run.err,
            "note: the graph has nothing that the fault 'sin:nan' is for: it does not call 'sin'; below "
            "autograd, where the compiler gets it, it may\n");
}

TEST_F(CliQuestion, AFaultOfAnOperatorThatWritesHoldsBelowAutogradToo) {
  const std::string file = *folder_ / "in_place.py";
  WriteWholeFile(file, R"(class Repro(torch.nn.Module):
    def forward(self, x):
        sin = torch.ops.aten.sin.default(x)
        relu_ = torch.ops.aten.relu_.default(sin)
        exp = torch.ops.aten.exp.default(relu_)
        return (exp,)

def load_args(reader):
    buf0 = fill(reader.storage(None, 16), torch.tensor([0.1, 0.2, 0.3, 0.4], dtype=torch.float32))
    reader.tensor(buf0, (4,), is_leaf=True)  # x
load_args._version = 0
)");
  for (const char* backend : {"eager", "aot-eager", "torchscript:graphs=aot", "native:cache=off"}) {
    const ProgramRun run = Culprit({"run", file, "--backend", backend, "--fault", "relu_:accuracy"});
    EXPECT_EQ(run.exit_code, 1) << backend << run.out;
    EXPECT_EQ(run.err, "") << backend;
  }
  const ProgramRun pass =
      Culprit({"run", file, "--backend", "native:cache=off", "--fault", "relu_:wrong-loop"});
  EXPECT_EQ(pass.exit_code, 1) << pass.out;
}

TEST_F(CliQuestion, AFaultThatHasNothingToSpoilIsSaid) {
  const std::string said =
      "the fault 'tanh:wrong-fusion' had nothing to spoil: pass fuse did nothing to tanh";
  const std::vector<std::string> question = {tanh(), "--backend", "native:cache=off", "--fault",
                                             "tanh:wrong-fusion"};
  const auto ask = [&](std::vector<std::string> words) {
    words.insert(words.begin() + 1, question.begin(), question.end());
    const ProgramRun run = Culprit(words);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.out;
  };
  EXPECT_THAT(ask({"run"}), HasSubstr("  " + said + "\n"));
  EXPECT_EQ(ask({"run", "--times", "2"}), "note: " + said + "\npasses: in 2 runs\n");
  EXPECT_EQ(ask({"hunt"}), "note: " + said + "\npasses: in 3 runs\n");
  EXPECT_EQ(nlohmann::json::parse(ask({"hunt", "--json"})).at("warnings"), nlohmann::json::array({said}));
}

TEST_F(CliQuestion, WhatDoesNotExistIsRefused) {
  ExpectRefused(
      {"run", tanh(), "--backend", "torchscrip"},
      tanh() +
          ": error: unknown backend 'torchscrip', did you mean 'torchscript'?\n"
          "  help: a plug-in or a server is named with a slash, as in ./libmine.so or ./mine.py; to see all "
          "backends, run: culprit backends\n");
  ExpectRefused(
      {"run", tanh(), "--fault", "tanh:acuracy"},
      "fault 'tanh:acuracy': error: unknown kind 'acuracy', did you mean 'accuracy'?\n"
      "  help: a fault is written as WHERE:KIND or WHERE:KIND:ARGUMENT; to see all kinds, run: culprit "
      "faults\n");
  ExpectRefused({"run", tanh(), "--backend", "torchscript:stage=ofi", "--freeze", "y"},
                tanh() + ": error: the graph has no placeholder 'y', did you mean 'x'?\n");
}

TEST_F(CliQuestion, WrongOptionsAreRefused) {
  ExpectRefused({"query", wrong(), "--match", "kinds"},
                "culprit query: error: --match: unknown match 'kinds', did you mean 'kind'?\n"
                "  help: to see its options, run: culprit query --help\n");
  ExpectRefused({"query", wrong(), "--timeout", "0"},
                "culprit query: error: --timeout must be an integer from 1 to 1000000, not '0'\n"
                "  help: to see its options, run: culprit query --help\n");
  const std::string none = *folder_ / "none.py";
  ExpectRefused({"verify", none}, none + ": error: cannot be opened: No such file or directory\n");
}

TEST_F(CliQuestion, ARecordThatCannotBeWrittenIsAnError) {
  for (const char* fault : {"tanh:accuracy", "tanh:exit7"}) {
    const ProgramRun run = Culprit({"run", tanh(), "--fault", fault, "--record", "/proc/no/repro.py"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.out, HasSubstr("failure: ")) << "it is shown anyway";
    EXPECT_EQ(run.err, "/proc/no: error: cannot make the folder: no such file or directory\n");
  }
}

}  // namespace
}  // namespace culprit::tests
