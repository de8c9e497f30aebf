// SPDX-License-Identifier: Apache-2.0
//
// The complete text of every error that the inputs in a script can cause.
#include <gtest/gtest.h>

#include <string>

#include "graph/text/script/script_errors_test.h"

namespace culprit::graph::text {
namespace {

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
      "net.py:8:26: error: sizes 's2', 's3', 's4' are not defined\n"
      "    reader.tensor(buf0, (s2, s3))\n"
      "                         ^\n"
      "  note: neither the symint lines (1 for 4 such sizes) nor the bytes of the storages determine them\n"
      "  note: sizes that the file does not define were taken from the bytes of its storages: s1 = 5\n"
      "  help: say what they are, in lines above the class: s2 = 4; s3 = 4; s4 = 4");
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
  EXPECT_EQ(ErrorOfLoadArgs("    buf0 = fill(reader.storage(None, 8), torch.randn(3, dtype=torch.float32, "
                            "generator=seeded(1)))\n"),
            "net.py:5:42: error: 3 numbers are more than a storage of 8 bytes holds\n"
            "    buf0 = fill(reader.storage(None, 8), torch.randn(3, dtype=torch.float3...\n"
            "                                         ^");
}

TEST(Errors, OneNumberAndOneByteAreSingular) {
  EXPECT_EQ(ErrorOfLoadArgs("    buf0 = fill(reader.storage(None, 0), torch.randn(1, dtype=torch.float32, "
                            "generator=seeded(1)))\n"),
            "net.py:5:42: error: 1 number is more than a storage of 0 bytes holds\n"
            "    buf0 = fill(reader.storage(None, 0), torch.randn(1, dtype=torch.float3...\n"
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

}  // namespace
}  // namespace culprit::graph::text
