// SPDX-License-Identifier: Apache-2.0
//
// What a hunt leaves behind, in the hands of plain Python: without Culprit the repro shows the failure, where
// Python can call the compiler.
#include "tests/e2e/cli_hunt.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

struct RealBug {
  const char* name;
  const char* backend;
  /// What Python prints of it.
  const char* shown;
};

/// All of tests/fixtures/real_bugs that fail with this libtorch.
constexpr RealBug kRealBugs[] = {
    {"bool_times_one", "torchscript:stage=plain",
     "outputs[0] of call 1: dtype is torch.bool, not torch.int64"},
    {"conv_avg_pool", "torchscript:stage=ofi", "outputs[0] of call 1: "},
    {"conv_scaled_add", "torchscript:stage=ofi", "] of call 1: "},
    {"pytorch_140101", "torchscript:stage=plain", "gradients.inputs[0] of call 2: "},
    {"pytorch_86597", "torchscript:stage=nnc", "outputs[0] of call 2: "},
    {"pytorch_92563", "torchscript:stage=ofi", "INTERNAL ASSERT FAILED"},
    {"pytorch_92740", "torchscript:stage=ofi", "should be the same"},
};

/// Every second one, of all stages, in a sample: each starts Python, which takes seconds.
std::vector<RealBug> ChosenBugs() {
  std::vector<RealBug> chosen;
  for (size_t i = 0; i < std::size(kRealBugs); i += FullVolume() ? 1 : 2) chosen.push_back(kRealBugs[i]);
  return chosen;
}

std::string FixtureOf(const std::string& name) {
  return "tests/fixtures/real_bugs/" + name + ".py";
}

class CliHuntPython : public CliHunt {};
class CliHuntRealBugs : public CliHunt, public testing::WithParamInterface<RealBug> {};

INSTANTIATE_TEST_SUITE_P(Bugs, CliHuntRealBugs, testing::ValuesIn(ChosenBugs()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(CliHuntRealBugs, TheReproShowsTheFailureInPlainPython) {
  const ProgramRun hunt =
      Hunt({"hunt", FixtureOf(GetParam().name), "--backend", GetParam().backend, "--no-switches"});
  ASSERT_EQ(hunt.exit_code, 1) << hunt.out << hunt.err;
  EXPECT_THAT(hunt.out, HasSubstr("without Culprit: python3 "));
  const ProgramRun python = RunProgram({CULPRIT_PYTHON, repro()});
  EXPECT_EQ(python.exit_code, 1) << python.out << python.err;
  EXPECT_THAT(python.out + python.err, HasSubstr(GetParam().shown));
  // It is data for Culprit all the same.
  EXPECT_EQ(Culprit({"verify", repro()}).exit_code, 0);
}

/// What libtorch has mended, and what is none of its bugs.
TEST_F(CliHuntPython, AReproOfWhatPassesPassesInPlainPython) {
  for (const char* name : {"conv_hardswish", "pytorch_86527"}) {
    const std::string folder = folder_ / name;
    const std::string script = folder_ / (std::string(name) + ".py");
    // With a header that names the compiler.
    std::string text = ReadWholeFile(FixtureOf(name));
    text.insert(text.find("class Repro"), "culprit = '{\"backend\": \"torchscript:stage=ofi\"}'\n");
    WriteWholeFile(script, text);
    ASSERT_EQ(Culprit({"convert", script, "--to", "python", "--output", folder}).exit_code, 0);
    const ProgramRun python = RunProgram({CULPRIT_PYTHON, folder + "/repro.py"});
    EXPECT_EQ(python.exit_code, 0) << python.out << python.err;
    EXPECT_EQ(python.out, "passes: in 3 calls the compiled program does what eager does\n");
  }
}

TEST_F(CliHuntPython, WhereTheCompilerCannotBeCalledItRunsInEagerAndSaysHowToSeeTheFailure) {
  Hunt({"hunt", net_, "--fault", "tanh:accuracy"});
  const ProgramRun python = RunProgram({CULPRIT_PYTHON, repro()});
  EXPECT_EQ(python.exit_code, 0) << python.err;
  EXPECT_THAT(python.out, StartsWith("outputs[0] = tensor("));
  EXPECT_THAT(python.out,
              testing::EndsWith("\nThis was eager, without the compiler. To see the failure, run: "
                                "culprit run repro.py\n"));
}

TEST_F(CliHuntPython, ConstantsOfAProgramAreConstantsInPythonToo) {
  WriteWholeFile(net_, R"(import torch
class Repro(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('c', torch.tensor([True, False]))
    def forward(self, x):
        c = self.c
        mul = torch.ops.aten.mul.Tensor(c, 1)
        add = torch.ops.aten.add.Tensor(mul, x)
        return (add,)

def load_args(reader):
    buf0 = reader.storage(None, 2)
    reader.tensor(buf0, (2,), dtype=torch.bool, is_leaf=True)  # x
load_args._version = 0
)");
  const ProgramRun hunt = Hunt({"hunt", net_, "--backend", "torchscript:stage=plain", "--skip", "unfreeze"});
  ASSERT_EQ(hunt.exit_code, 1) << hunt.out << hunt.err;
  const ProgramRun python = RunProgram({CULPRIT_PYTHON, repro()});
  EXPECT_EQ(python.exit_code, 1) << python.out << python.err;
  EXPECT_THAT(python.out, HasSubstr("dtype is torch.bool, not torch.int64"));
}

}  // namespace
}  // namespace culprit::tests
