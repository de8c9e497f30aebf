// SPDX-License-Identifier: Apache-2.0
//
// Standard streams that are closed, full, or read by nobody.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/e2e/culprit_program.h"
#include "tests/lib/temporary_folder.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

constexpr const char* kModel = "examples/04_model/net.torchscript --inputs f32[1,3,16,16]";
constexpr const char* kNoRoom = "culprit: error: the output cannot be written: No space left on device\n";

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

/// A command that has something to print, and what it exits with.
struct Words {
  std::string words;
  int exit_code = 0;
};

class CliStreams : public testing::Test {
 protected:
  CliStreams() { WriteWholeFile(tanh_, kTanh); }

  /// Of each kind: read in a child, run in children, spawned anew, none of these; that pass and that fail.
  std::vector<Words> Commands() const {
    return {{"graph tests/e2e/scripts/net.py"},
            {"run tests/e2e/scripts/net.py"},
            {"run tests/e2e/scripts/fails.py", 5},
            {"run " + tanh_ + " --fault tanh:segfault", 1},
            {"run " + tanh_ + " --fault tanh:accuracy --times 2", 1},
            {"verify " + tanh_ + " --fault tanh:accuracy --any-failure --times 1"},
            {fmt::format("run {} --json", kModel)},
            {"graph nowhere.py", 2},
            {"hurt", 2},
            {"config --markdown"},
            {"run --help"}};
  }

  TemporaryFolder folder_;
  std::string tanh_ = folder_ / "tanh.py";
};

/// How far it was after so many seconds is not always the same.
std::string WithoutProgress(const std::string& text) {
  return std::regex_replace(text, std::regex("[^\n]*[0-9]+ s\n"), "");
}

TEST_F(CliStreams, ClosedInAnyCombinationTheyAreDoneWithout) {
  constexpr const char* kClosed[] = {" <&-", " >&-", " 2>&-"};
  for (const auto& [words, exit_code] : Commands()) {
    const ProgramRun whole = RunShell("culprit " + words);
    EXPECT_EQ(whole.exit_code, exit_code) << words << "\n" << whole.err;
    for (int mask = 1; mask < 8; ++mask) {
      const bool is_one_or_all = mask == 1 || mask == 2 || mask == 4 || mask == 7;
      if (!is_one_or_all && !FullVolume()) continue;
      std::string command = "timeout 100 culprit " + words;
      for (int i = 0; i < 3; ++i) command += (mask >> i & 1) != 0 ? kClosed[i] : "";
      const ProgramRun run = RunShell(command);
      EXPECT_EQ(run.exit_code, exit_code) << command << "\n" << run.err;
      EXPECT_EQ(run.out, (mask & 2) != 0 ? "" : whole.out) << command;
      EXPECT_EQ(WithoutProgress(run.err), (mask & 4) != 0 ? "" : WithoutProgress(whole.err)) << command;
    }
  }
}

TEST_F(CliStreams, AFullStandardErrorIsDoneWithout) {
  for (const auto& [words, exit_code] : Commands()) {
    const ProgramRun run = RunShell("culprit " + words + " 2>/dev/full");
    EXPECT_EQ(run.exit_code, exit_code) << words;
    EXPECT_EQ(run.out, RunShell("culprit " + words).out) << words;
    EXPECT_EQ(run.err, "") << words;
  }
}

TEST_F(CliStreams, OutputThatCannotBeWrittenIsAnErrorOfEveryCommand) {
  const std::string& net = tanh_;
  for (const std::string& words : {"graph " + net,
                                   "graph --stats " + net,
                                   "graph --json " + net,
                                   "graph --header " + net,
                                   "run " + net,
                                   "run --json " + net,
                                   "run --accuracy " + net,
                                   "run --accuracy --json " + net,
                                   "run --fault tanh:accuracy " + net,
                                   "run --fault tanh:segfault " + net,
                                   "run --fault tanh:accuracy --times 2 " + net,
                                   "query --any-failure --fault tanh:accuracy " + net,
                                   "query --any-failure --fault tanh:accuracy --json " + net,
                                   "verify --any-failure --fault tanh:accuracy --times 1 " + net,
                                   "convert --to python --output " + (folder_ / "converted ") + net,
                                   std::string("run ") + kModel,
                                   std::string("run --json ") + kModel,
                                   std::string("explain ") + kModel,
                                   std::string("explain --json ") + kModel,
                                   std::string("explain --breaks"),
                                   std::string("config"),
                                   std::string("config --json"),
                                   std::string("config --markdown"),
                                   std::string("config repro_level"),
                                   std::string("backends"),
                                   std::string("backends --json"),
                                   std::string("faults"),
                                   std::string("strategies"),
                                   std::string("strategies --json"),
                                   std::string("--help"),
                                   std::string("run --help"),
                                   std::string("--version"),
                                   std::string("")}) {
    const ProgramRun run = RunShell("culprit " + words + " > /dev/full");
    EXPECT_EQ(run.exit_code, 4) << words << "\n" << run.err;
    EXPECT_THAT(run.err, EndsWith(kNoRoom)) << words;
  }
}

TEST_F(CliStreams, WhereNobodyReadsTheOutputItEndsQuietly) {
  for (const auto& [words, exit_code] : Commands()) {
    if (exit_code == 2 || exit_code == 5) continue;
    // The reader is gone before there is anything to read.
    const ProgramRun run = RunShell("{ sleep 0.2; culprit " + words + "; echo \"exit $?\" >&2; } | true");
    EXPECT_THAT(run.err, EndsWith("exit 141\n")) << words;
    EXPECT_THAT(run.err, testing::Not(HasSubstr("cannot be written"))) << words;
  }
}

TEST_F(CliStreams, AClosedStandardInputIsAnErrorForThoseThatReadIt) {
  for (const char* words :
       {"graph -", "run -", "run - --fp64", "run - --fault tanh:accuracy",
        "run - --fault tanh:accuracy --times 2", "query -", "verify -", "minify - --fault tanh:accuracy",
        "hunt - --fault tanh:accuracy", "convert - --to python"}) {
    const ProgramRun run = RunShell(fmt::format("timeout 100 culprit {} <&-", words));
    EXPECT_EQ(run.exit_code, 2) << words;
    EXPECT_EQ(run.err, "<stdin>: error: standard input is closed\n") << words;
    EXPECT_EQ(run.out, "") << words;
  }
}

TEST_F(CliStreams, AStandardInputThatCannotBeReadIsAnError) {
  const ProgramRun run = RunShell("culprit graph - < " + folder_.path());
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err, "<stdin>: error: cannot be read: Is a directory\n");
}

TEST_F(CliStreams, WhatIsWrittenIsNotReadFirst) {
  // Whoever opens the pipe waits for a writer.
  const ProgramRun run = RunShell("cd " + folder_.path() + " && mkfifo pipe && timeout 100 culprit run " +
                                  tanh_ + " --fault tanh:accuracy --record pipe");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, EndsWith("pipe: error: is a device or pipe, where a file is to be written\n"));
  EXPECT_TRUE(std::filesystem::is_fifo(folder_ / "pipe"));
}

}  // namespace
}  // namespace culprit::tests
