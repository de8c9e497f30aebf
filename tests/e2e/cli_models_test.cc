// SPDX-License-Identifier: Apache-2.0
//
// TorchScript models from the shell: culprit explain, and run.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/e2e/culprit_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kNet = "examples/04_model/net.torchscript";
constexpr const char* kImage = "f32[1,3,16,16]";

constexpr const char* kFunctions = R"(def helper(x: Tensor) -> Tensor:
    return torch.sin(x) + 1
def steps(x: Tensor, n: int = 2) -> Tensor:
    y = helper(x) * n
    if bool(y.sum() > 0):
        y = torch.exp(y)
    print('two')
    return torch.cos(y)
def raises(x: Tensor) -> Tensor:
    y = torch.sin(x)
    if x.size(0) > 1:
        raise ValueError("too many rows")
    return y
def rows(x: Tensor) -> int:
    return x.size(0)
def endless(x: Tensor) -> Tensor:
    i = 0
    while i >= 0:
        i = 1
    return x
def takes_list(xs: List[Tensor]) -> Tensor:
    return torch.cat(xs)
)";

std::string WithoutTimes(const std::string& text) {
  return std::regex_replace(std::regex_replace(text, std::regex("[0-9.]+ ms"), "# ms"),
                            std::regex("[0-9]+ threads?"), "# threads");
}

class CliModels : public testing::Test {
 protected:
  CliModels() { WriteWholeFile(functions_, kFunctions); }

  /// Of one of the functions above.
  ProgramRun Explain(const std::string& method, const std::string& input,
                     const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"explain", functions_, "--method", method, "--inputs", input};
    words.insert(words.end(), more.begin(), more.end());
    return Culprit(words);
  }
  std::string Named(const std::string& text) const {
    return std::regex_replace(text, std::regex("FILE"), functions_);
  }
  /// What is refused, with the name of the file left out.
  std::string Refused(const std::string& name, const std::string& contents) const {
    WriteWholeFile(folder_ / name, contents);
    const ProgramRun run = Culprit({"explain", folder_ / name, "--inputs", "f32[2]"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, "");
    return run.err.substr(std::min(run.err.size(), folder_.path().size() + 1));
  }

  TemporaryFolder folder_;
  std::string functions_ = folder_ / "functions.py";
};

TEST_F(CliModels, ExplainShowsGraphsGuardsAndBreaks) {
  const ProgramRun run = Explain("steps", "f32[2]=1");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "note: the model printed:\n  two\n");
  EXPECT_EQ(WithoutTimes(run.out), Named(R"(functions.steps: 3 graphs, 7 operators, 2 breaks

graph 1: functions_0_captured, 5 operators, 1 input, 2 outputs; captured in # ms
  holds if grad mode is off, # threads, default dtype Float
    and x is a Float tensor of [2] with strides [1]
    and n is 2
  break B02: a branch depends on the numbers of a tensor (aten::Bool)
    FILE:5 in steps
      if bool(y.sum() > 0):
    hint: Compute both sides and choose with torch.where, or decide from sizes instead.

graph 2: functions_1_captured, 1 operator, 1 input, 1 output; captured in # ms
  holds if grad mode is off, # threads, default dtype Float
    and a temporary is True
    and y is a Float tensor of [2] with strides [1]
  break B04: the program prints (prim::Print)
    FILE:7 in steps
      print('two')
    hint: Remove the print from code that runs often.

graph 3: functions_2_captured, 1 operator, 1 input, 1 output; captured in # ms
  holds if grad mode is off, # threads, default dtype Float
    and y is a Float tensor of [2] with strides [1]
  ends with the program
)"));
}

constexpr const char* kSized = R"(def forward(x: Tensor, w: Tensor) -> Tensor:
    if x.size(0) > 2:
        x = x * 2
    rows = 0
    for i in range(w.size(0)):
        rows = rows + 1
    return torch.matmul(x.view([x.size(0) * 2, -1]), w) + rows
)";

TEST_F(CliModels, ExplainShowsSymbolsConditionsAndFixedSizes) {
  WriteWholeFile(functions_, kSized);
  const std::vector<std::string> words = {"explain",   functions_, "--inputs",
                                          "f32[?8,6]", "--inputs", "f32[?3,4]"};
  const ProgramRun run = Culprit(words);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(
      WithoutTimes(run.out),
      HasSubstr(Named("    and x is a Float tensor of [s0, 6] without gaps, dimensions in the order [0, 1]\n"
                      "    and w is a Float tensor of [3, 4] with strides [4, 1]\n"
                      "    and s0 > 2, from FILE:2\n"
                      "  w.size(0) is fixed to 3: ")));
  std::vector<std::string> as_json = words;
  as_json.emplace_back("--json");
  const json graph = json::parse(Culprit(as_json).out).at("graphs").at(0);
  EXPECT_EQ(graph.at("symbols").dump(), "{\"s0\":[\"x.size(0)\"]}");
  EXPECT_EQ(graph.at("size_conditions"), json::array({Named("s0 > 2, from FILE:2")}));
  EXPECT_EQ(graph.at("fixed_sizes").size(), 1);
}

TEST_F(CliModels, SizesAreFixedIfThatIsSet) {
  WriteWholeFile(functions_, kSized);
  const ProgramRun run = Culprit({"explain", functions_, "--inputs", "f32[?8,6]", "--inputs", "f32[3,4]"},
                                 {{"CULPRIT_DYNAMIC_SIZES", "off"}});
  EXPECT_THAT(run.out, HasSubstr("and x is a Float tensor of [8, 6] with strides [6, 1]\n"));
}

TEST_F(CliModels, AMarkThatMakesNoSenseIsAnError) {
  const ProgramRun run = Culprit({"explain", functions_, "--method", "rows", "--inputs", "f32[?1]"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err,
            "--inputs:1:5: error: a size that differs from call to call is 2 or more, not 1\n"
            "    f32[?1]\n"
            "        ^\n");
}

TEST_F(CliModels, ExplainShowsEveryInstructionWhenAskedFor) {
  EXPECT_THAT(Explain("steps", "f32[2]=1").out, Not(HasSubstr("OP aten::sin")));
  EXPECT_THAT(Explain("steps", "f32[2]=1", {"--log"}).out, ContainsRegex("\nhelper [0-9]+: OP aten::sin\n"));
}

TEST_F(CliModels, ExplainAsJsonHasTheSame) {
  const ProgramRun run = Explain("steps", "f32[2]=1", {"--json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const json explained = json::parse(run.out);
  EXPECT_EQ(explained.at("model"), "functions");
  EXPECT_EQ(explained.at("method"), "steps");
  EXPECT_EQ(explained.at("counters"),
            json::parse(R"({"graphs": 3, "operators": 7, "breaks": {"B02": 1, "B04": 1},
      "inlined_calls": 1, "recaptures": 0, "as_written": 0, "fallbacks": 0})"));
  EXPECT_EQ(explained.at("failure"), nullptr);
  const json& graph = explained.at("graphs").at(0);
  EXPECT_EQ(graph.at("name"), "functions_0_captured");
  EXPECT_EQ(graph.at("operators"), 5);
  EXPECT_EQ(graph.at("break").at("code"), "B02");
  EXPECT_EQ(graph.at("break").at("line"), 5);
  EXPECT_EQ(graph.at("break").at("source"), "if bool(y.sum() > 0):");
  EXPECT_GT(graph.at("capture_ms"), 0.0);
  EXPECT_EQ(explained.at("graphs").at(2).at("break"), nullptr);
}

TEST_F(CliModels, ExplainShowsForwardBackwardAndWhatIsSaved) {
  const ProgramRun run = Culprit({"explain", kNet, "--inputs", kImage, "--joint"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\nforward net_1_forward: 3 operators, 2 inputs, 2 outputs\n"));
  EXPECT_THAT(run.out, HasSubstr("\nbackward net_1_backward: 4 operators, 4 inputs, 2 outputs\n"));
  EXPECT_THAT(run.out, HasSubstr("_softmax_backward_data"));
  EXPECT_THAT(run.out, HasSubstr("_softmax     intermediate            16 bytes\n"));
  EXPECT_THAT(run.out, HasSubstr("3 saved for backward: 40 bytes, and 96 of parameters and buffers\n"));
}

TEST_F(CliModels, JointGraphsAreWrittenAsReprosAndShownAsJson) {
  const ProgramRun run =
      Culprit({"explain", kNet, "--inputs", kImage, "--joint", "--json", "--graphs", folder_ / "graphs"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const json explained = json::parse(run.out);
  EXPECT_EQ(explained.at("files").size(), 6U);
  const json& joint = explained.at("joints")[1];
  EXPECT_EQ(joint.at("name"), "net_1_captured");
  EXPECT_EQ(joint.at("backward_operators"), 4);
  EXPECT_EQ(joint.at("saved_bytes"), 40);
  for (const json& file : explained.at("files")) EXPECT_EQ(Culprit({"run", file}).exit_code, 0) << file;
}

// What two results share is seen where the program returns them, not in between and not inside of autograd.
TEST_F(CliModels, MemoryThatNobodySeesSharedIsNotCompared) {
  const std::string graphs = folder_ / "graphs";
  ASSERT_EQ(Culprit({"explain", kNet, "--inputs", kImage, "--joint", "--graphs", graphs}).exit_code, 0);
  constexpr const char* kUnseen = "\"compare_aliasing\": false";
  for (const char* name : {"net_0_captured", "net_0_forward", "net_1_forward", "net_1_backward"})
    EXPECT_THAT(ReadWholeFile(graphs + "/" + name + ".py"), HasSubstr(kUnseen)) << name;
  EXPECT_THAT(ReadWholeFile(graphs + "/net_1_captured.py"), Not(HasSubstr(kUnseen)));
}

TEST_F(CliModels, WhatCannotBeSplitIsShownWithTheReason) {
  WriteWholeFile(folder_ / "f.py",
                 "def f(x: Tensor) -> Tensor:\n    y = torch.exp(x)\n    y.add_(1)\n    return y\n");
  const ProgramRun run = Culprit({"explain", folder_ / "f.py", "--inputs", "f32[3]:grad", "--joint"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\nno joint graph of f_0_captured: one of the variables needed for gradient "
                                 "computation has been modified by an inplace operation"));
}

TEST_F(CliModels, AGraphThatWasNotCompiledDoesNotPassInSilence) {
  WriteWholeFile(folder_ / "g.py",
                 "def g(x: Tensor, y: Tensor) -> Tensor:\n    x.add_(1)\n    return y * 2\n");
  const ProgramRun run = Culprit(
      {"run", folder_ / "g.py", "--inputs", "f32[3]", "--inputs", "same:0[0:2]", "--backend", "aot-eager"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("g_0_captured runs as it is: memory that inputs share is written"));
}

TEST_F(CliModels, GuardsAboutTheModuleAreShownWhenAskedFor) {
  const ProgramRun few = Culprit({"explain", kNet, "--inputs", kImage});
  EXPECT_THAT(few.out, HasSubstr("about the module (--guards shows them)"));
  const ProgramRun all = Culprit({"explain", kNet, "--inputs", kImage, "--guards"});
  EXPECT_THAT(all.out, HasSubstr("and self.first is __torch__.Block\n"));
  EXPECT_THAT(all.out,
              HasSubstr("and self.stem.bias is a Float tensor of [6] with strides [1] that requires"));
}

TEST_F(CliModels, GraphsAreWrittenAsReprosThatRunHereAndInPython) {
  const std::string graphs = folder_ / "graphs";
  const ProgramRun run = Explain("steps", "f32[2]=1", {"--graphs", graphs});
  EXPECT_THAT(run.out, HasSubstr("written: " + graphs + "/functions_2_captured.py\n"));
  const std::string first = graphs + "/functions_0_captured.py";
  EXPECT_THAT(ReadWholeFile(first),
              HasSubstr(Named("# File: FILE:2 in helper, code: return torch.sin(x) + 1\n")));
  const ProgramRun again = Culprit({"run", graphs + "/functions_2_captured.py"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("0  cos     torch.float32  [2]"));
  const ProgramRun python = RunProgram(
      {CULPRIT_PYTHON, "-c", "import runpy, sys; print(runpy.run_path(sys.argv[1])['run']()[0])", first});
  EXPECT_EQ(python.exit_code, 0) << python.err;
  EXPECT_EQ(python.out, "tensor([3.6829, 3.6829])\n");
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

TEST_F(CliModels, OneGraphCanBeAskedFor) {
  const ProgramRun run = Explain("steps", "f32[2]=1", {"--fullgraph"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.err,
            Named("FILE: error: the program is not one graph: B02: a branch depends on the numbers of a "
                  "tensor (aten::Bool), at FILE:5 in steps, code: if bool(y.sum() > 0):\n"
                  "  help: to see all breaks, leave out --fullgraph\n"));
}

TEST_F(CliModels, AFunctionCanBeLeftOut) {
  EXPECT_THAT(Explain("steps", "f32[2]=1", {"--disable", "helper"}).out,
              HasSubstr("break B13: a function is excluded from capture (helper)"));
  const ProgramRun run = Explain("steps", "f32[2]=1", {"--disable", "helpre"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(
      run.err,
      Named("FILE: error: there is no function 'helpre' that could be disabled, did you mean 'helper'?\n"));
}

// `x.t()` stands where an operator takes a weight. Frozen, the whole program would be a constant.
TEST_F(CliModels, ArgumentsOfAProgramAreNoParameters) {
  WriteWholeFile(functions_, "def f(x: Tensor) -> Tensor:\n    return torch.mm(x, x.t())\n");
  const ProgramRun run =
      Culprit({"run", functions_, "--inputs", "f32[3,2]", "--backend", "torchscript:stage=freeze"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.err, Not(HasSubstr("frozen as parameters")));
}

TEST_F(CliModels, AListIsOneArgument) {
  EXPECT_THAT(Explain("takes_list", "[f32[1,3],f32[2,3]]").out,
              StartsWith("functions.takes_list: 1 graph, 1 operator, 0 breaks\n"));
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

TEST_F(CliModels, AProgramWithoutTensorsHasNoGraph) {
  EXPECT_THAT(Explain("rows", "f32[2]").out, StartsWith("functions.rows: 0 graphs, 0 operators, 0 breaks\n"));
  const ProgramRun run = Culprit({"run", functions_, "--method", "rows", "--inputs", "f32[2]"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, Named("note: FILE computes no tensors, so it has no graph\n"));
}

TEST_F(CliModels, RunShowsEachGraph) {
  const ProgramRun run =
      Culprit({"run", functions_, "--method", "steps", "--inputs", "f32[2]=1", "--fault", "exp:accuracy"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, StartsWith("functions_0_captured:\n"));
  const size_t second = run.out.find("functions_1_captured:\n"),
               third = run.out.find("functions_2_captured:\n");
  ASSERT_LT(second, third);
  EXPECT_THAT(run.out.substr(0, second), HasSubstr("passes: "));
  EXPECT_THAT(run.out.substr(second, third - second),
              HasSubstr("failure: compare: wrong values in outputs[0]"));
  EXPECT_THAT(run.out.substr(third), HasSubstr("passes: "));
}

TEST_F(CliModels, RunAsJsonIsOneDocument) {
  const ProgramRun run = Culprit(
      {"run", functions_, "--method", "steps", "--inputs", "f32[2]=1", "--fault", "exp:accuracy", "--json"});
  const json graphs = json::parse(run.out);
  ASSERT_EQ(graphs.size(), 3u);
  EXPECT_EQ(graphs[0].at("exit_code"), 0);
  EXPECT_EQ(graphs[1].at("graph"), "functions_1_captured");
  EXPECT_EQ(graphs[1].at("exit_code"), 1);
  EXPECT_TRUE(graphs[1].at("result").is_object());
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

TEST(GraphBreaksPageTest, IsWhatTheProgramPrints) {
  EXPECT_EQ(ReadWholeFile("docs/graph-breaks.md"), Culprit({"explain", "--breaks"}).out);
}

}  // namespace
}  // namespace culprit::tests
