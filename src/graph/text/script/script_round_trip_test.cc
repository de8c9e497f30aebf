// SPDX-License-Identifier: Apache-2.0
#include "graph/text/script/script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/tensor.h>

#include <cmath>
#include <limits>

#include "graph/analysis/structural_hash.h"
#include "graph/tensors/dtypes.h"
#include "graph/text/script/script_test.h"

namespace culprit::graph::text {
namespace {

Graph WithConstant(at::Tensor tensor) {
  Graph graph;
  const ValueId constant = graph.AddConstant("c", std::move(tensor));
  graph.SetOutputs({constant});
  return graph;
}

void ExpectRoundTrip(const Graph& graph) {
  const std::string text = *PrintGraph(graph);
  base::Result<Script> script = ReadScript("net.py", text);
  ASSERT_TRUE(script.ok()) << script.error().Render();
  EXPECT_EQ(script->graph, graph) << text;
  EXPECT_EQ(StructuralHash(script->graph).ToString(), StructuralHash(graph).ToString());
}

TEST(RoundTrip, ConstantsOfEveryDtype) {
  for (const at::ScalarType dtype :
       {at::kByte,          at::kChar,          at::kShort,           at::kInt,
        at::kLong,          at::kHalf,          at::kFloat,           at::kDouble,
        at::kComplexHalf,   at::kComplexFloat,  at::kComplexDouble,   at::kBool,
        at::kBFloat16,      at::kUInt16,        at::kUInt32,          at::kUInt64,
        at::kFloat8_e5m2,   at::kFloat8_e4m3fn, at::kFloat8_e5m2fnuz, at::kFloat8_e4m3fnuz,
        at::kFloat8_e8m0fnu}) {
    const at::Tensor values = at::randn({3, 5}, at::kDouble).mul(40);
    ExpectRoundTrip(WithConstant(values.abs().to(dtype)));
  }
}

// There are no numbers of these that a kernel could make, but bytes.
TEST(RoundTrip, EveryByteOfSmallDtypes) {
  const at::Tensor bytes = at::arange(256, at::kByte);
  for (int8_t i = 0; i < static_cast<int8_t>(at::ScalarType::Undefined); ++i) {
    const auto dtype = static_cast<at::ScalarType>(i);
    if (c10::isQIntType(dtype) || dtype == at::kBool || c10::elementSize(dtype) != 1) continue;
    SCOPED_TRACE(dtype);
    ExpectRoundTrip(WithConstant(bytes.view(dtype)));
    // No kernel copies integers of a few bits, so that they have to lie in order.
    const bool is_copied = HoldsNumbers(dtype) || c10::isBitsType(dtype) || c10::isFloatingType(dtype);
    if (is_copied) ExpectRoundTrip(WithConstant(bytes.slice(0, 0, 6).view(dtype).view({2, 3}).t()));
  }
}

TEST(RoundTrip, IntegersLargerThanTheirLiterals) {
  const at::Tensor numbers = at::tensor(std::vector<int64_t>{-1, 1, INT64_MIN}, at::kLong);
  ExpectRoundTrip(WithConstant(numbers.view(at::kUInt64)));
  ExpectRoundTrip(WithConstant(numbers.view(at::kInt).view(at::kUInt32)));
  ExpectRoundTrip(WithConstant(numbers.view(at::kShort).view(at::kUInt16)));
}

TEST(RoundTrip, ConstantsOfEveryShapeAndStride) {
  const at::Tensor base = at::randn({4, 6});
  ExpectRoundTrip(WithConstant(at::scalar_tensor(2.5)));
  ExpectRoundTrip(WithConstant(at::empty({0, 3})));
  ExpectRoundTrip(WithConstant(base.t()));
  ExpectRoundTrip(WithConstant(base.slice(1, 1, 6, 2)));
  ExpectRoundTrip(WithConstant(base.select(0, 1).unsqueeze(0).expand({3, 6})));
  ExpectRoundTrip(WithConstant(at::randn({2, 3, 4, 5}).contiguous(at::MemoryFormat::ChannelsLast)));
}

TEST(RoundTrip, SpecialNumbersInConstants) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> special = {
      0.0, -0.0, infinity, -infinity, std::nan(""), 5e-324, 1e-45, 1.7976931348623157e308, 0.1};
  const at::Tensor values = at::tensor(special, at::kDouble);
  for (const at::ScalarType dtype : {at::kHalf, at::kBFloat16, at::kFloat, at::kDouble, at::kComplexFloat}) {
    ExpectRoundTrip(WithConstant(values.to(dtype)));
  }
}

TEST(RoundTrip, NansWithUnusualBits) {
  const at::Tensor bits =
      at::tensor(std::vector<int64_t>{0x7fc00001, 0x7f800001, -1, 0x3f800000}, at::kLong).to(at::kInt);
  ExpectRoundTrip(WithConstant(bits.view(at::kFloat)));
}

TEST(RoundTrip, RandomFloatsBitForBit) {
  const at::Tensor bits = at::randint(std::numeric_limits<int64_t>::min(),
                                      std::numeric_limits<int64_t>::max(), {2000}, at::kLong);
  ExpectRoundTrip(WithConstant(bits.view(at::kDouble)));
  ExpectRoundTrip(WithConstant(bits.view(at::kFloat)));
  ExpectRoundTrip(WithConstant(bits.view(at::kHalf)));
}

TEST(RoundTrip, EveryKindOfConstantArgument) {
  const std::string text =
      "class Repro:\n  def forward(self, x):\n"
      "    a = torch.ops.aten.full.default([2], complex(-0.0, float('nan')), dtype=torch.complex128, "
      "layout=torch.strided)\n"
      "    b = torch.ops.aten.clamp.default(x, -float('inf'), 5e-324)\n"
      "    c = torch.ops.aten.div.Tensor_mode(x, 3, rounding_mode='floor')\n"
      "    d = torch.ops.aten.clone.default(x, memory_format=torch.channels_last)\n"
      "    e = torch.ops.aten.index.Tensor(x, [None, c])\n"
      "    f = torch.ops.aten.convolution_backward.default(x, x, x, [0], [1, 1], [0, 0], [1, 1], False, [0, "
      "0], 1, "
      "[True, False, True])\n"
      "    g = f[0]\n"
      "    h = torch.ops.aten.to.dtype_layout(x, dtype=torch.float64, layout=torch.sparse_coo, "
      "device=torch.device('cpu'))\n"
      "    return (a, b, d, e, g, h, None, 3, True, 'text')\n";
  ExpectRoundTrip(ReadValidScript(text).graph);
}

TEST(PrintScript, KeepsWhatIsKnownAboutTheInputs) {
  const std::string text =
      "class Repro:\n    def forward(self, x, y, s0, g):\n        return (x,)\ndef load_args(reader):\n"
      "    buf0 = reader.storage('0123abcd', 4096, device=device(type='cuda', index=0), "
      "dtype_hint=torch.int64)\n"
      "    reader.tensor(buf0, (4, 8), (1, 4), storage_offset=3, dtype=torch.int64)\n"
      "    reader.tensor(buf0, (2,), dtype=torch.complex64, requires_grad=True, conj=True, neg=True, "
      "is_leaf=True)\n"
      "    reader.symint(7, expr='s0 + 1')\n    reader.generator('cuda', 0)\nload_args._version = 0\n";
  const Script script = ReadValidScript(text);
  const Script again = ReadValidScript(*PrintScript(script));
  EXPECT_EQ(again.inputs, script.inputs);
  EXPECT_EQ(again.graph, script.graph);
}

TEST(PrintScript, KeepsStoragesThatNoInputUses) {
  const Script script = ReadValidScript(
      "class Repro:\n    def forward(self, x):\n        return (x,)\ndef load_args(reader):\n"
      "    buf0 = reader.storage(None, 4)\n    buf1 = reader.storage(None, 8)\n"
      "    reader.tensor(buf1, (2,))\n    buf2 = reader.storage(None, 16)\nload_args._version = 0\n");
  ASSERT_EQ(script.inputs->storages.size(), 3);
  EXPECT_EQ(ReadValidScript(*PrintScript(script)).inputs, script.inputs);
}

TEST(PrintScript, TheGeneratorOfTheCpuHasNoIndex) {
  const Script script = ReadValidScript(
      "class Repro:\n    def forward(self, g):\n        return (None,)\ndef load_args(reader):\n"
      "    reader.generator('cpu:3', 1)\nload_args._version = 0\n");
  EXPECT_EQ(std::get<GeneratorSpec>(script.inputs->inputs[0]).device, at::Device("cpu"));
  EXPECT_EQ(ReadValidScript(*PrintScript(script)).inputs, script.inputs);
}

TEST(PrintScript, KeepsContentsOfStorages) {
  const std::string lines =
      "    buf0 = fill(reader.storage(None, 8), torch.tensor([1.5, float('inf')], dtype=torch.float32))\n"
      "    reader.tensor(buf0, (2,))  # x\n"
      "    buf1 = fill(reader.storage(None, 4096), stored('5e1f', 4096))\n"
      "    reader.tensor(buf1, (1024,))  # y\n"
      "    buf2 = fill(reader.storage(None, 40), torch.randn(10, dtype=torch.float32, generator=seeded(7)))\n"
      "    reader.tensor(buf2, (10,))  # z\n"
      "    buf3 = fill(reader.storage(None, 40), torch.rand(5, dtype=torch.float64, generator=seeded(8)))\n"
      "    reader.tensor(buf3, (5,), dtype=torch.float64)  # u\n"
      "    buf4 = fill(reader.storage(None, 80), torch.randint(-3, 9, (10,), dtype=torch.int64, "
      "generator=seeded(9)))\n"
      "    reader.tensor(buf4, (10,), dtype=torch.int64)  # v\n";
  const Script script = ReadValidScript(
      "class Repro:\n    def forward(self, x, y, z, u, v):\n        return (x,)\ndef load_args(reader):\n" +
      lines + "load_args._version = 0\n");
  EXPECT_THAT(*PrintScript(script), testing::HasSubstr("def load_args(reader):\n" + lines + "load_args"));
}

TEST(PrintScript, KeepsInputsThatPyTorchHasNoWordsFor) {
  const std::string lines =
      "    buf0 = reader.storage(None, 32)\n"
      "    buf1 = reader.storage(None, 8)\n"
      "    sparse(reader, (3, 4), piece(buf0, (2, 2), (1, 2), dtype=torch.int64), piece(buf1, (2,)), "
      "coalesced=True, requires_grad=True)  # x\n"
      "    buf2 = reader.storage(None, 6)\n"
      "    quantized(reader, piece(buf2, (2, 3), dtype=torch.int8), 0.1, -3)  # y\n"
      "    buf3 = reader.storage(None, 16)\n"
      "    buf4 = reader.storage(None, 16)\n"
      "    quantized(reader, piece(buf2, (2, 3), dtype=torch.int8), piece(buf3, (2,), dtype=torch.float64), "
      "piece(buf4, (2,), dtype=torch.int64), axis=0)  # z\n"
      "    put(reader, -0.5)  # u\n"
      "    put(reader, 'mean')  # v\n"
      "    put(reader, seeded(-7))  # w\n";
  const Script script = ReadValidScript(
      "class Repro:\n    def forward(self, x, y, z, u, v, w):\n        return (x,)\ndef "
      "load_args(reader):\n" +
      lines + "load_args._version = 0\n");
  EXPECT_THAT(*PrintScript(script), testing::HasSubstr("def load_args(reader):\n" + lines + "load_args"));
}

TEST(PrintScript, KeepsTheHeader) {
  for (const std::string header : {"{}", "{\n  \"a\": \"\\n\"\n}\n", "it's\n", "'''\n", "\r\n", "\xff\n"}) {
    Script script = ReadValidScript("class Repro:\n    def forward(self, x):\n        return (x,)\n");
    EXPECT_EQ(script.header, std::nullopt);
    script.header = header;
    EXPECT_EQ(ReadValidScript(*PrintScript(script)).header, header);
  }
}

TEST(PrintScript, KeepsWhereTheDataOfConstantsCameFrom) {
  const std::string lines =
      "        self.register_buffer('a', stored('5e1f', 32).view(torch.float32).reshape((2, 4)))\n"
      "        self.register_buffer('b', stored('5e1f', 32).view(torch.float32).as_strided((4, 2), (1, 4)))\n"
      "        self.register_buffer('c', torch.randn(8, dtype=torch.float64, generator=seeded(7)))\n"
      "        self.register_buffer('e', stored('5e1f', 32, 4294967295).view(torch.float32))\n"
      "        self.register_buffer('f', (1 - torch.rand(6, dtype=torch.float64, "
      "generator=seeded(9))).view(torch.complex128))\n"
      "        self.register_buffer('d', torch.randint(0, 2, (1,), dtype=torch.bool, "
      "generator=seeded(8)).reshape(()))\n";
  const std::string text =
      "class Repro(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n" + lines +
      "\n    def forward(self):\n        return (self.a, self.b, self.c, self.d, self.e, self.f)\n";
  const Script script = ReadValidScript(text);
  EXPECT_THAT(*PrintScript(script), testing::HasSubstr("__init__()\n" + lines + "\n"));
  EXPECT_EQ(script.random_constants, (std::vector<std::string>{"c", "f", "d"}));
  std::vector<std::string> missing;
  for (const MissingConstant& constant : script.missing_constants) missing.push_back(constant.name);
  EXPECT_EQ(missing, (std::vector<std::string>{"a", "b", "e"}));
}

}  // namespace
}  // namespace culprit::graph::text
