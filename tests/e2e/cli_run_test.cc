// SPDX-License-Identifier: Apache-2.0
//
// culprit run: what it computes, and what it refuses to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/e2e/culprit_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

TEST(CliRun, TheSeedDecidesTheNumbers) {
  const ProgramRun run = Culprit({"run", Script("net.py"), "--seed", "1"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, MatchesRegex(" +output +dtype +sizes +min +max +mean +NaN +Inf\n"
                                    "0  getitem +torch.float32 +\\[2, 4\\] [^\n]* 0 +0\n"
                                    "1  w +torch.float32 +\\[4\\] [^\n]* 0 +0\n"));
  EXPECT_EQ(Culprit({"run", Script("net.py"), "--seed", "1"}).out, run.out);
  EXPECT_NE(Culprit({"run", Script("net.py"), "--seed", "2"}).out, run.out);
}

TEST(CliRun, OutputsForMachines) {
  const ProgramRun run = Culprit({"run", Script("cuda_graph.py"), "--device", "cpu", "--json"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(nlohmann::json::parse(run.out),
            nlohmann::json::parse(R"([{"output": "full", "dtype": "torch.float32",
      "sizes": [2], "nan": 0, "inf": 0, "min": 1.5, "max": 1.5, "mean": 1.5}])"));
}

TEST(CliRun, OtherDevicesAreRefusedUnlessMapped) {
  ExpectRefused({"run", Script("cuda_input.py")},
                "tests/e2e/scripts/cuda_input.py: error: an input is on cuda:0, which this machine lacks\n"
                "  help: to run on the CPU instead, add: --device cpu\n");
  ExpectRefused(
      {"run", Script("cuda_graph.py")},
      "tests/e2e/scripts/cuda_graph.py: error: the graph computes on cuda:1, which this machine lacks\n"
      "  help: to run on the CPU instead, add: --device cpu\n");
  EXPECT_EQ(Culprit({"run", Script("cuda_input.py"), "--device", "cpu"}).exit_code, 0);
}

TEST(CliRun, UnknownInputsAreRefused) {
  ExpectRefused(
      {"run", Script("unknown_inputs.py")},
      "tests/e2e/scripts/unknown_inputs.py: error: the file does not say what its inputs look like\n"
      "  help: add a function load_args(reader), as in examples/01_first_graph/net.py\n");
}

TEST(CliRun, AGraphThatFailsIsAFailure) {
  const ProgramRun run = Culprit({"run", Script("fails.py")});
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err,
            "tests/e2e/scripts/fails.py:4: error: the graph fails in eager mode at 'view = "
            "torch.ops.aten.view.default': shape '[3, 3]' is invalid for input of size 2\n");
}

TEST(CliRun, AnOperatorWithoutAKernelIsAFailureInOneLine) {
  const ProgramRun run = Culprit({"run", Script("no_kernel.py")});
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_EQ(
      run.err,
      "note: the file does not hold the data of x, grid; these are random numbers\n"
      "tests/e2e/scripts/no_kernel.py:3: error: the graph fails in eager mode at 'cudnn_grid_sampler = "
      "torch.ops.aten.cudnn_grid_sampler.default': Could not run 'aten::cudnn_grid_sampler' with arguments "
      "from the 'CPU' backend\n");
}

TEST(CliRun, ABufferWithoutDataIsRefused) {
  const ProgramRun run = Culprit({"run", "tests/fixtures/scripts/buffer_absent.py"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err,
              EndsWith("tests/fixtures/scripts/buffer_absent.py: error: buffer '_tensor_constant0' has no "
                       "data\n"
                       "  help: give it some in __init__: self.register_buffer('_tensor_constant0', "
                       "torch.randn([2, 3]))\n"));
}

TEST(CliRun, TheInputsOfAOTInductorAreInAnotherFile) {
  const ProgramRun run = Culprit({"run", "tests/fixtures/scripts/aoti.py"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err,
              EndsWith("tests/fixtures/scripts/aoti.py: error: the file does not say what its inputs "
                       "look like\n"
                       "  note: they are in '/models/exported_program.pt2', which only PyTorch reads\n"
                       "  help: add a function load_args(reader), as in "
                       "examples/01_first_graph/net.py\n"));
}

// 32 bits for indices and half precision, collectives, random states, sizes without backing.
TEST(CliRun, WhatPeoplePublishRuns) {
  for (const char* name :
       {"int32_and_half", "collectives", "random_states", "unbacked_sizes", "freed_storages", "rounded_sizes",
        "inputs_from_annotations", "empty_load_args", "inputs_with_gradients", "pasted_model"}) {
    const ProgramRun run =
        Culprit({"run", std::string("tests/fixtures/scripts/") + name + ".py", "--backend", "eager"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
  }
}

// Eager would fail, or give other numbers each time.
TEST(CliRun, MadeUpMasksAndPlacesFitWhatIsWrittenThroughThem) {
  const ProgramRun run =
      Culprit({"run", "tests/fixtures/scripts/masked_writes.py", "--backend", "aot-eager", "--times", "3"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
}

// "runs as it is" would say that it was not compiled.
TEST(CliRun, OperatorsOnListsAreCompiled) {
  for (const char* name : {"foreach", "foreach_in_place"}) {
    for (const char* backend : {"eager", "aot-eager", "eager-fp64", "native", "torchscript:graphs=aot"}) {
      const ProgramRun run =
          Culprit({"run", std::string("tests/fixtures/scripts/") + name + ".py", "--backend", backend});
      EXPECT_EQ(run.exit_code, 0) << name << " " << backend << run.out << run.err;
      EXPECT_THAT(run.out, EndsWith("\npasses: the compiled graph does what eager does\n"));
      EXPECT_THAT(run.out, Not(HasSubstr("runs as it is")));
    }
  }
}

TEST(CliRun, WritesIntoListsThatTorchScriptLosesAreNamed) {
  const ProgramRun run =
      Culprit({"run", "tests/fixtures/scripts/foreach_in_place.py", "--backend", "torchscript"});
  EXPECT_EQ(run.exit_code, 5) << run.err;
  EXPECT_THAT(
      run.out,
      EndsWith("invalid: the graph cannot be handed to the compiler: TorchScript cannot call "
               "aten::_foreach_mul_.ScalarList: it leaves out what writes into the tensors of a list; use "
               "graphs=aot, where nothing is written\n"
               "help: to hand over the graph below autograd, use: --backend torchscript:graphs=aot\n"));
}

TEST(CliRun, SymbolsAreSolvedFromTheBytes) {
  const ProgramRun run =
      Culprit({"run", "tests/fixtures/scripts/symbols_from_bytes.py", "--backend", "eager"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, EndsWith("passes: the compiled graph does what eager does\n"));
}

TEST(CliRun, WarningsOfLibtorchAreOneLineEachAndOnce) {
  const ProgramRun run = Culprit({"run", Script("warns.py")});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err,
            "note: the file does not hold the data of x; these are random numbers\n"
            "warning: libtorch: Casting complex values to real discards the imaginary part\n");
}

TEST(CliRun, NumbersThatAreOffAreAFailure) {
  const ProgramRun run = Culprit({"run", Script("cancels.py"), "--accuracy"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.out,
            "   output      dtype          sizes       rule      max abs  max rel         ulp  RMSE  off  "
            "NaN  Inf  tolerance  noise\n"
            "0  outputs[0]  torch.float32  []     OFF  allclose        1        1  1065353216     1    1  "
            "0/0  0/0          1   0.5x\n"
            "  outputs[0][] is 0, and 1 in float64\n"
            "  1 input untouched\n"
            "1 value off.\n");
  EXPECT_EQ(Culprit({"run", Script("cancels.py"), "--accuracy", "--tolerance", "1"}).exit_code, 0);
  EXPECT_EQ(Culprit({"run", Script("cancels.py")}).exit_code, 0);
}

TEST(CliRun, AVerdictForMachines) {
  const ProgramRun run = Culprit({"run", Script("cancels.py"), "--strict-accuracy", "--json"});
  EXPECT_EQ(run.exit_code, 1);
  const auto verdict = nlohmann::json::parse(run.out);
  EXPECT_EQ(verdict["passes"], false);
  EXPECT_EQ(verdict["status"], "different");
  EXPECT_EQ(verdict["tolerance"], 1e-4);
  EXPECT_EQ(verdict["unwritten_inputs"], nlohmann::json::array({"inputs[0]"}));
  EXPECT_EQ(verdict["outputs"][0]["max_abs"], 1);
  EXPECT_EQ(verdict["outputs"][0]["detail"]["worst"]["reference"], 1);
}

TEST(CliRun, GradientsAreJudgedUnlessOnlyTheForwardPassIsWanted) {
  const ProgramRun both = Culprit({"run", Script("gradient.py"), "--accuracy"});
  EXPECT_THAT(both.out, testing::HasSubstr("gradients.inputs[0]"));
  const ProgramRun forward = Culprit({"run", Script("gradient.py"), "--accuracy", "--only-forward"});
  EXPECT_THAT(forward.out, testing::Not(testing::HasSubstr("gradients")));
}

TEST(CliRun, AccuracyHasOneMeaningAtATime) {
  EXPECT_EQ(Culprit({"run", Script("net.py"), "--accuracy", "--no-accuracy"}).exit_code, 2);
  EXPECT_EQ(Culprit({"run", Script("net.py"), "--accuracy", "--fp64"}).exit_code, 2);
}

TEST(CliRun, AGraphThatFailsIsNoVerdictButTheSameFailure) {
  const ProgramRun run = Culprit({"run", Script("fails.py"), "--accuracy"});
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, Culprit({"run", Script("fails.py")}).err);
}

TEST(CliRun, InputsKeepTheirGradness) {
  const ProgramRun run = Culprit({"run", Script("writes_leaf.py")});
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_EQ(run.err,
            "tests/e2e/scripts/writes_leaf.py:3: error: the graph fails in eager mode at 'add_ = "
            "torch.ops.aten.add_.Tensor': a leaf Variable that requires grad is being used in an in-place "
            "operation.\n");
}

TEST(CliRun, OptionsOfAVerdictWithoutOneAreRefused) {
  for (const std::vector<std::string>& option :
       {std::vector<std::string>{"--tolerance", "1"}, {"--calls", "2"}, {"--only-forward"}}) {
    std::vector<std::string> arguments = {"run", Script("gradient.py")};
    arguments.insert(arguments.end(), option.begin(), option.end());
    ExpectRefused(arguments, "culprit run: error: " + option[0] +
                                 " is about judging numbers, which nobody asked for\n"
                                 "  help: add --accuracy or --strict-accuracy\n");
    arguments.emplace_back("--accuracy");
    EXPECT_EQ(Culprit(arguments).exit_code, 0) << option[0];
  }
}

TEST(CliRun, EveryCallIsJudgedOnFreshInputs) {
  const ProgramRun run = Culprit({"run", Script("writes_input.py"), "--accuracy", "--calls", "2"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, MatchesRegex(" +output [^\n]*\n"
                                    "0  calls\\[1\\].outputs\\[0\\] [^\n]*\n"
                                    "1  calls\\[1\\].inputs\\[0\\] [^\n]*\n"
                                    "  the other calls are left out\n"
                                    "  1 input untouched\n"
                                    "The numbers agree with float64.\n"));
}

TEST(CliRun, RoundingOfAShortDtypeIsNoFailureUnlessAskedFor) {
  const ProgramRun run = Culprit({"run", Script("bfloat16.py"), "--accuracy"});
  EXPECT_EQ(run.exit_code, 0) << run.out;
  EXPECT_THAT(run.out,
              testing::HasSubstr("  the tolerance is 0.03125, since the graph computes in torch.bfloat16\n"));
  const ProgramRun exact = Culprit({"run", Script("bfloat16.py"), "--accuracy", "--tolerance", "1e-4"});
  EXPECT_EQ(exact.exit_code, 1);
  EXPECT_THAT(exact.out, testing::Not(testing::HasSubstr("the tolerance is")));
}

TEST(CliRun, AutocastHoldsWhateverTheFileSays) {
  constexpr const char* kFile = "examples/02_real_miscompile/net.py";
  EXPECT_THAT(Culprit({"run", kFile}).out, testing::HasSubstr("0  mm      torch.float32 "));
  EXPECT_THAT(Culprit({"run", kFile, "--autocast"}).out, testing::HasSubstr("0  mm      torch.bfloat16 "));
}

TEST(CliRun, WhatHasNoFloat64CannotBeJudged) {
  ExpectRefused({"run", Script("shares_memory.py"), "--accuracy"},
                "tests/e2e/scripts/shares_memory.py: error: could not generate fp64 outputs: tensors of the "
                "dtypes Float and Int share memory, which they cannot in float64\n");
}

TEST(CliRun, ABackendThatTheFileRecordsHasToExist) {
  const TemporaryFolder folder;
  const std::string file = folder / "net.py";
  WriteWholeFile(file, R"(
culprit = '{"backend": "other:level=3", "expected": {"kind": "crash"}}'
class Repro:
    def forward(self):
        return (1,)
)");
  const ProgramRun run = Culprit({"run", file});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, testing::HasSubstr("error: unknown backend 'other'"));
}

TEST(CliRun, AGraphThatOpensFilesIsRefusedUnlessAskedFor) {
  const TemporaryFolder folder;
  const std::string file = folder / "net.py";
  const std::string data = folder / "data";
  WriteWholeFile(data, "12345678");
  WriteWholeFile(
      file, "class Repro:\n    def forward(self):\n        x = torch.ops.aten.from_file.default('" + data +
                "', size=2)\n        return (x,)\n");
  const ProgramRun run = Culprit({"run", file});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err, file +
                         ":3: error: operator 'aten::from_file' opens a file\n"
                         "  help: if you trust the graph, add: --allow-file-operators\n");
  EXPECT_EQ(Culprit({"run", file, "--allow-file-operators"}).exit_code, 0);
}

TEST(CliRun, AStoreThatIsNotThereIsNamed) {
  const TemporaryFolder folder;
  ExpectRefused({"run", Script("net.py"), "--store", folder / "absent"},
                folder / "absent" + ": error: cannot open the folder: no such file or directory\n");
  const std::string file = folder / "repro.py";
  WriteWholeFile(file, R"(
class Repro:
    def forward(self, x):
        return (x,)
def load_args(reader):
    buf0 = fill(reader.storage(None, 4), stored('0123456789abcdef0123456789abcdef', 4))
    reader.tensor(buf0, (1,))
load_args._version = 0
)");
  ExpectRefused({"run", file},
                folder / "store" +
                    ": error: cannot open the folder: no such file or directory\n"
                    "  help: put the folder with the data there, or name another with: --store DIR\n");
}

}  // namespace
}  // namespace culprit::tests
