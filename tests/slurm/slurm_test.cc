// SPDX-License-Identifier: Apache-2.0
//
// Workers that a real Slurm starts, of two nodes on this machine, which each test starts and ends.
#include "tests/e2e/cli_hunt_workers.h"
#include "tests/e2e/run_and_signal.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

class Slurm : public CliHuntWorkers {
 protected:
  void SetUp() override {
    if (!FullVolume()) GTEST_SKIP() << "a Slurm is started by: make test-long";
    // The authentication refuses folders that others might write into.
    std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
    const ProgramRun start = Cluster("start");
    ASSERT_EQ(start.exit_code, 0) << start.err;
    setenv("SLURM_CONF", (folder_ / "slurm.conf").c_str(), /*overwrite=*/1);
    net_ = folder_ / "net.py";
  }
  void TearDown() override {
    if (!FullVolume()) return;
    unsetenv("SLURM_CONF");
    Cluster("stop");
  }

  ProgramRun Cluster(const std::string& action, const std::string& node = "") const {
    return RunShell("tests/slurm/cluster " + action + " " + folder_.path() + " " + node);
  }
  std::string Ask(const std::string& command) const { return RunShell(command).out; }

  /// Questions of a second each.
  std::vector<std::string> SlowHunt(int workers, int questions) const {
    std::vector<std::string> hunt = WithWorkers(kSrun, workers);
    hunt[3] = "exp&tanh:hang";
    hunt.insert(hunt.end(), {"--timeout", "1", "--max-queries", std::to_string(questions)});
    return hunt;
  }

  /// While both workers work.
  ProgramRun HuntAndDisturb(const std::vector<std::string>& hunt, const std::function<void()>& disturb) {
    std::thread disturbing([&] {
      WaitUntil([&] { return std::filesystem::exists(latest() + "/trace.jsonl"); });
      std::this_thread::sleep_for(std::chrono::milliseconds(1500));
      disturb();
    });
    ProgramRun run = HuntAndCompare(hunt);
    disturbing.join();
    return run;
  }

  static constexpr const char* kSrun = "srun -n1 --quiet";
};

TEST_F(Slurm, WorkersOnTwoNodesFindWhatOneProcessFinds) {
  const std::string launcher = Launcher("srun -n1 --quiet sh -c 'echo $SLURMD_NODENAME >> " +
                                        (folder_ / "nodes") + "; exec \"$0\" \"$@\"' \"$@\"");
  const ProgramRun run = HuntAndCompare(WithWorkers(launcher));
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(ReadWholeFile(folder_ / "nodes"), testing::AllOf(HasSubstr("n1"), HasSubstr("n2")));
}

TEST_F(Slurm, ANodeThatIsKilledInTheMiddleCostsItsQuestion) {
  const ProgramRun run = HuntAndDisturb(SlowHunt(2, 12), [&] { Cluster("kill", "n2"); });
  EXPECT_THAT(run.err, HasSubstr("has gone"));
}

TEST_F(Slurm, WhoWaitsInAFullQueueIsNotWaitedForAndLeavesIt) {
  const ProgramRun run = HuntAndCompare(SlowHunt(4, 6));
  EXPECT_EQ(run.exit_code, 1) << run.err;
  WaitUntil([&] { return Ask("squeue --noheader").empty(); });
  EXPECT_EQ(Ask("squeue --noheader"), "");
}

TEST_F(Slurm, AHuntOutlivesAControllerThatIsRestarted) {
  const ProgramRun run = HuntAndDisturb(SlowHunt(2, 12), [&] { Cluster("restart"); });
  EXPECT_EQ(run.exit_code, 1) << run.err;
}

TEST_F(Slurm, ANodeWithAnotherVersionIsRefusedByNameAndTheOtherWorks) {
  WriteWholeFile(folder_ / "hello", HelloOfAnotherVersion("n2"));
  const std::string launcher =
      Launcher("srun -n1 --quiet sh -c 'test $SLURMD_NODENAME = n1 && exec \"$0\" \"$@\"; cat " +
               (folder_ / "hello") + "; exec sleep 1000' \"$@\"");
  const ProgramRun run = HuntAndCompare(WithWorkers(launcher));
  EXPECT_THAT(run.err, HasSubstr("warning: the worker on n2 has PyTorch 1.0, and this is PyTorch "));
}

TEST_F(Slurm, WhatSlurmRefusesIsAnErrorWithItsWords) {
  const ProgramRun run = Hunt(WithWorkers("srun -n1 --partition=none"));
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.err, HasSubstr("nvalid partition"));
}

}  // namespace
}  // namespace culprit::tests
