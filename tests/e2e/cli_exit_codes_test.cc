// SPDX-License-Identifier: Apache-2.0
//
// Who is to blame, in one number: 1 the compiler, 2 the command line or the file, 4 the machine, 5 the
// program itself, which eager does not run.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/e2e/culprit_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

using testing::HasSubstr;

constexpr const char* kRaises =
    "def f(x: Tensor) -> Tensor:\n"
    "    y = torch.sin(x)\n"
    "    if x.size(0) > 1:\n"
    "        raise ValueError('too many rows')\n"
    "    return y\n";

class CliExitCodes : public testing::Test {
 protected:
  int CodeOf(const std::string& words) const {
    const ProgramRun run = RunShell(fmt::format("culprit {}", words));
    last_error_ = run.err;
    return run.exit_code;
  }

  TemporaryFolder folder_;
  mutable std::string last_error_;
};

TEST_F(CliExitCodes, WhereEagerItselfFailsThereIsNothingToCompareWith) {
  const std::string fails = Script("fails.py");
  const std::string out = " --out " + (folder_ / "runs");
  EXPECT_EQ(CodeOf("run " + fails), 5) << last_error_;
  EXPECT_EQ(CodeOf("run --accuracy " + fails), 5) << last_error_;
  EXPECT_EQ(CodeOf("run --fp64 " + fails), 5) << last_error_;
  EXPECT_EQ(CodeOf("run --backend aot-eager " + fails), 5) << last_error_;
  EXPECT_EQ(CodeOf("run --backend aot-eager --json " + fails), 5) << last_error_;
  EXPECT_EQ(CodeOf("run --backend aot-eager --times 2 " + fails), 5) << last_error_;
  EXPECT_EQ(CodeOf("verify --backend aot-eager --times 2 " + fails), 5) << last_error_;
  EXPECT_EQ(CodeOf("hunt --backend aot-eager " + fails + out), 5) << last_error_;
  EXPECT_EQ(CodeOf("minify --backend aot-eager " + fails + out), 5) << last_error_;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "runs"));
  // Reducers take every other code but 0 for a broken test.
  EXPECT_EQ(CodeOf("query --backend aot-eager " + fails), 1) << last_error_;
}

TEST_F(CliExitCodes, AModelThatThrowsIsNoFailureOfACompiler) {
  const std::string model = folder_ / "raises.py";
  WriteWholeFile(model, kRaises);
  const std::string words = model + " --inputs f32[2]";
  EXPECT_EQ(CodeOf("explain " + words), 5) << last_error_;
  EXPECT_EQ(CodeOf("run " + words), 5) << last_error_;
  EXPECT_EQ(CodeOf("run --backend torchscript " + words), 5) << last_error_;
  EXPECT_EQ(CodeOf("hunt --backend torchscript " + words + " --out " + (folder_ / "runs")), 5) << last_error_;
  // The graph in front of it may still show a failure.
  EXPECT_EQ(CodeOf("run --fault sin:accuracy " + words), 1) << last_error_;
  EXPECT_EQ(CodeOf("hunt --fault sin:accuracy " + words + " --out " + (folder_ / "runs")), 1) << last_error_;
}

constexpr const char* kHuge =
    "class Repro(torch.nn.Module):\n"
    "    def forward(self, x):\n"
    "        expand = torch.ops.aten.expand.default(x, [1125899906842624])\n"
    "        tanh = torch.ops.aten.tanh.default(expand)\n"
    "        return (tanh,)\n"
    "\n"
    "def load_args(reader):\n"
    "    buf0 = reader.storage(None, 4)\n"
    "    reader.tensor(buf0, (1,), is_leaf=True)  # x\n"
    "load_args._version = 0\n";

TEST_F(CliExitCodes, MemoryThatDoesNotSufficeIsTheMachines) {
  const std::string huge = folder_ / "huge.py";
  WriteWholeFile(huge, kHuge);
  EXPECT_EQ(CodeOf("run " + huge), 4) << last_error_;
  EXPECT_EQ(CodeOf("run --accuracy " + huge), 4) << last_error_;
  EXPECT_EQ(CodeOf("run --backend aot-eager " + huge), 4) << last_error_;
  EXPECT_EQ(CodeOf("hunt --backend aot-eager " + huge + " --out " + (folder_ / "runs")), 4) << last_error_;
}

TEST_F(CliExitCodes, TooFewDescriptorsAreTheMachines) {
  const ProgramRun run = RunShell("ulimit -n 7; culprit graph " + Script("net.py"));
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.err, HasSubstr(": Too many open files\n"));
}

}  // namespace
}  // namespace culprit::tests
