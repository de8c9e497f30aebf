// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/e2e/cli_models.h"

namespace culprit::tests {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

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

TEST_F(CliModels, MemoryThatIsSharedAndWrittenBehindABreakIsCompared) {
  const char* const program =
      "def f(x: Tensor) -> Tensor:\n    y = torch.relu(x)\n    z = y.view(-1)\n    if bool(torch.any(y > "
      "100)):\n"
      "        y = y + 1.0\n{}    return z.sum() + y.sum()\n";
  for (const auto& [name, write] : {std::pair("kept", ""), {"written", "    y.add_(1.0)\n"}}) {
    const std::string file = folder_ / name + ".py";
    WriteWholeFile(file, fmt::format(fmt::runtime(program), write));
    const std::string graphs = folder_ / name;
    ASSERT_EQ(Culprit({"explain", file, "--inputs", "f32[4,6]", "--graphs", graphs}).exit_code, 0);
    const std::string first = ReadWholeFile(graphs + "/" + name + "_0_captured.py");
    EXPECT_EQ(first.find("\"compare_aliasing\": false") == std::string::npos, *write != '\0') << first;
  }
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

TEST(GraphBreaksPageTest, IsWhatTheProgramPrints) {
  EXPECT_EQ(ReadWholeFile("docs/graph-breaks.md"), Culprit({"explain", "--breaks"}).out);
}

}  // namespace
}  // namespace culprit::tests
