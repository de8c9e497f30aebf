// SPDX-License-Identifier: Apache-2.0
//
// Disks that are full, and files that may not grow. What cannot be written is an error with code 4.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/e2e/cli_hunt.h"
#include "tests/lib/small_disk.h"

namespace culprit::tests {
namespace {

constexpr const char* kModel = "examples/04_model/net.torchscript --inputs f32[1,3,64,64]";

class CliDisk : public testing::Test {
 protected:
  CliDisk() { WriteWholeFile(large_, ChainScript(400)); }

  TemporaryFolder folder_;
  std::string large_ = folder_ / "large.py";
};

TEST_F(CliDisk, AFullDiskIsTheMachines) {
  const SmallDisk disk(4096);
  if (disk.error() != 0) GTEST_SKIP() << "nothing can be mounted: " << std::strerror(disk.error());
  for (const std::string& words : {"convert " + large_ + " --to python --output " + (disk / "python"),
                                   "convert " + large_ + " --to cpp --output " + (disk / "cpp"),
                                   "run " + large_ + " --fault tanh:accuracy --record " + (disk / "r.py"),
                                   "run " + large_ + " --fault tanh:segfault --record " + (disk / "r.py"),
                                   fmt::format("explain {} --graphs {}", kModel, disk / "graphs")}) {
    const ProgramRun run = RunShell("culprit " + words);
    EXPECT_EQ(run.exit_code, 4) << words << "\n" << run.err;
    EXPECT_THAT(run.err, HasSubstr(": no space left on device\n")) << words;
  }
}

TEST_F(CliDisk, WhereTemporaryFilesDoNotFitTheErrorSaysHowToMoveThem) {
  const SmallDisk disk(4096);
  if (disk.error() != 0) GTEST_SKIP() << "nothing can be mounted: " << std::strerror(disk.error());
  for (const std::string& words :
       {fmt::format("run {}", kModel),
        fmt::format("hunt {} --fault softmax:accuracy --out {}", kModel, folder_ / "runs")}) {
    const ProgramRun run = RunShell(fmt::format("TMPDIR={} culprit {}", disk.path(), words));
    EXPECT_EQ(run.exit_code, 4) << words << "\n" << run.err;
    EXPECT_THAT(run.err, HasSubstr(": no space left on device\n")) << words;
    EXPECT_THAT(run.err, HasSubstr("help: to keep temporary files elsewhere, set: TMPDIR=DIR\n")) << words;
    EXPECT_EQ(NamesIn(disk.path()), std::set<std::string>{}) << words;
  }
}

// ulimit -f counts blocks of 512 bytes: the memory that processes share fits, the script does not.
TEST_F(CliDisk, AFileThatMayNotGrowIsNoDeath) {
  for (const std::string& words :
       {"convert " + large_ + " --to python --output " + (folder_ / "python"),
        "run " + large_ + " --fault tanh:accuracy --record " + (folder_ / "r.py"),
        "run " + large_ + " --fault tanh:segfault --record " + (folder_ / "r.py")}) {
    const ProgramRun run = RunShell("ulimit -f 40; culprit " + words);
    EXPECT_EQ(run.exit_code, 4) << words << "\n" << run.err;
    EXPECT_THAT(run.err, HasSubstr("ile too large\n")) << words;
  }
  const ProgramRun run =
      RunShell(fmt::format("ulimit -f 1; culprit config --markdown > {}", folder_ / "settings.md"));
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_EQ(run.err, "culprit: error: the output cannot be written: File too large\n");
}

}  // namespace
}  // namespace culprit::tests
