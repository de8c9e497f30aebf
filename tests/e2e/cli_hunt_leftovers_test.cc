// SPDX-License-Identifier: Apache-2.0
//
// Whatever ends a process, its temporary files go: at once, or with the next process if it was killed.
#include <fmt/format.h>

#include "tests/e2e/cli_hunt.h"
#include "tests/e2e/run_and_signal.h"
#include "tests/lib/process_census.h"

namespace culprit::tests {
namespace {

constexpr const char* kNet = "examples/04_model/net.torchscript";

class CliLeftovers : public CliHunt {
 protected:
  CliLeftovers() { std::filesystem::create_directory(temporary_); }

  std::vector<std::string> WithNet(const std::string& command, const std::string& fault) const {
    std::vector<std::string> words = {command, kNet, "--inputs", "f32[1,3,16,16]", "--fault", fault};
    if (command == "hunt") words.insert(words.end(), {"--out", folder_ / "runs"});
    return words;
  }

  void WaitForGraphs() const {
    WaitUntil([&] {
      std::error_code ignored;
      for (const auto& entry : std::filesystem::recursive_directory_iterator(temporary_, ignored)) {
        if (entry.path().extension() == ".py") return true;
      }
      return false;
    });
  }

  std::string temporary_ = folder_ / "tmp";
};

TEST_F(CliLeftovers, ASignalLeavesNothing) {
  for (const char* command : {"run", "hunt"}) {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
      const int code = RunAndSignal(WithNet(command, "softmax:hang"), number, [&] { WaitForGraphs(); },
                                    {.temporary_files = temporary_});
      EXPECT_EQ(code, 130) << command << " " << strsignal(number);
      EXPECT_EQ(NamesIn(temporary_), std::set<std::string>{}) << command << " " << strsignal(number);
    }
  }
}

TEST_F(CliLeftovers, WhatAKilledProcessLeavesGoesWithTheNext) {
  for (const char* command : {"run", "hunt"}) {
    RunAndSignal(WithNet(command, "softmax:hang"), SIGKILL, [&] { WaitForGraphs(); },
                 {.temporary_files = temporary_});
    EXPECT_EQ(NamesIn(temporary_).size(), 1) << command;
    // Its processes die with it, but not in the same moment.
    WaitUntil([&] {
      RunAndDisturb(WithNet("run", "softmax:accuracy"), [](pid_t) {}, {.temporary_files = temporary_});
      return NamesIn(temporary_).empty();
    });
    EXPECT_EQ(NamesIn(temporary_), std::set<std::string>{}) << command;
  }
}

TEST_F(CliLeftovers, WhereNobodyReadsTheOutputNothingIsLeft) {
  const ProgramRun run = RunShell(
      fmt::format("{{ sleep 0.2; TMPDIR={} culprit run {} --inputs f32[1,3,16,16] --train; echo \"exit "
                  "$?\" >&2; }} | true",
                  temporary_, kNet));
  EXPECT_THAT(run.err, testing::EndsWith("exit 141\n"));
  EXPECT_EQ(NamesIn(temporary_), std::set<std::string>{});
}

/// The child of the program that is in its session: the others are in sessions of their own.
pid_t WorkerOf(pid_t program) {
  for (const pid_t child : ChildrenOf(program)) {
    if (getsid(child) == getsid(program)) return child;
  }
  return 0;
}

TEST_F(CliLeftovers, AWorkerThatIsKilledIsTheMachinesFaultAndLeavesNoCandidate) {
  const std::string judge = Judge("grep -q aten.tanh \"$1\" || sleep 100");
  const std::string log = folder_ / "log";
  const auto kill_worker = [&](pid_t program) {
    // The judge is asked about a candidate without tanh, and thinks.
    WaitUntil([&] { return std::filesystem::exists(latest() + "/trace.jsonl"); });
    std::this_thread::sleep_for(std::chrono::seconds(1));
    kill(WorkerOf(program), SIGKILL);
  };
  const int code = RunAndDisturb({"minify", net_, "--check", judge, "--out", folder_ / "runs"}, kill_worker,
                                 {.log = log, .temporary_files = temporary_});
  EXPECT_EQ(code, 4);
  EXPECT_THAT(ReadWholeFile(log), HasSubstr("culprit: error: the process that did the work died: Killed\n"
                                            "  note: the smallest repro so far: "));
  EXPECT_THAT(ReadWholeFile(log), HasSubstr("  help: to go on, run: culprit minify "));
  for (const std::string& name : NamesIn(latest())) EXPECT_THAT(name, Not(StartsWith("culprit-"))) << name;
  EXPECT_EQ(NamesIn(temporary_), std::set<std::string>{});
}

TEST_F(CliLeftovers, AHelperThatIsKilledIsTheMachinesFault) {
  const std::string log = folder_ / "log";
  const auto kill_helper = [&](pid_t program) {
    WaitUntil([&] { return std::filesystem::exists(latest() + "/trace.jsonl"); });
    for (const pid_t child : ChildrenOf(WorkerOf(program))) kill(child, SIGKILL);
  };
  const int code =
      RunAndDisturb({"hunt", net_, "--fault", "exp&tanh:runtime-error", "--out", folder_ / "runs"},
                    kill_helper, {.log = log, .temporary_files = temporary_});
  EXPECT_EQ(code, 4);
  EXPECT_THAT(ReadWholeFile(log), HasSubstr("error: the process that starts queries has died\n"
                                            "  note: the smallest repro so far: "));
  const ProgramRun resumed = Culprit({"minify", "--resume", latest(), "--json"});
  EXPECT_EQ(GuiltyOf(JsonOf(resumed)), (std::vector<std::string>{"aten::exp", "aten::tanh"})) << resumed.err;
}

}  // namespace
}  // namespace culprit::tests
