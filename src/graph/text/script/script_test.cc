// SPDX-License-Identifier: Apache-2.0
#include "graph/text/script/script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ATen/ops/full.h>

#include "graph/tensors/dtypes.h"
#include "graph/text/script/script_test.h"

namespace culprit::graph::text {
namespace {

/// The lines of forward behind its header, as they are printed.
std::string BodyOf(const Graph& graph) {
  const std::string text = *PrintGraph(graph);
  return text.substr(text.find('\n', text.find("def forward")) + 1);
}

std::string Body(const std::string& statements, const std::string& parameters = "x, y") {
  return BodyOf(
      ReadValidScript("class Repro:\n  def forward(self, " + parameters + "):\n" + statements).graph);
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
  const Script script = ReadValidScript(
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
  const Script script = ReadValidScript(
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
  const Script script = ReadValidScript(text);
  EXPECT_EQ(script.graph.name(), "net_0_forward");
  EXPECT_EQ(script.graph.placeholders()[0].kind, PlaceholderKind::kInput);
  EXPECT_EQ(script.graph.placeholders()[1].kind, PlaceholderKind::kParameter);
  EXPECT_EQ(script.graph.placeholders()[2].kind, PlaceholderKind::kBuffer);
  EXPECT_EQ(ReadValidScript(*PrintGraph(script.graph)).graph, script.graph);
}

TEST(ReadScript, ReadsTheSymbolsOfPlaceholders) {
  const std::string text =
      "class Repro(torch.nn.Module):\n"
      "    placeholder_symbols = {'x': ['s0', None, 's1'], 's2': ['s2']}\n\n"
      "    def __init__(self):\n        super().__init__()\n\n"
      "    def forward(self, x, w, s2: 'int'):\n        return (x,)\n";
  const Script script = ReadValidScript(text);
  EXPECT_EQ(script.graph.placeholders()[0].symbols, (std::vector<std::string>{"s0", "", "s1"}));
  EXPECT_TRUE(script.graph.placeholders()[1].symbols.empty());
  EXPECT_EQ(script.graph.placeholders()[2].symbols, std::vector<std::string>{"s2"});
  EXPECT_EQ(*PrintGraph(script.graph), text);
}

TEST(ReadScript, WarnsAboutVersions) {
  const std::string graph =
      "class Repro:\n    def forward(self):\n        return ()\ndef load_args(reader):\n    pass\n";
  EXPECT_EQ(ReadValidScript(graph).warnings.at(0).message,
            "load_args has no version; it is read as version 0");
  EXPECT_EQ(ReadValidScript(graph + "load_args._version = 2\n").warnings.at(0).message,
            "load_args has version 2, newer than the known version 0");
  EXPECT_TRUE(ReadValidScript(graph + "load_args._version = 0\n").warnings.empty());
}

TEST(ReadScript, TurnsABufferWithoutDataIntoAnInput) {
  const Script script = ReadValidScript(
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
  const Script script = ReadValidScript(
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
  const Script script = ReadValidScript(text);
  EXPECT_EQ(script.random_constants, std::vector<std::string>{"c"});
  EXPECT_EQ(script.graph, ReadValidScript(text).graph);
}

Script ReadWithInit(const std::string& line) {
  return ReadValidScript("class Repro:\n    def __init__(self):\n        " + line +
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
  const Script script = ReadValidScript(
      "class Repro:\n    def forward(self, x):\n        a = torch.ops.aten.relu.default(x)\n\n"
      "        b = torch.ops.aten.mul.Tensor(a, 2);  c = torch.ops.aten.neg.default(b)\n        return "
      "(c,)\n");
  EXPECT_EQ(script.node_lines, (std::vector<uint32_t>{3, 5, 5}));
}

TEST(ReadScript, BindsSymbolsInOrderOfAppearance) {
  const Script script = ReadValidScript(
      "class Repro:\n    def forward(self, a, b, x):\n        return (x,)\ndef load_args(reader):\n"
      "    reader.symint(3)\n    reader.symint(5)\n    buf0 = reader.storage(None, 4*s1*s7)\n"
      "    reader.tensor(buf0, (s1, s7), is_leaf=True)\nload_args._version = 0\n");
  EXPECT_EQ(std::get<TensorSpec>(script.inputs->inputs[2]).sizes, (std::vector<int64_t>{3, 5}));
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
