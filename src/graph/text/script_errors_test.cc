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
  EXPECT_EQ(ErrorOfBody("z = torch.ops.higher_order.cond(x, self.true_graph_0, self.false_graph_0, [y])"),
            "net.py:3:13: error: 'cond' is a higher-order operator, which is not supported\n"
            "    z = torch.ops.higher_order.cond(x, self.true_graph_0, self.false_graph_0, [y])\n"
            "        ^\n"
            "  note: higher-order operators take operators or graphs as arguments");
  EXPECT_EQ(ErrorOfBody("z = graphsafe_run_with_rng_state(torch.ops.aten.rand.default, [2], rng_state = y)"),
            "net.py:3:13: error: 'graphsafe_run_with_rng_state' is a higher-order operator, which is not "
            "supported\n"
            "    z = graphsafe_run_with_rng_state(torch.ops.aten.rand.default, [2], rng_state = y)\n"
            "        ^\n"
            "  note: higher-order operators take operators or graphs as arguments");
}

TEST(Errors, DtypesOfLaterVersions) {
  EXPECT_EQ(ErrorOfBody("z = torch.ops.aten._to_copy.default(x, dtype = torch.float8_e4m3fn)"),
            "net.py:3:56: error: libtorch 1.13 lacks the dtype torch.float8_e4m3fn\n"
            "    z = torch.ops.aten._to_copy.default(x, dtype = torch.float8_e4m3fn)\n"
            "                                                   ^");
  EXPECT_EQ(ErrorOfLoadArgs("    buf0 = reader.storage(None, 4, dtype_hint=torch.uint16)\n"),
            "net.py:5:47: error: libtorch 1.13 lacks the dtype torch.uint16\n"
            "    buf0 = reader.storage(None, 4, dtype_hint=torch.uint16)\n"
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
  EXPECT_EQ(
      ErrorOfLoadArgs("    buf0 = reader.storage(None, 4*s0)\n"),
      "net.py:5:35: error: size 's0' is not defined\n"
      "    buf0 = reader.storage(None, 4*s0)\n"
      "                                  ^\n"
      "  note: neither the symint lines (0 for 1 such size) nor the bytes of the storages determine it\n"
      "  help: say what it is, in a line above the class: s0 = 4");
}

TEST(Errors, UndefinedSizeThatTheBytesDoNotDetermine) {
  EXPECT_EQ(
      ErrorOfLoadArgs("    reader.symint(5)\n    buf0 = reader.storage(None, 20)\n"
                      "    reader.tensor(buf0, (s1,))\n"
                      "    reader.tensor(buf0, (s2, s3))\n    reader.tensor(buf0, (s4, s3))\n"),
      "net.py:8:26: error: size 's2' is not defined\n"
      "    reader.tensor(buf0, (s2, s3))\n"
      "                         ^\n"
      "  note: neither the symint lines (1 for 4 such sizes) nor the bytes of the storages determine it\n"
      "  note: sizes that the file does not define were taken from the bytes of its storages: s1 = 5\n"
      "  help: say what it is, in a line above the class: s2 = 4");
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

std::string ErrorOfSymbols(const std::string& value) {
  return ErrorOf("class Repro:\n    placeholder_symbols = " + value +
                 "\n    def forward(self, x):\n        return (x,)\n");
}

TEST(Errors, SymbolsThatAreNone) {
  EXPECT_EQ(ErrorOfSymbols("['s0']"),
            "net.py:2:5: error: expected: placeholder_symbols = {'name': ['s0', None], ...}\n"
            "    placeholder_symbols = ['s0']\n"
            "    ^");
  EXPECT_EQ(ErrorOfSymbols("{'y': ['s0']}"),
            "net.py:2:28: error: 'y' is no placeholder\n"
            "    placeholder_symbols = {'y': ['s0']}\n"
            "                           ^");
  EXPECT_EQ(ErrorOfSymbols("{'x': 's0'}"),
            "net.py:2:33: error: expected a list with the symbol of each dimension, or None\n"
            "    placeholder_symbols = {'x': 's0'}\n"
            "                                ^");
  EXPECT_EQ(ErrorOfSymbols("{'x': [None, '2*s0']}"),
            "net.py:2:40: error: a symbol is a name such as 's0', or None where the size is fixed\n"
            "    placeholder_symbols = {'x': [None, '2*s0']}\n"
            "                                       ^");
  EXPECT_EQ(ErrorOfSymbols("{'x': [4]}"),
            "net.py:2:34: error: a symbol is a name such as 's0', or None where the size is fixed\n"
            "    placeholder_symbols = {'x': [4]}\n"
            "                                 ^");
}

TEST(Errors, SymbolsForSomeDimensionsOnly) {
  EXPECT_EQ(ErrorOf("class Repro:\n    placeholder_symbols = {'x': ['s0']}\n    def forward(self, x):\n"
                    "        return (x,)\n\ndef load_args(reader):\n"
                    "    buf0 = reader.storage(None, 24)\n    reader.tensor(buf0, (2, 3))\n"
                    "load_args._version = 0\n"),
            "net.py:2:33: error: x has 2 dimensions, and symbols for 1\n"
            "    placeholder_symbols = {'x': ['s0']}\n"
            "                                ^");
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

TEST(Errors, MoreNumbersThanTheStorageHolds) {
  EXPECT_EQ(
      ErrorOfLoadArgs("    buf0 = fill(reader.storage(None, 8), torch.randn(3, dtype=torch.float32, "
                      "generator=seeded(1)))\n"),
      "net.py:5:42: error: 3 numbers are more than a storage of 8 bytes holds\n"
      "    buf0 = fill(reader.storage(None, 8), torch.randn(3, dtype=torch.float32, generator=seeded(1)))\n"
      "                                         ^");
}

TEST(Errors, OneNumberAndOneByteAreSingular) {
  EXPECT_EQ(
      ErrorOfLoadArgs("    buf0 = fill(reader.storage(None, 0), torch.randn(1, dtype=torch.float32, "
                      "generator=seeded(1)))\n"),
      "net.py:5:42: error: 1 number is more than a storage of 0 bytes holds\n"
      "    buf0 = fill(reader.storage(None, 0), torch.randn(1, dtype=torch.float32, generator=seeded(1)))\n"
      "                                         ^");
}

TEST(Errors, StoredBytesWithACheckThatIsNone) {
  EXPECT_EQ(ErrorOfLoadArgs("    buf0 = fill(reader.storage(None, 8), stored('ab', 8, -1))\n"),
            "net.py:5:58: error: -1 is no CRC-32\n"
            "    buf0 = fill(reader.storage(None, 8), stored('ab', 8, -1))\n"
            "                                                         ^");
}

TEST(Errors, PackedParametersAreRefusedByName) {
  EXPECT_EQ(ErrorOf("class Repro:\n    def forward(self, w):\n"
                    "        p = torch.ops.quantized.linear_prepack.default(w, None)\n        return (p,)\n"),
            "net.py:3:13: error: quantized::linear_prepack returns "
            "__torch__.torch.classes.quantized.LinearPackedParamsBase, which a graph cannot hold\n"
            "    p = torch.ops.quantized.linear_prepack.default(w, None)\n"
            "        ^");
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
