// SPDX-License-Identifier: Apache-2.0
//
// Questions that workers answer, which a launcher starts: here it is a shell. Whatever becomes of them, the
// result is that of one process.
#include "tests/e2e/cli_hunt_workers.h"
#include "tests/e2e/run_and_signal.h"
#include "tests/lib/process_census.h"

namespace culprit::tests {
namespace {

TEST_F(CliHuntWorkers, WorkersFindWhatOneProcessFinds) {
  const ProgramRun run = HuntAndCompare(WithWorkers("sh -c 'exec \"$0\" \"$@\"'"));
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(run.err, Not(HasSubstr("warning")));
}

TEST_F(CliHuntWorkers, AWorkerThatIsKilledCostsItsQuestionWhichAnotherOneRepeats) {
  // The first one to come dies while it has a question. Its children go with it.
  const std::string launcher = Launcher("mkdir " + (folder_ / "first") +
                                        " 2> /dev/null || exec \"$@\"\nexec 3<&0; \"$@\" <&3 & worker=$!; "
                                        "sleep 2; kill -9 $worker; wait $worker");
  std::vector<std::string> hunt = WithWorkers(launcher);
  hunt[3] = "exp&tanh:hang";
  hunt.insert(hunt.end(), {"--timeout", "1", "--max-queries", "6"});
  const ProgramRun run = HuntAndCompare(hunt);
  EXPECT_THAT(run.err, HasSubstr("has gone: its launcher ended with exit code 137"));
}

/// A compiler that kills the worker that it works for, a while after it began: a worker tells every 10 ms what it is
/// doing, and what it does not come to tell is not known.
constexpr const char* kKiller = R"python(
import os
import signal
import time
from culprit.servers import Compiler, serve


def worker(pid):
    while b"--stay" not in open(f"/proc/{pid}/cmdline", "rb").read():
        pid = int(open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[1])
    return pid


class Killer(Compiler):
    name = "killer"
    line = "kills who asks"

    def compile(self, request):
        if any(node.op == "call_function" and "tanh" in str(node.target) for node in request.graph.graph.nodes):
            time.sleep(1.5)
            os.kill(worker(os.getpid()), signal.SIGKILL)
        return request.graph


serve(Killer())
)python";

TEST_F(CliHuntWorkers, AQuestionThatKillsTwoWorkersHasCrashed) {
  WriteWholeFile(net_, ChainScript(4));
  WriteWholeFile(folder_ / "killer.py", kKiller);
  const ProgramRun run =
      Culprit({"verify", net_, "--backend", folder_ / "killer.py", "--times", "1", "--launcher",
               Launcher("echo >> " + (folder_ / "launches") + "; exec \"$@\"")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, StartsWith("always: the failure came back in 1 of 1 fresh process\n"));
  EXPECT_THAT(run.out, HasSubstr("compile: signal SIGKILL"));
  EXPECT_GE(ReadWholeFile(folder_ / "launches").size(), 2);
}

TEST_F(CliHuntWorkers, AWorkerOfAnotherVersionIsRefusedByNameAndTheOthersWork) {
  WriteWholeFile(folder_ / "hello", HelloOfAnotherVersion("n7"));
  const std::string other = "cat " + (folder_ / "hello") + "; exec sleep 100";
  const ProgramRun run = HuntAndCompare(
      WithWorkers(Launcher("mkdir " + (folder_ / "first") + " 2> /dev/null || exec \"$@\"\n" + other)));
  EXPECT_THAT(run.err, HasSubstr("warning: the worker on n7 has PyTorch 1.0, and this is PyTorch "));

  const ProgramRun alone = Hunt(WithWorkers(Launcher(other), 1));
  EXPECT_EQ(alone.exit_code, 4);
  EXPECT_THAT(alone.err, HasSubstr("culprit: error: the worker on n7 has PyTorch 1.0"));
}

TEST_F(CliHuntWorkers, ThoseThatComeWorkAndNobodyWaitsForTheOthers) {
  const ProgramRun run = HuntAndCompare(WithWorkers(
      Launcher("mkdir " + (folder_ / "first") + " 2> /dev/null && exec \"$@\"; exec sleep 1000"), 3));
  EXPECT_THAT(run.err, Not(HasSubstr("warning")));
}

TEST_F(CliHuntWorkers, WhoWaitsForTheFirstSaysSo) {
  const ProgramRun run = Hunt(WithWorkers(Launcher("sleep 3; exec \"$@\""), 1));
  EXPECT_THAT(run.err, HasSubstr("waiting for a worker"));
  EXPECT_EQ(run.exit_code, 1);
}

TEST_F(CliHuntWorkers, ALauncherThatFailsIsAnErrorWithWhatItPrinted) {
  const ProgramRun run = Hunt(WithWorkers(Launcher("echo 'Invalid partition' >&2; exit 1")));
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.err,
              HasSubstr("culprit: error: none of the 2 workers is left: the launcher ended with exit "
                        "code 1 before a worker came, and had printed:\n  Invalid partition\n"));
  EXPECT_THAT(run.err, HasSubstr("help: to try it, run: sh " + folder_.path()));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "runs"));
}

TEST_F(CliHuntWorkers, AWorkerThatSendsGarbageIsLetGo) {
  const ProgramRun run = Hunt(WithWorkers(
      Launcher("echo 'culprit worker, parcels of version 1'; head -c 100 /dev/zero; exec sleep 100"), 1));
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.err, HasSubstr("a worker sent what is no parcel"));
}

TEST_F(CliHuntWorkers, InterruptedAndResumedItEndsAlikeAndNoWorkerIsLeft) {
  std::vector<std::string> hunt = WithWorkers("env");
  hunt[3] = "exp&tanh:hang";
  const std::vector<std::string> more = {"--timeout", "1", "--out", folder_ / "runs", "--max-queries", "8"};
  hunt.insert(hunt.end(), more.begin(), more.end());
  std::vector<pid_t> processes;
  const auto interrupt = [&](pid_t program) {
    WaitUntil([&] { return std::filesystem::exists(repro()); });
    processes = DescendantsOf(program);
    kill(program, SIGINT);
  };
  EXPECT_EQ(RunAndDisturb(hunt, interrupt), 130);
  EXPECT_GE(processes.size(), 4);
  WaitUntil([&] { return std::ranges::none_of(processes, [](pid_t pid) { return kill(pid, 0) == 0; }); });
  for (const pid_t process : processes) EXPECT_NE(kill(process, 0), 0);

  const ProgramRun resumed =
      Culprit({"minify", "--resume", latest(), "--launcher", "env", "--jobs", "3", "--json"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(GuiltyOf(JsonOf(resumed)), (std::vector<std::string>{"aten::exp", "aten::tanh"}));
  std::vector<std::string> questions = FoundIn(latest()).questions;
  const size_t count = questions.size();
  std::ranges::sort(questions);
  questions.erase(std::unique(questions.begin(), questions.end()), questions.end());
  EXPECT_EQ(questions.size(), count) << "no question is counted twice";
}

TEST_F(CliHuntWorkers, VerifyAsksEachTimeInANewProcessOfAWorker) {
  WriteWholeFile(net_, ChainScript(4));
  const std::string launcher = Launcher("\"$@\" | tee -a " + (folder_ / "said"));
  const ProgramRun run = Culprit({"verify", net_, "--fault", "tanh:runtime-error", "--times", "4",
                                  "--launcher", launcher, "--jobs", "2"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, StartsWith("always: the failure came back in 4 of 4 fresh processes\n"));
  const std::string said = ReadWholeFile(folder_ / "said");
  const std::string greeting = "culprit worker, parcels of version 1\n";
  size_t processes = 0;
  for (size_t at = said.find(greeting); at != std::string::npos; at = said.find(greeting, at + 1))
    ++processes;
  EXPECT_GE(processes, 4);
  EXPECT_THAT(Culprit({"verify", net_, "--jobs", "2"}).err, HasSubstr("--jobs requires --launcher"));
}

TEST_F(CliHuntWorkers, ALauncherAndAJudgeExcludeEachOther) {
  EXPECT_THAT(Culprit({"minify", net_, "--check", "true", "--launcher", "env"}).err,
              HasSubstr("--launcher excludes --check"));
  EXPECT_THAT(Culprit({"minify", net_, "--launcher", " "}).err, HasSubstr("no command is named"));
}

}  // namespace
}  // namespace culprit::tests
