// SPDX-License-Identifier: Apache-2.0
//
// The complete text of the errors of files that are no graphs, or hold what a graph cannot.
#include <gtest/gtest.h>

#include <string>

#include "graph/text/script/script_errors_test.h"

namespace culprit::graph::text {
namespace {

std::string ErrorOfBody(const std::string& statements) {
  return ErrorOf("class Repro:\n    def forward(self, x, y):\n" + statements + "        return (x,)\n");
}

std::string HelpWithParameters() {
  return "  help: make its results parameters of forward, and say in load_args what they look like: what "
         "stands behind it can then be run";
}

TEST(Errors, TritonKernels) {
  EXPECT_EQ(ErrorOfBody("        z = torch.ops.higher_order.triton_kernel_wrapper_functional(kernel_idx = 0, "
                        "kwargs = {'out': x})\n        a = z['out']\n"),
            "net.py:3:13: error: 'triton_kernel_wrapper_functional' is a higher-order operator, which is not "
            "supported\n"
            "    z = torch.ops.higher_order.triton_kernel_wrapper_functional(kernel_idx...\n"
            "        ^\n"
            "  note: its kernel is Python code that the file does not hold\n" +
                HelpWithParameters());
}

TEST(Errors, TritonKernelsThatWrite) {
  EXPECT_EQ(
      ErrorOfBody(
          "        triton_kernel_wrapper_mutation = torch.ops.higher_order.triton_kernel_wrapper_mutation("
          "kernel_idx = 0, constant_args_idx = 0, grid = [(1, 1, 1)], tma_descriptor_metadata = {}, "
          "kwargs = {'in_ptr0': x, 'out_ptr': y});  triton_kernel_wrapper_mutation = None\n"),
      "net.py:3:42: error: 'triton_kernel_wrapper_mutation' is a higher-order operator, which is not "
      "supported\n"
      "    triton_kernel_wrapper_mutation = torch.ops.higher_order.triton_kernel_...\n"
      "                                     ^\n"
      "  note: its kernel is Python code that the file does not hold\n" +
          HelpWithParameters());
}

/// PyTorch prints the graphs that they call as no Python.
std::string ErrorOfGraphs(const std::string& attributes, const std::string& statements) {
  return ErrorOf(
      "class Repro(torch.nn.Module):\n    def __init__(self) -> None:\n        super().__init__()\n" +
      attributes + "    def forward(self, x, y):\n" + statements + "        return (x,)\n");
}

TEST(Errors, BranchesThatAreGraphs) {
  EXPECT_EQ(
      ErrorOfGraphs("        self.true_graph_0 = <lambda>()\n        self.false_graph_0 = <lambda>()\n",
                    "        true_graph_0 = self.true_graph_0\n        false_graph_0 = self.false_graph_0\n"
                    "        cond = torch.ops.higher_order.cond(y, true_graph_0, false_graph_0, (x,));  y = "
                    "true_graph_0 = None\n        getitem = cond[0];  cond = None\n"),
      "net.py:9:16: error: 'cond' is a higher-order operator, which is not supported\n"
      "    cond = torch.ops.higher_order.cond(y, true_graph_0, false_graph_0, (x,...\n"
      "           ^\n"
      "  note: it calls graphs, which are not part of this one\n" +
          HelpWithParameters());
}

TEST(Errors, LoopsOfGraphs) {
  EXPECT_EQ(ErrorOfGraphs("        self.while_loop_cond_graph_0 = <lambda>()\n"
                          "        self.while_loop_body_graph_0 = <lambda>()\n",
                          "        while_loop_cond_graph_0 = self.while_loop_cond_graph_0\n"
                          "        while_loop_body_graph_0 = self.while_loop_body_graph_0\n"
                          "        while_loop = torch.ops.higher_order.while_loop(while_loop_cond_graph_0, "
                          "while_loop_body_graph_0, (y, x), ());  while_loop_cond_graph_0 = None\n"
                          "        getitem_1 = while_loop[1];  while_loop = None\n"),
            "net.py:9:22: error: 'while_loop' is a higher-order operator, which is not supported\n"
            "    while_loop = torch.ops.higher_order.while_loop(while_loop_cond_graph_0...\n"
            "                 ^\n"
            "  note: it calls graphs, which are not part of this one\n" +
                HelpWithParameters());
}

TEST(Errors, AttentionWithGraphs) {
  EXPECT_EQ(
      ErrorOfGraphs(
          "        self.sdpa_score0 = <lambda>()\n        self.sdpa_mask0 = <lambda>()\n",
          "        sdpa_score0 = self.sdpa_score0\n        sdpa_mask0 = self.sdpa_mask0\n"
          "        flex_attention = torch.ops.higher_order.flex_attention(x, x, x, sdpa_score0, (1, 1, y, "
          "None, sdpa_mask0), 0.25, {'BACKEND': 'AUTO', 'PRESCALE_QK': False}, (), ());  sdpa_score0 = "
          "None\n        getitem_2 = flex_attention[0];  flex_attention = None\n"),
      "net.py:9:26: error: 'flex_attention' is a higher-order operator, which is not supported\n"
      "    flex_attention = torch.ops.higher_order.flex_attention(x, x, x, sdpa_s...\n"
      "                     ^\n"
      "  note: it calls graphs, which are not part of this one\n" +
          HelpWithParameters());
}

TEST(Errors, RandomStatesWithoutAnOperator) {
  EXPECT_EQ(ErrorOfBody("        z = torch.ops.higher_order.run_with_rng_state(x)\n"),
            "net.py:3:13: error: expected an operator as an argument\n"
            "    z = torch.ops.higher_order.run_with_rng_state(x)\n"
            "        ^");
}

TEST(Errors, OperatorsOfOtherLibraries) {
  EXPECT_EQ(ErrorOfBody("        z = torch.ops.mylib.fused_thing.default(x)\n"),
            "net.py:3:13: error: unknown operator 'mylib::fused_thing'\n"
            "    z = torch.ops.mylib.fused_thing.default(x)\n"
            "        ^\n"
            "  note: PyTorch has no operators 'mylib::*'; a library registers them\n"
            "  help: to load the library that registers 'mylib::*', add: --load-library FILE");
}

TEST(Errors, SeveralProblemsAreToldAtOnce) {
  EXPECT_EQ(ErrorOfBody("        a = torch.ops.aten.reul.default(x)\n"
                        "        b = torch.ops.mylib.f.default(a)\n"
                        "        c = torch.ops.mylib.f.default(b);  b = None\n"
                        "        d = torch.ops.aten.add.Tensor(a, x)\n"
                        "        e, f = torch.ops.aten.max.dim(x, 'rows')\n"
                        "        g = torch.ops.aten.add.Tensor(e, f)\n"
                        "        h = torch.ops.aten.relu.default(undefined_thing)\n"),
            "net.py:3:13: error: unknown operator 'aten::reul', did you mean 'aten::relu'?\n"
            "    a = torch.ops.aten.reul.default(x)\n"
            "        ^\n"
            "  note: line 4: unknown operator 'mylib::f'\n"
            "  note: line 7: argument 'dim' of aten::max.dim must be int, not a string\n"
            "  note: line 9: 'undefined_thing' is not defined\n"
            "  help: to load the library that registers 'mylib::*', add: --load-library FILE");
}

TEST(Errors, TheFirstOfManyProblemsAreTold) {
  std::string body;
  for (int i = 1; i <= 30; ++i) {
    body += "        a = torch.ops.mine.f" + std::to_string(i) + ".default(x)\n";
  }
  const std::string error = ErrorOfBody(body);
  EXPECT_TRUE(
      error.ends_with("  note: line 23: unknown operator 'mine::f21'\n"
                      "  note: ... and 9 more\n"
                      "  help: to load the library that registers 'mine::*', add: --load-library FILE"))
      << error;
}

TEST(Errors, ForwardWithoutABody) {
  EXPECT_EQ(ErrorOf("class Repro:\n    def forward(self, x):\nmod = Repro()\n"),
            "net.py:2:5: error: forward has no body\n"
            "    def forward(self, x):\n"
            "    ^");
}

TEST(Errors, FilesAfterDynamo) {
  EXPECT_EQ(
      ErrorOf("class Repro(torch.nn.Module):\n    def forward(self, L_x_ : torch.Tensor):\n"
              "        y = L_x_ + 1\n        return (y,)\n"
              "if __name__ == '__main__':\n"
              "    from torch._dynamo.repro.after_dynamo import run_repro\n"),
      "net.py:1:1: error: this file was written after Dynamo; a graph is what comes after AOTAutograd\n"
      "    class Repro(torch.nn.Module):\n"
      "    ^\n"
      "  note: a graph calls operators only: relu = torch.ops.aten.relu.default(x)\n"
      "  help: run the program with TORCHDYNAMO_REPRO_AFTER=aot TORCHDYNAMO_REPRO_LEVEL=3 (or 4, if its "
      "numbers are wrong): PyTorch then writes the graph to a file");
}

TEST(Errors, ModelsInPython) {
  EXPECT_EQ(
      ErrorOf("class Net(torch.nn.Module):\n    def __init__(self):\n"
              "        self.fc = torch.nn.Linear(3, 4)\n    def forward(self, x):\n"
              "        return self.fc(x)\n"),
      "net.py:1:1: error: 'Net' is a model in Python and not a graph\n"
      "    class Net(torch.nn.Module):\n"
      "    ^\n"
      "  note: a graph calls operators only: relu = torch.ops.aten.relu.default(x)\n"
      "  help: run the program with TORCHDYNAMO_REPRO_AFTER=aot TORCHDYNAMO_REPRO_LEVEL=3 (or 4, if its "
      "numbers are wrong): PyTorch then writes the graph to a file");
}

TEST(Errors, DevicesOfOtherMakers) {
  EXPECT_EQ(ErrorOfLoadArgs("    buf0 = reader.storage(None, 24, device=device(type='npu', index=0))\n"),
            "net.py:5:44: error: unknown device 'npu:0'\n"
            "    buf0 = reader.storage(None, 24, device=device(type='npu', index=0))\n"
            "                                           ^\n"
            "  help: to have everything on the CPU instead, add: --device cpu");
}

}  // namespace
}  // namespace culprit::graph::text
