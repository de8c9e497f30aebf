// SPDX-License-Identifier: Apache-2.0
//
// Options of the native compiler from the shell: they travel with a repro.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/culprit_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

/// relu(x * rsqrt(v + 1)), where v is a buffer.
constexpr const char* kScaled =
    "class Repro(torch.nn.Module):\n"
    "    placeholder_kinds = {'v': 'buffer'}\n"
    "    def forward(self, x, v):\n"
    "        add = torch.ops.aten.add.Tensor(v, 1)\n"
    "        rsqrt = torch.ops.aten.rsqrt.default(add)\n"
    "        mul = torch.ops.aten.mul.Tensor(x, rsqrt)\n"
    "        relu = torch.ops.aten.relu.default(mul)\n"
    "        return (relu,)\n"
    "\n"
    "def load_args(reader):\n"
    "    buf0 = fill(reader.storage(None, 8), torch.tensor([0.3, 1.1], dtype=torch.float32))\n"
    "    reader.tensor(buf0, (2,), is_leaf=True)  # x\n"
    "    buf1 = fill(reader.storage(None, 8), torch.tensor([3.0, 8.0], dtype=torch.float32))\n"
    "    reader.tensor(buf1, (2,), is_leaf=True)  # v\n"
    "load_args._version = 0\n";

class CliNativeTest : public testing::Test {
 protected:
  CliNativeTest() { WriteWholeFile(script_, kScaled); }

  TemporaryFolder folder_;
  const std::string script_ = folder_ / "scaled.py";
  const std::string repro_ = folder_ / "recorded/repro.py";
};

TEST_F(CliNativeTest, FrozenParametersAreNamed) {
  const ProgramRun run = Culprit({"run", script_, "--backend", "native:parameters=frozen"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, EndsWith("passes: the compiled graph does what eager does\n"));
  EXPECT_EQ(run.err, "note: 1 input frozen as a parameter: v; to choose others, use --freeze NAMES\n");
}

TEST_F(CliNativeTest, AReproKeepsThemFrozen) {
  const ProgramRun run = Culprit({"run", script_, "--backend", "native:parameters=frozen", "--fault",
                                  "relu:accuracy", "--record", repro_});
  EXPECT_EQ(run.exit_code, 1) << run.err;
  const std::string text = ReadWholeFile(repro_);
  EXPECT_THAT(text, HasSubstr("native:parameters=frozen"));
  EXPECT_THAT(text, HasSubstr("placeholder_kinds = {'v': 'buffer'}"));
  const ProgramRun query = Culprit({"query", repro_});
  EXPECT_EQ(query.exit_code, 0) << query.out << query.err << "the failure is there again";
}

TEST_F(CliNativeTest, AReproOfThemIsMadeSmaller) {
  Culprit({"run", script_, "--backend", "native:parameters=frozen", "--fault", "relu:accuracy", "--record",
           repro_});
  const ProgramRun run = Culprit({"minify", repro_, "--out", folder_ / "runs"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("relu = aten::relu"));
}

TEST_F(CliNativeTest, AnotherWordForParametersIsRefused) {
  const ProgramRun run = Culprit({"run", script_, "--backend", "native:parameters=constant"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("is one of lifted, frozen, not 'constant'"));
}

TEST_F(CliNativeTest, AFolderThatIsNamedHasToBeOneThatCanBeWritten) {
  const ProgramRun run = Culprit({"run", script_, "--backend", "native:cache_folder=/dev/null"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(
      run.err,
      "backend 'native': error: nothing can be kept in cache_folder '/dev/null': cannot make the folder: not "
      "a directory\n"
      "  help: name another folder, or keep nothing: cache=off\n");
}

}  // namespace
}  // namespace culprit::tests
