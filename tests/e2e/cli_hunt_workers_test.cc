// SPDX-License-Identifier: Apache-2.0
//
// Questions that workers answer, which a launcher starts: here it is a shell. Whatever becomes of them, the
// result is that of one process.
#include "tests/e2e/cli_hunt_workers.h"

#include <fstream>

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

/// Hunts that end in the middle.
class CliHuntWorkersStopped : public CliHuntWorkers {
 protected:
  /// When there is a first repro, whose questions take a second each. Gives back the exit code.
  int SignalInTheMiddle(const std::string& launcher, int number) {
    std::vector<std::string> hunt = WithWorkers(launcher);
    hunt[3] = "exp&tanh:hang";
    const std::vector<std::string> more = {"--timeout", "1", "--out", folder_ / "runs", "--max-queries", "8"};
    hunt.insert(hunt.end(), more.begin(), more.end());
    return RunAndDisturb(hunt, [&](pid_t program) {
      WaitUntil([&] { return std::filesystem::exists(repro()); });
      processes_ = DescendantsOf(program);
      kill(program, number);
    });
  }

  /// Of those that there were.
  size_t ProcessesLeft() const {
    WaitUntil([&] { return std::ranges::none_of(processes_, IsAlive); });
    return std::ranges::count_if(processes_, IsAlive);
  }

  /// What has ended may wait for a parent that asks how, where its own is gone.
  static bool IsAlive(pid_t pid) {
    std::ifstream file(fmt::format("/proc/{}/stat", pid));
    std::string state;
    return std::getline(file, state) && state.find(") Z ") == std::string::npos;
  }

  void ResumeAndCheck() {
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

  std::vector<pid_t> processes_;
};

TEST_F(CliHuntWorkersStopped, InterruptedAndResumedItEndsAlikeAndNoWorkerIsLeft) {
  EXPECT_EQ(SignalInTheMiddle("env", SIGINT), 130);
  EXPECT_GE(processes_.size(), 4);
  EXPECT_EQ(ProcessesLeft(), 0);
  ResumeAndCheck();
}

/// Nobody is left to end the workers, and what starts them here outlives the hunt: they end with their input.
TEST_F(CliHuntWorkersStopped, KilledItLeavesNoWorkerAndIsResumed) {
  const std::string ended = folder_ / "ended";
  EXPECT_EQ(SignalInTheMiddle(Launcher("( \"$@\"; echo $? >> " + ended + " )"), SIGKILL), 137);
  EXPECT_GE(processes_.size(), 8);
  EXPECT_EQ(ProcessesLeft(), 0);
  EXPECT_EQ(ReadWholeFile(ended), "0\n0\n") << "a worker was killed";
  ResumeAndCheck();
}

/// Two operators that fail together, one of them with a weight of 4 MiB.
constexpr const char* kWeighty = R"python(
class Repro(torch.nn.Module):
    def forward(self, x, w):
        sin = torch.ops.aten.sin.default(x)
        sin_1 = torch.ops.aten.sin.default(sin)
        mm = torch.ops.aten.mm.default(sin_1, w)
        sin_2 = torch.ops.aten.sin.default(mm)
        tanh = torch.ops.aten.tanh.default(sin_2)
        sin_3 = torch.ops.aten.sin.default(tanh)
        return (sin_3,)

def load_args(reader):
    buf0 = reader.storage(None, 4096)
    reader.tensor(buf0, (1, 1024), is_leaf=True)  # x
    buf1 = reader.storage(None, 4194304)
    reader.tensor(buf1, (1024, 1024), is_leaf=True)  # w
load_args._version = 0
)python";

/// What stands before the first "renew" of what a worker was told: it is one process for so long.
std::string ToldAsOneProcess(const std::string& file) {
  const std::string told = ReadWholeFile(file);
  return told.substr(0, told.find(R"("kind":"renew")"));
}

TEST_F(CliHuntWorkers, WeightsTravelOncePerWorker) {
  constexpr size_t kWeight = 4 << 20;
  WriteWholeFile(net_, kWeighty);
  std::vector<std::string> hunt =
      WithWorkers(Launcher("tee $(mktemp " + (folder_ / "told.XXXXXX") + ") | \"$@\""));
  hunt[3] = "mm&tanh:runtime-error";
  hunt.insert(hunt.end(), {"--only", "drop"});
  const ProgramRun run = Hunt(hunt);
  EXPECT_EQ(run.exit_code, 1) << run.err;
  size_t workers = 0;
  size_t questions = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    if (!entry.path().filename().string().starts_with("told.")) continue;
    const std::string told = ToldAsOneProcess(entry.path());
    EXPECT_GT(told.size(), kWeight);
    EXPECT_LT(told.size(), 2 * kWeight);
    const std::string query = R"("kind":"query")";
    for (size_t at = told.find(query); at != std::string::npos; at = told.find(query, at + 1)) ++questions;
    ++workers;
  }
  EXPECT_EQ(workers, 2);
  EXPECT_GE(questions, 8);
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
