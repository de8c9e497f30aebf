// SPDX-License-Identifier: Apache-2.0
//
// Hunts whose disk is full, whose files may not grow, whose streams lead nowhere, and whose names are taken.
#include <fmt/format.h>

#include <cstring>

#include "tests/e2e/cli_hunt.h"
#include "tests/lib/small_disk.h"

namespace culprit::tests {
namespace {

TEST_F(CliHunt, OnAFullDiskItStopsAndCanGoOn) {
  SmallDisk disk(65536);
  if (disk.error() != 0) GTEST_SKIP() << "nothing can be mounted: " << std::strerror(disk.error());
  const ProgramRun run = Culprit({"hunt", net_, "--fault", "exp&tanh:runtime-error", "--out", disk.path()});
  EXPECT_EQ(run.exit_code, 4) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, testing::ContainsRegex("error: .*: [Nn]o space left on device\n"));
  const std::string folder = std::filesystem::read_symlink(disk / "latest");
  EXPECT_THAT(run.err,
              testing::EndsWith(fmt::format("  note: the smallest repro so far: {0}/{1}/repro.py\n"
                                            "  help: to go on, run: culprit minify --resume {0}/{1}\n",
                                            disk.path(), folder)));
  EXPECT_EQ(Culprit({"query", disk / "latest/repro.py"}).exit_code, 0);
  disk.Resize(1 << 20);
  const ProgramRun resumed = Culprit({"minify", "--resume", disk / "latest", "--json"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(GuiltyOf(JsonOf(resumed)), (std::vector<std::string>{"aten::exp", "aten::tanh"}));
}

TEST_F(CliHunt, OnADiskThatIsFullFromTheBeginningItLeavesNothing) {
  const SmallDisk disk(4096);
  if (disk.error() != 0) GTEST_SKIP() << "nothing can be mounted: " << std::strerror(disk.error());
  const ProgramRun run = Culprit({"hunt", net_, "--fault", "tanh:runtime-error", "--out", disk.path()});
  EXPECT_EQ(run.exit_code, 4) << run.err;
  EXPECT_THAT(run.err, HasSubstr(": no space left on device\n"));
  EXPECT_THAT(run.err, testing::EndsWith("  help: to keep the run on another disk, add: --out DIR\n"));
  EXPECT_EQ(NamesIn(disk.path()), std::set<std::string>{});
}

// ulimit -f counts blocks of 512 bytes: the script fits, and in the end the trace does not.
TEST_F(CliHunt, WhereFilesMayNotGrowItStopsAndCanGoOn) {
  WriteWholeFile(net_, ChainScript(620));
  const ProgramRun run = RunShell(fmt::format(
      "ulimit -f 100; culprit hunt {} --fault 'exp&tanh:runtime-error' --out {}", net_, folder_ / "runs"));
  EXPECT_EQ(run.exit_code, 4) << run.err;
  EXPECT_THAT(run.err, HasSubstr("trace.jsonl: error: cannot be written: File too large\n"));
  EXPECT_THAT(run.err, HasSubstr("  help: to go on, run: culprit minify --resume "));
  const ProgramRun resumed = Culprit({"minify", "--resume", latest(), "--json"});
  EXPECT_EQ(GuiltyOf(JsonOf(resumed)), (std::vector<std::string>{"aten::exp", "aten::tanh"}));
}

TEST_F(CliHunt, WithoutStandardStreamsItDoesItsWork) {
  for (const char* streams : {"<&- >&- 2>&-", "2>/dev/full", "2>&-", ">&-", "<&- 2>/dev/full"}) {
    const std::string runs = folder_ / "runs";
    const ProgramRun run =
        RunShell(fmt::format("culprit hunt {} --fault tanh:runtime-error --out {} {}", net_, runs, streams));
    EXPECT_EQ(run.exit_code, 1) << streams << run.err;
    EXPECT_THAT(ReadWholeFile(latest() + "/summary.md"), HasSubstr("aten::tanh")) << streams;
    std::filesystem::remove_all(runs);
  }
}

TEST_F(CliHunt, AReportThatCannotBeWrittenIsAnError) {
  const ProgramRun run = RunShell(
      fmt::format("culprit hunt {} --fault tanh:runtime-error --out {} >/dev/full", net_, folder_ / "runs"));
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.err,
              testing::EndsWith("culprit: error: the output cannot be written: No space left on device\n"));
}

TEST_F(CliHunt, AFileThatIsCalledLatestStays) {
  std::filesystem::create_directory(folder_ / "runs");
  WriteWholeFile(latest(), "my notes");
  const ProgramRun run = Hunt({"hunt", net_, "--fault", "tanh:runtime-error"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(ReadWholeFile(latest()), "my notes");
  const std::string warning = latest() +
                              ": warning: is no link to the newest run, so it is left as it is\n"
                              "  help: to have a link to the newest run there, rename what is in its place\n";
  const size_t first = run.err.find(warning);
  EXPECT_NE(first, std::string::npos) << run.err;
  EXPECT_EQ(run.err.find(warning, first + 1), std::string::npos) << run.err;
}

}  // namespace
}  // namespace culprit::tests
