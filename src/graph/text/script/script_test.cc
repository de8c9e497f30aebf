// SPDX-License-Identifier: Apache-2.0
#include "graph/text/script/script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/tensor.h>

#include <cmath>
#include <limits>

#include "graph/analysis/structural_hash.h"
#include "graph/ir/verify.h"
#include "graph/tensors/dtypes.h"

namespace culprit::graph::text {
namespace {

Script Read(const std::string& text) {
  base::Result<Script> script = ReadScript("net.py", text);
  EXPECT_TRUE(script.ok()) << script.error().Render();
  EXPECT_TRUE(Verify(script->graph).ok()) << Verify(script->graph).error().message;
  return *std::move(script);
}

/// The lines of forward behind its header, as they are printed.
std::string BodyOf(const Graph& graph) {
  const std::string text = *PrintGraph(graph);
  return text.substr(text.find('\n', text.find("def forward")) + 1);
}

std::string Body(const std::string& statements, const std::string& parameters = "x, y") {
  return BodyOf(Read("class Repro:\n  def forward(self, " + parameters + "):\n" + statements).graph);
}

TEST(ReadScript, KeepsNamesAndFillsInNothingThatIsADefault) {
  EXPECT_EQ(Body("    a = torch.ops.aten.add.Tensor(x, y, alpha = 1)\n    return (a,)\n"),
            "        a = torch.ops.aten.add.Tensor(x, y)\n"
            "        return (a,)\n");
}

TEST(ReadScript, TakesConstantsThatTheTextDoesNotHold) {
  const at::Tensor weight = at::full({2}, 3);
  const base::Result<Script> script =
      ReadScript("net.py",
                 "class Repro:\n    def forward(self, x):\n        w = self.inner.weight\n"
                 "        return (torch.ops.aten.add.Tensor(x, w),)\n",
                 {.constants = {{"inner.weight", weight}}});
  ASSERT_TRUE(script.ok()) << script.error().Render();
  EXPECT_TRUE(script->warnings.empty());
  ASSERT_EQ(script->graph.constants().size(), 1U);
  EXPECT_TRUE(script->graph.constants()[0].tensor.is_same(weight));
  EXPECT_EQ(script->graph.placeholders().size(), 1U);
}

TEST(ReadScript, ReadsDeletesTailsAndBlankLines) {
  EXPECT_EQ(Body("    a = torch.ops.aten.relu.default(x);  x = None\n\n"
                 "    b = torch.ops.aten.mul.Tensor(a, y);  a = y = None\n"
                 "    del a\n    return [b, None]\n"),
            "        a = torch.ops.aten.relu.default(x)\n"
            "        b = torch.ops.aten.mul.Tensor(a, y)\n"
            "        return (b, None)\n");
}

TEST(ReadScript, ResolvesGetitemOfSeveralResults) {
  EXPECT_EQ(
      Body("    max_1 = torch.ops.aten.max.dim(x, 1)\n    getitem = max_1[0]\n    getitem_1 = max_1[1]\n"
           "    return (getitem_1, getitem)\n"),
      "        getitem, getitem_1 = torch.ops.aten.max.dim(x, 1)\n"
      "        return (getitem_1, getitem)\n");
}

TEST(ReadScript, NamesUnusedResultsAfterTheirNode) {
  EXPECT_EQ(Body("    max_1 = torch.ops.aten.max.dim(x, 1)\n    values = max_1[0]\n    return (values,)\n"),
            "        values, max_1 = torch.ops.aten.max.dim(x, 1)\n"
            "        return (values,)\n");
}

TEST(ReadScript, KeepsGetitemOfLists) {
  EXPECT_EQ(Body("    split = torch.ops.aten.split.Tensor(x, 2)\n    a = split[0]\n    b = split[-1]\n    "
                 "return (a, b)\n"),
            "        split = torch.ops.aten.split.Tensor(x, 2)\n"
            "        a = split[0]\n"
            "        b = split[-1]\n"
            "        return (a, b)\n");
}

TEST(ReadScript, RenamesASecondValueOfTheSameName) {
  EXPECT_EQ(
      Body(
          "    x = torch.ops.aten.relu.default(x)\n    x = torch.ops.aten.neg.default(x)\n    return (x,)\n"),
      "        x_1 = torch.ops.aten.relu.default(x)\n"
      "        x_2 = torch.ops.aten.neg.default(x_1)\n"
      "        return (x_2,)\n");
}

TEST(ReadScript, ReadsSizeArithmeticAndFoldsConstants) {
  EXPECT_EQ(Body("    a = s0 * 2\n    b = a // 3 + 1\n    c = 3 * 4\n"
                 "    v = torch.ops.aten.view.default(x, [b, c, -s0])\n    return (v,)\n",
                 "s0, x"),
            "        a = s0 * 2\n"
            "        floordiv = a // 3\n"
            "        b = floordiv + 1\n"
            "        neg = -s0\n"
            "        v = torch.ops.aten.view.default(x, [b, 12, neg])\n"
            "        return (v,)\n");
}

TEST(ReadScript, InfersThatAPlaceholderIsASize) {
  const Script script = Read(
      "class Repro:\n  def forward(self, s0, x):\n"
      "    v = torch.ops.aten.view.default(x, [s0, 4])\n    return (v,)\n");
  EXPECT_EQ(script.graph.values()[0].kind, ValueKind::kInt);
  EXPECT_EQ(script.graph.values()[1].kind, ValueKind::kTensor);
}

TEST(ReadScript, RepeatsASingleNumberForAListOfFixedLength) {
  EXPECT_EQ(Body("    c = torch.ops.aten.conv2d.default(x, y, None, 2, padding=[1, 1])\n    return (c,)\n"),
            "        c = torch.ops.aten.conv2d.default(x, y, None, [2, 2], [1, 1])\n"
            "        return (c,)\n");
}

TEST(ReadScript, KeepsTheTypeOfNumbersInTensorSlots) {
  EXPECT_EQ(Body("    a = torch.ops.aten.mul.Tensor(x, 2)\n    b = torch.ops.aten.mul.Tensor(a, 2.0)\n"
                 "    c = torch.ops.aten.mul.Tensor(b, True)\n    return (c,)\n"),
            "        a = torch.ops.aten.mul.Tensor(x, 2)\n"
            "        b = torch.ops.aten.mul.Tensor(a, 2.0)\n"
            "        c = torch.ops.aten.mul.Tensor(b, True)\n"
            "        return (c,)\n");
}

TEST(ReadScript, ChoosesTheOverloadThatFitsWhenNoneIsNamed) {
  EXPECT_EQ(Body("    a = torch.ops.aten.sum(x, [1])\n    return (a,)\n"),
            "        a = torch.ops.aten.sum.dim_IntList(x, [1])\n"
            "        return (a,)\n");
}

TEST(ReadScript, KeepsDevicesUntilTheyAreMapped) {
  EXPECT_EQ(
      Body("    a = torch.ops.aten.full.default([2], 1, dtype = torch.float64, device = "
           "device(type='cuda', index=1), pin_memory = False)\n    return (a,)\n"),
      "        a = torch.ops.aten.full.default([2], 1, dtype=torch.float64, device=torch.device('cuda:1'), "
      "pin_memory=False)\n"
      "        return (a,)\n");
}

TEST(ReadScript, TranslatesOperatorsOfLaterVersions) {
  EXPECT_EQ(
      Body("    a = torch.ops.prims.convert_element_type.default(x, torch.bfloat16)\n    return (a,)\n"),
      "        a = torch.ops.aten._to_copy.default(x, dtype=torch.bfloat16)\n"
      "        return (a,)\n");
}

TEST(ReadScript, PassesOverEverythingElse) {
  const Script script = Read(
      "import os\nos.environ['A'] = 'b'\nimport "
      "torch._dynamo.config\ntorch._dynamo.config.load_config(b'\\x80\\x02')\n"
      "try:\n    from x import y\nexcept ImportError:\n    y = lambda z: {**z, 1: [*z]}\n"
      "@decorated\ndef helper(a, *args, b=f'{1}', **kwargs):\n    for i in range(3):\n        yield i\n"
      "class Other(torch.nn.Module):\n    x: int = 3\n"
      "class Repro(torch.nn.Module):\n    def __init__(self) -> None:\n        super().__init__()\n"
      "    def forward(self, a):\n        '''text'''\n        # comment\n        return (a,)\n"
      "if __name__ == '__main__':\n    with torch.no_grad(): run(a); b\n");
  EXPECT_EQ(script.graph.placeholders().size(), 1u);
}

TEST(ReadScript, ReadsThePlaceholderKindsAndTheName) {
  const std::string text =
      "class Repro(torch.nn.Module):\n    graph_name = 'net_0_forward'\n"
      "    placeholder_kinds = {'w': 'parameter', 'm': 'buffer'}\n    def forward(self, x, w, m):\n        "
      "return (x,)\n";
  const Script script = Read(text);
  EXPECT_EQ(script.graph.name(), "net_0_forward");
  EXPECT_EQ(script.graph.placeholders()[0].kind, PlaceholderKind::kInput);
  EXPECT_EQ(script.graph.placeholders()[1].kind, PlaceholderKind::kParameter);
  EXPECT_EQ(script.graph.placeholders()[2].kind, PlaceholderKind::kBuffer);
  EXPECT_EQ(Read(*PrintGraph(script.graph)).graph, script.graph);
}

TEST(ReadScript, ReadsTheSymbolsOfPlaceholders) {
  const std::string text =
      "class Repro(torch.nn.Module):\n"
      "    placeholder_symbols = {'x': ['s0', None, 's1'], 's2': ['s2']}\n\n"
      "    def __init__(self):\n        super().__init__()\n\n"
      "    def forward(self, x, w, s2: 'int'):\n        return (x,)\n";
  const Script script = Read(text);
  EXPECT_EQ(script.graph.placeholders()[0].symbols, (std::vector<std::string>{"s0", "", "s1"}));
  EXPECT_TRUE(script.graph.placeholders()[1].symbols.empty());
  EXPECT_EQ(script.graph.placeholders()[2].symbols, std::vector<std::string>{"s2"});
  EXPECT_EQ(*PrintGraph(script.graph), text);
}

TEST(ReadScript, WarnsAboutVersions) {
  const std::string graph =
      "class Repro:\n    def forward(self):\n        return ()\ndef load_args(reader):\n    pass\n";
  EXPECT_EQ(Read(graph).warnings.at(0).message, "load_args has no version; it is read as version 0");
  EXPECT_EQ(Read(graph + "load_args._version = 2\n").warnings.at(0).message,
            "load_args has version 2, newer than the known version 0");
  EXPECT_TRUE(Read(graph + "load_args._version = 0\n").warnings.empty());
}

TEST(ReadScript, TurnsABufferWithoutDataIntoAnInput) {
  const Script script = Read(
      "class Repro:\n    def forward(self, x):\n        c = self._tensor_constant0\n"
      "        y = torch.ops.aten.add.Tensor(x, c)\n        return (y,)\n");
  EXPECT_EQ(script.graph.placeholders().size(), 2u);
  EXPECT_EQ(script.graph.placeholders()[1].kind, PlaceholderKind::kBuffer);
  EXPECT_EQ(script.warnings.at(0).message, "buffer '_tensor_constant0' has no data; it is an input now");
}

TEST(ReadScript, WarnsOnceAboutAllBuffersWithoutData) {
  std::string body;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h"})
    body += std::string("        ") + name + " = self." + name + "\n";
  const Script script = Read(
      "class Repro:\n    def __init__(self):\n        self.register_buffer('a', None)\n"
      "    def forward(self, x):\n" +
      body + "        return (x,)\n");
  EXPECT_EQ(script.graph.placeholders().size(), 9u);
  ASSERT_EQ(script.warnings.size(), 1u);
  EXPECT_EQ(script.warnings[0].message,
            "8 buffers have no data; they are inputs now: b, c, d, e, f, g and 2 more");
}

TEST(ReadScript, MakesUpTheSameRandomConstantEveryTime) {
  const std::string text =
      "class Repro:\n    def __init__(self):\n        self.register_buffer('c', torch.randn([8]))\n"
      "    def forward(self, x):\n        return (self.c,)\n";
  const Script script = Read(text);
  EXPECT_EQ(script.random_constants, std::vector<std::string>{"c"});
  EXPECT_EQ(script.graph, Read(text).graph);
}

Script ReadWithInit(const std::string& line) {
  return Read("class Repro:\n    def __init__(self):\n        " + line +
              "\n    def forward(self, x):\n        return (self.w,)\n");
}

TEST(ReadScript, AttributesThatAreTensorsAreConstants) {
  for (const char* made :
       {"torch.tensor([1.0])", "torch.nn.Parameter(torch.tensor([1.0]))",
        "torch.nn.Buffer(torch.tensor([1.0]))", "torch.ones([1])", "torch.ones([1]).cuda()"}) {
    const Script script = ReadWithInit(std::string("self.w = ") + made);
    ASSERT_EQ(script.graph.constants().size(), 1u) << made;
    EXPECT_EQ(script.graph.constants()[0].tensor.item<float>(), 1) << made;
    EXPECT_TRUE(script.warnings.empty()) << made;
  }
  EXPECT_EQ(ReadWithInit("self.w = torch.randn([2])").random_constants, std::vector<std::string>{"w"});
  EXPECT_EQ(ReadWithInit("self.w = stored('ab', 4).view(torch.float32)").constant_contents.at(0),
            StorageContents(StoredBytes{"ab"}));
}

TEST(ReadScript, PassesOverAttributesThatNobodyNeeds) {
  for (const char* line :
       {"self.fw_graph0 = <lambda>()", "self.f = lambda x: x", "self.c = torch.tensor(['a'])"}) {
    const Script script = ReadWithInit(std::string(line) + "\n        self.w = torch.tensor(1.0)");
    EXPECT_EQ(script.graph.constants().size(), 1u) << line;
  }
}

TEST(ReadScript, KnowsTheLineOfEveryNode) {
  const Script script = Read(
      "class Repro:\n    def forward(self, x):\n        a = torch.ops.aten.relu.default(x)\n\n"
      "        b = torch.ops.aten.mul.Tensor(a, 2);  c = torch.ops.aten.neg.default(b)\n        return "
      "(c,)\n");
  EXPECT_EQ(script.node_lines, (std::vector<uint32_t>{3, 5, 5}));
}

TEST(ReadScript, BindsSymbolsInOrderOfAppearance) {
  const Script script = Read(
      "class Repro:\n    def forward(self, a, b, x):\n        return (x,)\ndef load_args(reader):\n"
      "    reader.symint(3)\n    reader.symint(5)\n    buf0 = reader.storage(None, 4*s1*s7)\n"
      "    reader.tensor(buf0, (s1, s7), is_leaf=True)\nload_args._version = 0\n");
  EXPECT_EQ(std::get<TensorSpec>(script.inputs->inputs[2]).sizes, (std::vector<int64_t>{3, 5}));
}

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
  ExpectRoundTrip(Read(text).graph);
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
  const Script script = Read(text);
  const Script again = Read(*PrintScript(script));
  EXPECT_EQ(again.inputs, script.inputs);
  EXPECT_EQ(again.graph, script.graph);
}

TEST(PrintScript, KeepsStoragesThatNoInputUses) {
  const Script script = Read(
      "class Repro:\n    def forward(self, x):\n        return (x,)\ndef load_args(reader):\n"
      "    buf0 = reader.storage(None, 4)\n    buf1 = reader.storage(None, 8)\n"
      "    reader.tensor(buf1, (2,))\n    buf2 = reader.storage(None, 16)\nload_args._version = 0\n");
  ASSERT_EQ(script.inputs->storages.size(), 3);
  EXPECT_EQ(Read(*PrintScript(script)).inputs, script.inputs);
}

TEST(PrintScript, TheGeneratorOfTheCpuHasNoIndex) {
  const Script script = Read(
      "class Repro:\n    def forward(self, g):\n        return (None,)\ndef load_args(reader):\n"
      "    reader.generator('cpu:3', 1)\nload_args._version = 0\n");
  EXPECT_EQ(std::get<GeneratorSpec>(script.inputs->inputs[0]).device, at::Device("cpu"));
  EXPECT_EQ(Read(*PrintScript(script)).inputs, script.inputs);
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
  const Script script = Read(
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
  const Script script = Read(
      "class Repro:\n    def forward(self, x, y, z, u, v, w):\n        return (x,)\ndef "
      "load_args(reader):\n" +
      lines + "load_args._version = 0\n");
  EXPECT_THAT(*PrintScript(script), testing::HasSubstr("def load_args(reader):\n" + lines + "load_args"));
}

TEST(PrintScript, KeepsTheHeader) {
  for (const std::string header : {"{}", "{\n  \"a\": \"\\n\"\n}\n", "it's\n", "'''\n", "\r\n", "\xff\n"}) {
    Script script = Read("class Repro:\n    def forward(self, x):\n        return (x,)\n");
    EXPECT_EQ(script.header, std::nullopt);
    script.header = header;
    EXPECT_EQ(Read(*PrintScript(script)).header, header);
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
  const Script script = Read(text);
  EXPECT_THAT(*PrintScript(script), testing::HasSubstr("__init__()\n" + lines + "\n"));
  EXPECT_EQ(script.random_constants, (std::vector<std::string>{"c", "f", "d"}));
  std::vector<std::string> missing;
  for (const MissingConstant& constant : script.missing_constants) missing.push_back(constant.name);
  EXPECT_EQ(missing, (std::vector<std::string>{"a", "b", "e"}));
}

TEST(ReadScript, ConstantsAreLoadedFromTheStore) {
  const ReadOptions options{.load = [](std::string_view /*hash*/, int64_t bytes) -> base::Result<at::Tensor> {
    return at::full({bytes}, 1, at::kByte);
  }};
  const auto script = ReadScript("net.py",
                                 "class Repro:\n    def __init__(self):\n"
                                 "        self.register_buffer('a', stored('5e1f', 4).view(torch.int32))\n"
                                 "    def forward(self):\n        return (self.a,)\n",
                                 options);
  EXPECT_EQ(script->graph.constants()[0].tensor.item<int>(), 0x01010101);
  EXPECT_TRUE(script->random_constants.empty());
}

}  // namespace
}  // namespace culprit::graph::text
