// SPDX-License-Identifier: Apache-2.0
//
// The complete text of every error that a graph in a script can cause. Messages are reviewed like code.
#include <gtest/gtest.h>

#include <string>

#include "graph/text/script/script_errors_test.h"

namespace culprit::graph::text {
namespace {

/// The error of a graph with this body and these parameters.
std::string ErrorOfBody(const std::string& statement, const std::string& parameters = "x, y") {
  return ErrorOf("class Repro:\n    def forward(self, " + parameters + "):\n        " + statement +
                 "\n        return (x,)\n");
}

TEST(Errors, UnknownOperatorNamesTheNearest) {
  EXPECT_EQ(ErrorOfBody("relu = torch.ops.aten.reul.default(x)"),
            "net.py:3:16: error: unknown operator 'aten::reul', did you mean 'aten::relu'?\n"
            "    relu = torch.ops.aten.reul.default(x)\n"
            "           ^");
}

TEST(Errors, UnknownOverloadListsTheOverloads) {
  EXPECT_EQ(ErrorOfBody("z = torch.ops.aten.silu.Tensr(x)"),
            "net.py:3:13: error: aten::silu has no overload 'Tensr'\n"
            "    z = torch.ops.aten.silu.Tensr(x)\n"
            "        ^\n"
            "  note: its overloads are default, out");
}

TEST(Errors, NotAnOperator) {
  EXPECT_EQ(ErrorOfBody("z = print(x)"),
            "net.py:3:13: error: 'print' is not an operator\n"
            "    z = print(x)\n"
            "        ^\n"
            "  note: operators are written torch.ops.NAMESPACE.NAME.OVERLOAD");
}

TEST(Errors, MethodsAreNoOperators) {
  EXPECT_EQ(ErrorOfBody("z = x.relu()"),
            "net.py:3:13: error: 'x.relu' is a method; a graph calls operators\n"
            "    z = x.relu()\n"
            "        ^\n"
            "  help: write: torch.ops.aten.relu(x)");
  EXPECT_EQ(ErrorOfBody("z = x.frobnicate(1)"),
            "net.py:3:13: error: 'x.frobnicate' is a method; a graph calls operators\n"
            "    z = x.frobnicate(1)\n"
            "        ^");
}

TEST(Errors, ValuesHaveNoAttributes) {
  EXPECT_EQ(ErrorOfBody("z = x.shape[0]"),
            "net.py:3:13: error: 'x.shape': values of a graph have no attributes\n"
            "    z = x.shape[0]\n"
            "        ^\n"
            "  note: a size is written torch.ops.aten.sym_size.int(x, 0)");
}

TEST(Errors, HigherOrderOperators) {
  const std::string help =
      "  help: make its results parameters of forward, and say in load_args what they look like: what stands "
      "behind it can then be run";
  EXPECT_EQ(ErrorOfBody("z = torch.ops.higher_order.cond(x, self.true_graph_0, self.false_graph_0, [y])"),
            "net.py:3:13: error: 'cond' is a higher-order operator, which is not supported\n"
            "    z = torch.ops.higher_order.cond(x, self.true_graph_0, self.false_graph...\n"
            "        ^\n"
            "  note: it calls graphs, which are not part of this one\n" +
                help);
  EXPECT_EQ(ErrorOfBody("z = apply_twice(torch.ops.aten.rand.default, [2])"),
            "net.py:3:13: error: 'apply_twice' is a higher-order operator, which is not supported\n"
            "    z = apply_twice(torch.ops.aten.rand.default, [2])\n"
            "        ^\n"
            "  note: higher-order operators take operators or graphs as arguments\n" +
                help);
}

TEST(Errors, UnknownDtypes) {
  EXPECT_EQ(ErrorOfBody("z = torch.ops.aten._to_copy.default(x, dtype = torch.float9)"),
            "net.py:3:56: error: 'torch.float9' is not defined\n"
            "    z = torch.ops.aten._to_copy.default(x, dtype = torch.float9)\n"
            "                                                   ^");
  EXPECT_EQ(ErrorOfLoadArgs("    buf0 = reader.storage(None, 4, dtype_hint=torch.float8_e4m3fm)\n"),
            "net.py:5:47: error: unknown dtype 'torch.float8_e4m3fm', did you mean 'torch.float8_e4m3fn'?\n"
            "    buf0 = reader.storage(None, 4, dtype_hint=torch.float8_e4m3fm)\n"
            "                                              ^");
}

TEST(Errors, OtherLettersAreShownAndCountedAsLetters) {
  EXPECT_EQ(ErrorOfBody("z = torch.ops.aten.add.Tensor(größe, höhe)", "x, größe"),
            "net.py:3:46: error: 'höhe' is not defined\n"
            "    z = torch.ops.aten.add.Tensor(größe, höhe)\n"
            "                                         ^");
}

TEST(Errors, WrongKindOfArgumentPointsAtIt) {
  EXPECT_EQ(ErrorOfBody("z = torch.ops.aten.softmax.int(x, 'rows')"),
            "net.py:3:43: error: argument 'dim' of aten::softmax.int must be int, not a string\n"
            "    z = torch.ops.aten.softmax.int(x, 'rows')\n"
            "                                      ^");
}

TEST(Errors, ValueOfAnotherKind) {
  EXPECT_EQ(ErrorOfBody("s = torch.ops.aten.split.Tensor(x, 2)\n        z = torch.ops.aten.relu.default(s)"),
            "net.py:4:41: error: argument 'self' of aten::relu must be Tensor, not a value of kind Tensor[]\n"
            "    z = torch.ops.aten.relu.default(s)\n"
            "                                    ^");
}

TEST(Errors, DtypeWhereAnIntIsNeeded) {
  EXPECT_EQ(ErrorOfBody("z = torch.ops.aten.softmax.int(x, torch.float32)"),
            "net.py:3:43: error: argument 'dim' of aten::softmax.int must be int, not a dtype\n"
            "    z = torch.ops.aten.softmax.int(x, torch.float32)\n"
            "                                      ^");
}

TEST(Errors, UnknownKeywordNamesTheNearest) {
  EXPECT_EQ(ErrorOfBody("z = torch.ops.aten.add.Tensor(x, y, alhpa=2)"),
            "net.py:3:45: error: aten::add.Tensor has no argument 'alhpa', did you mean 'alpha'?\n"
            "    z = torch.ops.aten.add.Tensor(x, y, alhpa=2)\n"
            "                                        ^");
}

TEST(Errors, ArgumentGivenTwice) {
  EXPECT_EQ(ErrorOfBody("z = torch.ops.aten.add.Tensor(x, y, self=x)"),
            "net.py:3:45: error: argument 'self' of aten::add.Tensor is given twice\n"
            "    z = torch.ops.aten.add.Tensor(x, y, self=x)\n"
            "                                        ^");
}

TEST(Errors, MissingArgumentShowsTheSchema) {
  EXPECT_EQ(ErrorOfBody("z = torch.ops.aten.add.Tensor(x)"),
            "net.py:3:13: error: argument 'other' of aten::add.Tensor is missing\n"
            "    z = torch.ops.aten.add.Tensor(x)\n"
            "        ^\n"
            "  note: its schema is aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
}

TEST(Errors, TooManyArguments) {
  EXPECT_EQ(ErrorOfBody("z = torch.ops.aten.relu.default(x, y)"),
            "net.py:3:44: error: aten::relu takes 1 positional argument, but 2 are given\n"
            "    z = torch.ops.aten.relu.default(x, y)\n"
            "                                       ^");
}

TEST(Errors, UndefinedNameNamesTheNearest) {
  EXPECT_EQ(ErrorOfBody("z = torch.ops.aten.relu.default(primals_2)", "x, primals_1"),
            "net.py:3:41: error: 'primals_2' is not defined, did you mean 'primals_1'?\n"
            "    z = torch.ops.aten.relu.default(primals_2)\n"
            "                                    ^");
}

TEST(Errors, UseAfterDelete) {
  EXPECT_EQ(ErrorOfBody("y = None;  z = torch.ops.aten.relu.default(y)"),
            "net.py:3:52: error: 'y' is used after it was deleted\n"
            "    y = None;  z = torch.ops.aten.relu.default(y)\n"
            "                                               ^");
}

TEST(Errors, IndexBeyondTheResults) {
  EXPECT_EQ(ErrorOfBody("z = torch.ops.aten.max.dim(x, 0);  w = z[2]"),
            "net.py:3:49: error: index 2 of 2 results\n"
            "    z = torch.ops.aten.max.dim(x, 0);  w = z[2]\n"
            "                                            ^");
}

TEST(Errors, ArithmeticOnTensors) {
  EXPECT_EQ(
      ErrorOfBody("z = x + y", "x: 'f32[2]', y: 'f32[2]'"),
      "net.py:3:15: error: 'add' cannot be applied to these operands; in a graph only sizes are computed "
      "this way\n"
      "    z = x + y\n"
      "          ^");
}

TEST(Errors, ControlFlow) {
  EXPECT_EQ(ErrorOfBody("if x: y = x"),
            "net.py:3:9: error: 'if' cannot be part of a graph, which is straight-line code\n"
            "    if x: y = x\n"
            "    ^");
}

TEST(Errors, IntegerTooLarge) {
  EXPECT_EQ(ErrorOfBody("z = torch.ops.aten.add.Tensor(x, 99999999999999999999)"),
            "net.py:3:42: error: this integer does not fit 64 bits\n"
            "    z = torch.ops.aten.add.Tensor(x, 99999999999999999999)\n"
            "                                     ^");
}

TEST(Errors, IntegerOverflowInSizes) {
  EXPECT_EQ(ErrorOfBody("z = 9223372036854775807 + 1"),
            "net.py:3:33: error: integer overflow in 9223372036854775807 + 1\n"
            "    z = 9223372036854775807 + 1\n"
            "                            ^");
}

TEST(Errors, TruncatedInsideACall) {
  EXPECT_EQ(ErrorOf("class Repro:\n    def forward(self, x):\n        y = torch.ops.aten.relu.default(x"),
            "net.py:3:40: error: unexpected end of the file: this '(' is not closed\n"
            "    y = torch.ops.aten.relu.default(x\n"
            "                                   ^");
}

TEST(Errors, TruncatedInsideAStatement) {
  EXPECT_EQ(ErrorOf("class Repro:\n    def forward(self, x):\n        y ="),
            "net.py:3:12: error: expected an expression, not the end of the file\n"
            "    y =\n"
            "       ^");
}

TEST(Errors, TruncatedInsideAString) {
  EXPECT_EQ(ErrorOf("class Repro:\n    \"\"\"A graph\n    def forward(self, x):\n"),
            "net.py:2:5: error: unexpected end of the file: this string is not closed\n"
            "    \"\"\"A graph\n"
            "    ^");
}

TEST(Errors, TruncatedBetweenStatements) {
  EXPECT_EQ(ErrorOf("class Repro:\n    def forward(self, x):\n        y = torch.ops.aten.relu.default(x)\n"),
            "net.py:2:5: error: forward does not return anything\n"
            "    def forward(self, x):\n"
            "    ^\n"
            "  note: the file ends inside forward; has it been cut off?");
}

TEST(Errors, NoReturn) {
  EXPECT_EQ(ErrorOf("class Repro:\n    def forward(self, x):\n        pass\nmod = Repro()\n"),
            "net.py:2:5: error: forward does not return anything\n"
            "    def forward(self, x):\n"
            "    ^");
}

TEST(Errors, NoGraph) {
  EXPECT_EQ(ErrorOf("import torch\nprint('hello')\n"),
            "net.py: error: there is no graph in this file\n"
            "  note: a graph is a class with a method 'forward', as PyTorch's repro scripts have it");
}

TEST(Errors, BinaryJunk) {
  EXPECT_EQ(ErrorOf(std::string("PK\x03\x04\0\0", 6)),
            "net.py:1:3: error: unexpected byte 0x03: this is not the text of a graph\n"
            "    PK\\x03\\x04\\x00\\x00\n"
            "      ^");
}

TEST(Errors, DeepNesting) {
  const std::string text = ErrorOfBody("z = torch.ops.aten.relu.default(" + std::string(100000, '[') + ")");
  EXPECT_TRUE(text.starts_with("net.py:3:240: error: brackets are nested too deeply\n")) << text;
}

TEST(Errors, DeepUnaryChain) {
  const std::string text = ErrorOfBody("z = torch.ops.aten.add.Tensor(x, " + std::string(100000, '-') + "1)");
  EXPECT_NE(text.find("error: the expression is nested too deeply"), std::string::npos) << text;
}

TEST(Errors, SeveralGraphsAreListed) {
  const std::string graph = "class Repro:\n    def forward(self, x):\n        return (x,)\n";
  EXPECT_EQ(ErrorOf(graph + graph),
            "net.py: error: there are 2 graphs in this file\n"
            "  note: graph 1: Repro at line 1\n"
            "  note: graph 2: Repro at line 4\n"
            "  help: choose one with --which N");
  EXPECT_EQ(ErrorOf(graph + graph, {.which = 2}), "no error");
  EXPECT_TRUE(ErrorOf(graph + graph, {.which = 3}).starts_with("net.py: error: there is no graph 3\n"));
}

TEST(Errors, OfManyGraphsTheFirstAreListed) {
  std::string text;
  for (int i = 1; i <= 200000; ++i) text += "class A:\n    def forward(self): return ()\n";
  const std::string error = ErrorOf(text);
  EXPECT_TRUE(
      error.starts_with("net.py: error: there are 200000 graphs in this file\n"
                        "  note: graph 1: A at line 1\n"
                        "  note: graph 2: A at line 3\n"))
      << error.substr(0, 1000);
  EXPECT_TRUE(
      error.ends_with("  note: graph 20: A at line 39\n"
                      "  note: ... and 199980 more\n"
                      "  help: choose one with --which N"))
      << error.substr(0, 1000);
}

TEST(Errors, ConstantLargerThanTheLimit) {
  EXPECT_EQ(ErrorOf("class Repro:\n    def __init__(self):\n"
                    "        self.register_buffer('c', torch.randn([1000000, 1000000]))\n"
                    "    def forward(self, x):\n        return (x,)\n"),
            "net.py:3:35: error: a constant of more than 4.0 GiB\n"
            "    self.register_buffer('c', torch.randn([1000000, 1000000]))\n"
            "                              ^");
}

TEST(Errors, ConstantThatIsNeededAndNotUnderstood) {
  EXPECT_EQ(ErrorOf("class Repro:\n    def __init__(self):\n        self.fw_graph0 = <lambda>()\n"
                    "    def forward(self, x):\n        return (self.fw_graph0,)\n"),
            "net.py:3:26: error: expected an expression, not '<'\n"
            "    self.fw_graph0 = <lambda>()\n"
            "                     ^");
}

TEST(Errors, FileLargerThanTheLimit) {
  EXPECT_EQ(ErrorOf(std::string(2000, ' '), {.max_source_bytes = 1024}),
            "net.py: error: the file has 2.0 KiB, more than the limit of 1.0 KiB");
}

}  // namespace
}  // namespace culprit::graph::text
