// SPDX-License-Identifier: Apache-2.0
//
// The program as its users meet it: what it prints, where, and its exit codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/e2e/culprit_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

TEST(Cli, WithoutACommandHelpIsShownAsAnError) {
  const ProgramRun run = Culprit({});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out, Culprit({"--help"}).out);
}

TEST(Cli, VersionNamesWhatItComputesWith) {
  const ProgramRun run =
      Culprit({"--version"}, {{"OMP_WAIT_POLICY", std::nullopt}, {"OMP_NUM_THREADS", "1"}});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, MatchesRegex("culprit [0-9.]+\n"
                                    "PyTorch  2\\.13\\.[0-9]+ in /[^\n]*/torch\n"
                                    "BLAS     MKL [0-9.]+, oneDNN [0-9.]+\n"
                                    "CPU      [^\n]*, kernels for [A-Z0-9 ]+\n"
                                    "threads  1, OpenMP wait policy passive\n"));
}

TEST(Cli, LlvmAndFmtAreInTheProgramItself) {
  const ProgramRun run =
      RunProgram({"/usr/bin/readelf", "--dynamic", "--dyn-syms", "--wide", CULPRIT_PROGRAM});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("[libtorch_cpu.so]"));
  EXPECT_THAT(run.out, Not(ContainsRegex("\\[lib(LLVM|fmt)")));
  // Its symbols are hidden, so that they meet no other LLVM of the process.
  EXPECT_THAT(run.out, Not(HasSubstr("_ZN4llvm")));
}

TEST(Cli, UnknownCommandsAndOptionsNameTheNearest) {
  ExpectRefused({"grpah", Script("net.py")},
                "culprit: error: unknown command 'grpah', did you mean 'graph'?\n"
                "  help: to see all commands, run: culprit --help\n");
  ExpectRefused({"run", Script("net.py"), "--sed", "1"},
                "culprit run: error: unknown option '--sed', did you mean '--seed'?\n"
                "  help: to see its options, run: culprit run --help\n");
}

TEST(Cli, WrongUsageSaysWhatIsWrong) {
  ExpectRefused({"graph"},
                "culprit graph: error: FILE is required\n"
                "  help: to see its options, run: culprit graph --help\n");
  ExpectRefused({"graph", Script("net.py"), "other.py"},
                "culprit graph: error: unexpected argument 'other.py'\n"
                "  help: to see its options, run: culprit graph --help\n");
}

void ExpectWrongOption(const std::string& option, const std::string& value, const std::string& message) {
  ExpectRefused({"run", Script("net.py"), option, value},
                "culprit run: error: " + message + "\n  help: to see its options, run: culprit run --help\n");
}

TEST(Cli, WrongNumbersSayWhatIsWanted) {
  for (const char* wrong : {"-1", "0", "99999999999999999999", "abc", "1.5", ""}) {
    ExpectWrongOption("--which", wrong,
                      std::string("--which must be an integer from 1 to 4294967295, not '") + wrong + "'");
  }
  for (const char* wrong : {"-1", "18446744073709551616", "abc"}) {
    ExpectWrongOption(
        "--seed", wrong,
        std::string("--seed must be an integer from 0 to 18446744073709551615, not '") + wrong + "'");
  }
}

TEST(Cli, WrongDevicesNameTheNearest) {
  ExpectWrongOption("--device", "cpu:1", "there is one CPU: write 'cpu', not 'cpu:1'");
  ExpectWrongOption("--device", "gpu", "unknown device 'gpu', did you mean 'cuda'?");
  ExpectWrongOption("--device", "gpu:1", "unknown device 'gpu:1', did you mean 'cuda:1'?");
  ExpectWrongOption("--device", "cdua", "unknown device 'cdua', did you mean 'cuda'?");
  ExpectWrongOption("--device", "", "unknown device ''");
}

TEST(Cli, FilesThatCannotBeReadSayWhy) {
  ExpectRefused({"graph", "missing.py"}, "missing.py: error: cannot be opened: No such file or directory\n");
  ExpectRefused({"graph", "tests"},
                "tests: error: is a folder, where a script with a graph is expected\n"
                "  help: name a file in it\n");
  ExpectRefused({"graph", ""},
                "culprit graph: error: FILE is an empty name\n"
                "  help: to see its options, run: culprit graph --help\n");
}

TEST(Cli, ADashIsStandardInput) {
  const ProgramRun run = RunShell("culprit graph - < tests/e2e/scripts/net.py");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, Culprit({"graph", Script("net.py")}).out);
  EXPECT_EQ(RunShell("echo 'class' | culprit graph -").err,
            "<stdin>: error: there is no graph in this file\n"
            "  note: a graph is a class with a method 'forward', as PyTorch's repro scripts have it\n");
  EXPECT_EQ(RunShell("culprit graph - < /dev/zero").err,
            "<stdin>: error: larger than the limit of 256.0 MiB\n");
}

TEST(Cli, OutputThatCannotBeWrittenIsAnError) {
  const ProgramRun run =
      RunProgram({"/bin/sh", "-c", CULPRIT_PROGRAM " graph tests/e2e/scripts/net.py > /dev/full"});
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_EQ(run.err, "culprit: error: the output cannot be written: No space left on device\n");
}

TEST(CliGraph, PrintsTheNormalForm) {
  const ProgramRun run = Culprit({"graph", Script("net.py")});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run.out, R"(import math

import torch


class Repro(torch.nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, w):
        add = torch.ops.aten.add.Tensor(x, w)
        getitem, dropout = torch.ops.aten.native_dropout.default(add, 0.5, True)
        return (getitem, w)


def load_args(reader):
    buf0 = reader.storage(None, 32)
    reader.tensor(buf0, (2, 4))  # x
    buf1 = reader.storage(None, 16)
    reader.tensor(buf1, (4,))  # w
load_args._version = 0

mod = Repro()
)");
}

TEST(CliGraph, StatisticsForPeople) {
  const ProgramRun run = Culprit({"graph", Script("net.py"), "--stats"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, R"(operators     2 (2 different, longest chain 2)
builtins      0
random        1
in place      0
placeholders  2 inputs, 0 parameters, 0 buffers
constants     0 (0 B)
outputs       2
unused        1 value
hash          8e9e6b0c94198e66ea1a7c9454672803

     1  aten::add.Tensor
     1  aten::native_dropout
)");
}

TEST(CliGraph, StatisticsForMachines) {
  const ProgramRun run = Culprit({"graph", Script("net.py"), "--json"});
  EXPECT_EQ(run.exit_code, 0);
  const nlohmann::json json = nlohmann::json::parse(run.out);
  EXPECT_EQ(json["operators"], 2);
  EXPECT_EQ(json["calls_by_operator"]["aten::add.Tensor"], 1);
  EXPECT_EQ(json["hash"], "8e9e6b0c94198e66ea1a7c9454672803");
}

TEST(CliGraph, OneOfSeveralIsChosen) {
  ExpectRefused({"graph", Script("two_graphs.py")},
                "tests/e2e/scripts/two_graphs.py: error: there are 2 graphs in this file\n"
                "  note: graph 1: First at line 1\n"
                "  note: graph 2: Second at line 5\n"
                "  help: choose one with --which N\n");
  EXPECT_THAT(Culprit({"graph", Script("two_graphs.py"), "--which", "2"}).out, HasSubstr("return (2,)\n"));
}

TEST(Cli, BehindTwoDashesAFileMayBeginWithADash) {
  const TemporaryFolder folder;
  std::filesystem::copy_file(Script("net.py"), folder / "-net.py");
  for (const char* words : {"graph --", "run --", "run --backend eager --", "hunt --backend eager --"}) {
    const ProgramRun run = RunShell("cd " + folder.path() + " && culprit " + words + " -net.py");
    EXPECT_EQ(run.exit_code, 0) << words << run.err;
  }
}

}  // namespace
}  // namespace culprit::tests
