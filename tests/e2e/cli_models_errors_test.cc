// SPDX-License-Identifier: Apache-2.0
//
// Models that cannot be opened, programs that do not end well, and what is said about them.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/e2e/cli_models.h"

namespace culprit::tests {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

TEST_F(CliModels, AMarkThatMakesNoSenseIsAnError) {
  const ProgramRun run = Culprit({"explain", functions_, "--method", "rows", "--inputs", "f32[?1]"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err,
            "--inputs:1:5: error: a size that differs from call to call is 2 or more, not 1\n"
            "    f32[?1]\n"
            "        ^\n");
}

TEST_F(CliModels, GraphsThatAreThereAlreadyAreNotOverwritten) {
  const std::string graphs = folder_ / "graphs";
  ASSERT_EQ(Explain("steps", "f32[2]=1", {"--graphs", graphs}).exit_code, 0);
  const std::string first = graphs + "/functions_0_captured.py";
  WriteWholeFile(first, "mine");
  const ProgramRun run = Explain("steps", "f32[2]=1", {"--graphs", graphs});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, StartsWith(first + ": error: exists already\n"
                                          "  help: to write to another folder, use: --graphs DIR\n"));
  EXPECT_EQ(ReadWholeFile(first), "mine");
}

TEST_F(CliModels, AModelCannotComeFromAPipe) {
  const ProgramRun run = RunShell("cat " + functions_ + " | culprit explain - --inputs f32[2]");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err,
            "-: error: models are read from files, and this is none\n  help: write it to a file first\n");
}

TEST_F(CliModels, AProgramThatThrowsIsShownUpToThere) {
  const ProgramRun run = Explain("raises", "f32[2]");
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_THAT(run.out, HasSubstr("break B06: the program raises an exception (too many rows)"));
  EXPECT_THAT(run.err,
              StartsWith(Named("FILE: error: the program throws: builtins.ValueError: too many rows\n"
                               "  note: the whole message:\n")));
  EXPECT_EQ(Culprit({"run", functions_, "--method", "raises", "--inputs", "f32[2]"}).exit_code, 5);
}

TEST_F(CliModels, WrongArgumentsAreRefused) {
  const std::string help =
      "  help: give each argument with an option of its own, as in: --inputs f32[1,3,224,224]\n";
  ExpectRefused(
      {"explain", functions_, "--method", "steps"},
      Named("FILE: error: steps: it takes 2 arguments (x: Tensor, n: int), and 0 are given\n") + help);
  ExpectRefused({"run", functions_, "--method", "raises", "--inputs", "f32[2]", "--inputs", "3"},
                Named("FILE: error: raises: it takes 1 argument (x: Tensor), and 2 are given\n") + help);
  ExpectRefused({"hunt", functions_, "--method", "steps", "--inputs", "f32[2]", "--inputs", "ns=3",
                 "--backend", "eager"},
                Named("FILE: error: steps: there is no argument 'ns', did you mean 'n'?\n") + help);
  ExpectRefused({"explain", functions_, "--method", "stpes", "--inputs", "f32[2]"},
                Named("FILE: error: there is no function 'stpes', did you mean 'steps'?\n"
                      "  note: there are: helper, steps, raises, rows, endless, takes_list\n"));
  ExpectRefused({"explain"},
                "culprit explain: error: MODEL is required\n"
                "  help: name one, as in: culprit explain net.pt --inputs f32[1,3,224,224]\n");
  ExpectRefused(
      {"hunt", functions_, "--inputs", "f32[2]"},
      Named("FILE: error: names no compiler, so there is nothing to hunt in\n"
            "  help: name one, as in: --backend torchscript:stage=ofi; `culprit backends` lists them\n"));
}

TEST_F(CliModels, FilesThatAreNoModelsAreRefused) {
  EXPECT_EQ(Refused("cut.pt", "PK\x03\x04 and no end"),
            "cut.pt: error: is a zip archive without its end: the file is cut off\n");
  EXPECT_EQ(
      Refused("old.pt", "\x80\x02}."),
      "old.pt: error: is a pickle of Python, where a TorchScript model is expected\n"
      "  help: in Python, save the program with its weights: torch.jit.script(model).save('model.pt')\n");
  EXPECT_EQ(Refused("empty.pt", ""), "empty.pt: error: the file is empty\n");
  EXPECT_EQ(Refused("text.py", "hello world\n"),
            "text.py:1:1: error: cannot be compiled: expected def but found 'ident' here\n"
            "    hello world\n    ^\n");
  ExpectRefused({"explain", "no/such.pt"}, "no/such.pt: error: cannot open it: no such file or directory\n");
  ExpectRefused({"explain", "src"}, "src: error: is a folder where a file is expected\n");
}

TEST_F(CliModels, TensorsWithoutAProgramAreRefused) {
  const std::string saved = folder_ / "state.pt";
  ASSERT_EQ(RunProgram({CULPRIT_PYTHON, "-c",
                        "import torch; torch.save(torch.nn.Linear(2, 2).state_dict(), '" + saved + "')"})
                .exit_code,
            0);
  const std::string error =
      saved +
      ": error: holds tensors, but no program\n"
      "  help: in Python, save the program with its weights: torch.jit.script(model).save('model.pt')\n";
  ExpectRefused({"explain", saved, "--inputs", "f32[2]"}, error);
  ExpectRefused({"run", saved}, error);
  ExpectRefused({"hunt", saved, "--backend", "torchscript:stage=ofi"}, error);
}

TEST_F(CliModels, AProgramThatHangsIsEnded) {
  const ProgramRun run = Explain("endless", "f32[2]", {"--timeout", "1"});
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_EQ(run.err,
            Named("FILE: error: its process died in capturing endless: took more than 1 s of wall time\n"
                  "  help: to give it more time, use: --timeout SECONDS\n"));
}

TEST_F(CliModels, ACrashIsAFinding) {
  // Libtorch's parser runs out of stack.
  WriteWholeFile(functions_, "def f(x: Tensor) -> Tensor:\n    return " + std::string(300000, '(') + "x\n");
  const ProgramRun run = Culprit({"explain", functions_, "--inputs", "f32[2]", "--json"});
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.err, StartsWith(Named("FILE: error: its process died in loading the model: SIGSEGV, stack "
                                        "overflow, in ")));
  const json found = json::parse(run.out);
  EXPECT_EQ(found.at("died").at("phase"), "loading the model");
}

TEST_F(CliModels, ACrashInAGraphNamesTheOperatorAndItsLine) {
  // Libtorch writes where the indices say.
  WriteWholeFile(functions_,
                 "def f(x: Tensor, y: Tensor) -> Tensor:\n    x = x * 1099511627776\n"
                 "    return torch._convert_indices_from_csr_to_coo(x, y)\n");
  const ProgramRun run = Culprit({"explain", functions_, "--inputs", "i64[2]=[0,1]", "--inputs", "i64[3]"});
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_THAT(run.err, HasSubstr("in running aten::_convert_indices_from_csr_to_coo in "));
  EXPECT_THAT(run.err, HasSubstr(":3: SIGSEGV"));
}

}  // namespace
}  // namespace culprit::tests
