// SPDX-License-Identifier: Apache-2.0
//
// The complete text of every error that a script can cause. Messages are reviewed like code.
#include <gtest/gtest.h>

#include <string>

#include "graph/text/script.h"

namespace culprit::graph::text {
namespace {

std::string ErrorOf(const std::string& text, const ReadOptions& options = {}) {
  const base::Result<Script> script = ReadScript("net.py", text, options);
  return script.ok() ? "no error" : script.error().Render();
}

/// The error of a graph with this body and these parameters.
std::string ErrorOfBody(const std::string& statement, const std::string& parameters = "x, y") {
  return ErrorOf("class Repro:\n    def forward(self, " + parameters + "):\n        " + statement +
                 "\n        return (x,)\n");
}

std::string ErrorOfLoadArgs(const std::string& lines) {
  return ErrorOf("class Repro:\n    def forward(self, x):\n        return (x,)\ndef load_args(reader):\n" +
                 lines + "load_args._version = 0\n");
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

TEST(Errors, WrongKindOfArgumentPointsAtIt) {
  EXPECT_EQ(ErrorOfBody("z = torch.ops.aten.softmax.int(x, 'rows')"),
            "net.py:3:43: error: argument 'dim' of aten::softmax.int must be int, not a string\n"
            "    z = torch.ops.aten.softmax.int(x, 'rows')\n"
            "                                      ^");
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

TEST(Errors, TruncatedText) {
  EXPECT_EQ(ErrorOf("class Repro:\n    def forward(self, x):\n        y = torch.ops.aten.relu.default(x"),
            "net.py:3:42: error: the text ends inside brackets\n"
            "    y = torch.ops.aten.relu.default(x\n"
            "                                     ^");
}

TEST(Errors, NoReturn) {
  EXPECT_EQ(ErrorOf("class Repro:\n    def forward(self, x):\n        y = torch.ops.aten.relu.default(x)\n"),
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

TEST(Errors, NumberOfInputsDiffers) {
  EXPECT_EQ(ErrorOfLoadArgs("    pass\n"),
            "net.py:2:5: error: forward has 1 placeholder, but 0 inputs are described\n"
            "    def forward(self, x):\n"
            "    ^");
}

TEST(Errors, TensorBeyondItsStorage) {
  EXPECT_EQ(ErrorOfLoadArgs("    buf0 = reader.storage(None, 60)\n    reader.tensor(buf0, (4, 4))\n"),
            "net.py:6:5: error: a tensor of sizes (4, 4) and dtype torch.float32 does not fit a storage of "
            "60 bytes\n"
            "    reader.tensor(buf0, (4, 4))\n"
            "    ^");
}

TEST(Errors, GuessedSizesAreNamedWhenTheyDoNotFit) {
  EXPECT_EQ(ErrorOfLoadArgs("    reader.symint(5)\n    buf0 = reader.storage(None, 64)\n"
                            "    reader.tensor(buf0, (s0, 4))\n"),
            "net.py:7:5: error: a tensor of sizes (5, 4) and dtype torch.float32 does not fit a storage of "
            "64 bytes\n"
            "    reader.tensor(buf0, (s0, 4))\n"
            "    ^\n"
            "  note: sizes that the file does not define were taken from its symint lines: s0 = 5");
}

TEST(Errors, UndefinedSize) {
  EXPECT_EQ(ErrorOfLoadArgs("    buf0 = reader.storage(None, 4*s0)\n"),
            "net.py:5:35: error: size 's0' is not defined\n"
            "    buf0 = reader.storage(None, 4*s0)\n"
            "                                  ^");
}

TEST(Errors, UnknownReaderCall) {
  EXPECT_EQ(ErrorOfLoadArgs("    reader.tensr(buf0, (4, 4))\n"),
            "net.py:5:5: error: unknown reader call 'reader.tensr', did you mean 'reader.tensor'?\n"
            "    reader.tensr(buf0, (4, 4))\n"
            "    ^");
}

TEST(Errors, StringThatIsNone) {
  EXPECT_EQ(ErrorOfLoadArgs("    buf0 = reader.storage('\\x1', 4)\n"),
            "net.py:5:27: error: malformed string\n"
            "    buf0 = reader.storage('\\x1', 4)\n"
            "                          ^");
}

TEST(Errors, ContentsThatAreNone) {
  EXPECT_EQ(
      ErrorOfLoadArgs("    buf0 = fill(reader.storage(None, 4), torch.randn(1, generator=seeded(1)))\n"),
      "net.py:5:42: error: expected: torch.randn(count, dtype=..., generator=seeded(N))\n"
      "    buf0 = fill(reader.storage(None, 4), torch.randn(1, generator=seeded(1)))\n"
      "                                         ^");
  EXPECT_EQ(ErrorOfLoadArgs("    buf0 = fill(reader.storage(None, 4), torch.randn(1))\n"),
            "net.py:5:42: error: a storage is filled with real numbers that are known\n"
            "    buf0 = fill(reader.storage(None, 4), torch.randn(1))\n"
            "                                         ^");
}

TEST(Errors, QuantisedTensorOfAnotherDtype) {
  EXPECT_EQ(ErrorOfLoadArgs(
                "    buf0 = reader.storage(None, 4)\n    quantized(reader, piece(buf0, (1,)), 0.1, 3)\n"),
            "net.py:6:5: error: quantised integers are of dtype torch.uint8, torch.int8 or torch.int32\n"
            "    quantized(reader, piece(buf0, (1,)), 0.1, 3)\n"
            "    ^");
}

TEST(Errors, ConstantLargerThanTheLimit) {
  EXPECT_EQ(ErrorOf("class Repro:\n    def __init__(self):\n"
                    "        self.register_buffer('c', torch.randn([1000000, 1000000]))\n"
                    "    def forward(self, x):\n        return (x,)\n"),
            "net.py:3:35: error: a constant of more than 4.0 GiB\n"
            "    self.register_buffer('c', torch.randn([1000000, 1000000]))\n"
            "                              ^");
}

TEST(Errors, FileLargerThanTheLimit) {
  EXPECT_EQ(ErrorOf(std::string(2000, ' '), {.max_source_bytes = 1024}),
            "net.py: error: the file has 2.0 KiB, more than the limit of 1.0 KiB");
}

}  // namespace
}  // namespace culprit::graph::text
