// SPDX-License-Identifier: Apache-2.0
//
// What people have published of PyTorch's scripts: one file in tests/fixtures/scripts for each thing that is
// odd about them, and what has to be read there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/text/script/script.h"
#include "tests/lib/fixtures.h"

namespace culprit::graph::text {
namespace {

using testing::ElementsAre;

Script Read(const std::string& name) {
  return tests::ReadFixtureScript("tests/fixtures/scripts/" + name + ".py");
}

std::vector<std::string> Warnings(const Script& script) {
  std::vector<std::string> messages;
  for (const base::Diagnostic& warning : script.warnings) messages.push_back(warning.message);
  return messages;
}

std::string BodyOf(const Script& script) {
  const std::string text = *PrintGraph(script.graph);
  return text.substr(text.find('\n', text.find("def forward")) + 1);
}

const TensorSpec& TensorAt(const Script& script, size_t index) {
  return std::get<TensorSpec>(script.inputs->inputs.at(index));
}

TEST(PublishedScripts, LoadArgsWithoutABodyIsNoInputs) {
  const Script script = Read("empty_load_args");
  EXPECT_EQ(script.inputs, InputSpecs{});
  EXPECT_TRUE(script.warnings.empty());
}

TEST(PublishedScripts, LoadArgsWithoutABodySaysNothingOfParameters) {
  const base::Result<Script> script = ReadScript("net.py",
                                                 "class Repro:\n    def forward(self, x, y: 'f32[s0]'):\n"
                                                 "        return (x,)\ndef load_args(reader):\n"
                                                 "load_args._version = 0\n");
  ASSERT_TRUE(script.ok()) << script.error().Render();
  EXPECT_EQ(script->inputs, std::nullopt);
  EXPECT_THAT(Warnings(*script), ElementsAre("load_args describes no inputs, and forward has some"));
}

TEST(PublishedScripts, AnnotationsDescribeInputsIfNothingElseDoes) {
  const Script script = Read("inputs_from_annotations");
  ASSERT_TRUE(script.inputs);
  ASSERT_EQ(script.inputs->inputs.size(), 4);
  EXPECT_EQ(std::get<IntSpec>(script.inputs->inputs[0]).value, 5);
  EXPECT_EQ(TensorAt(script, 1).strides, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(TensorAt(script, 2).sizes, (std::vector<int64_t>{5, 4}));
  EXPECT_EQ(TensorAt(script, 2).strides, (std::vector<int64_t>{4, 1}));
  EXPECT_EQ(TensorAt(script, 2).dtype, at::kLong);
  EXPECT_EQ(TensorAt(script, 3).dtype, at::kBFloat16);
  EXPECT_EQ(script.inputs->storages.at(2).bytes, 2);
  EXPECT_THAT(Warnings(script),
              ElementsAre("load_args describes no inputs; those that forward annotates are taken"));
}

TEST(PublishedScripts, AFileWithoutLoadArgsMayHaveAnnotations) {
  const base::Result<Script> script = ReadScript(
      "net.py", "class Repro:\n    def forward(self, x: 'f32[2, 3][3, 1]cuda:0'):\n        return (x,)\n");
  ASSERT_TRUE(script.ok()) << script.error().Render();
  EXPECT_EQ(TensorAt(*script, 0).sizes, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(script->inputs->storages.at(0).device, at::Device("cuda:0"));
  EXPECT_TRUE(script->warnings.empty());
}

TEST(PublishedScripts, CommentsStandForInputsThatWereNotDumped) {
  const Script script = Read("inputs_not_dumped");
  ASSERT_EQ(script.inputs->inputs.size(), 4);
  EXPECT_TRUE(std::holds_alternative<GeneratorSpec>(script.inputs->inputs[1]));
  EXPECT_EQ(script.inputs->inputs[2], InputSpec(AbsentSpec{AbsentSpec::Reason::kUnsupported, "list"}));
  EXPECT_EQ(TensorAt(script, 3).sizes, (std::vector<int64_t>{3}));
}

TEST(PublishedScripts, TheFifthEntrySaysWhetherAGradientIsWanted) {
  const Script script = Read("inputs_with_gradients");
  EXPECT_TRUE(TensorAt(script, 0).requires_grad);
  EXPECT_FALSE(TensorAt(script, 1).requires_grad);
}

TEST(PublishedScripts, CallsWithARandomStateArePlainCalls) {
  EXPECT_EQ(BodyOf(Read("random_states")),
            "        getitem_2, getitem_3 = torch.ops.aten.native_dropout.default(arg0_1, 0.5, True)\n"
            "        getitem = torch.ops.aten.zeros.default([16], dtype=torch.uint8)\n"
            "        run_with_rng_state = torch.ops.aten.bernoulli.p(arg0_1, 0.5)\n"
            "        return (getitem, getitem_2, getitem_3, run_with_rng_state)\n");
}

TEST(PublishedScripts, SizesAreRoundedByFunctionsOfMath) {
  EXPECT_EQ(BodyOf(Read("rounded_sizes")),
            "        truediv = arg0_1 / 2\n"
            "        ceil = math.ceil(truediv)\n"
            "        add = ceil + 3\n"
            "        sym_sqrt = math.sqrt(arg0_1)\n"
            "        sym_int = int(sym_sqrt)\n"
            "        sym_float = float(add)\n"
            "        sub = sym_float - 0.5\n"
            "        ceil_1 = math.ceil(sub)\n"
            "        add_1 = sym_float + 0.5\n"
            "        floor = math.floor(add_1)\n"
            "        sub_1 = floor - ceil_1\n"
            "        mod = ceil_1 % 2\n"
            "        mul = sub_1 * mod\n"
            "        round_1 = ceil_1 + mul\n"
            "        view = torch.ops.aten.view.default(arg1_1, [arg0_1, -1])\n"
            "        slice_1 = torch.ops.aten.slice.Tensor(view, 0, 0, ceil)\n"
            "        return (slice_1, add, sym_int, 2, round_1)\n");
}

TEST(PublishedScripts, RoundingIsHalfToEven) {
  std::string body;
  std::string results;
  for (const char* number : {"0.5", "1.5", "2.5", "-0.5", "-1.5", "2.4", "2.6", "-2.6", "7"}) {
    body += "        r" + std::to_string(results.size()) + " = round(" + number + ")\n";
    results += "r" + std::to_string(results.size()) + ", ";
  }
  const base::Result<Script> script = ReadScript(
      "net.py", "class Repro:\n    def forward(self):\n" + body + "        return (" + results + ")\n");
  ASSERT_TRUE(script.ok()) << script.error().Render();
  EXPECT_EQ(BodyOf(*script), "        return (0, 2, 2, 0, -2, 2, 3, -3, 7)\n");
}

TEST(PublishedScripts, SizesWithoutBackingAreMadeUp) {
  const Script script = Read("unbacked_sizes");
  EXPECT_EQ(TensorAt(script, 0).sizes, (std::vector<int64_t>{8}));
  EXPECT_EQ(TensorAt(script, 1).sizes, (std::vector<int64_t>{3, 8}));
  EXPECT_EQ(script.inputs->inputs.at(2), InputSpec(IntSpec{8, "u3"}));
  EXPECT_EQ(script.inputs->inputs.at(3), InputSpec(IntSpec{7, "2*u1 + 1"}));
  EXPECT_THAT(Warnings(script),
              ElementsAre("sizes that depend on data were made up: u0 = 8, u2 = 8, u3 = 8"));
  EXPECT_EQ(script.warnings[0].help, "choose others in lines above the class, such as: u0 = 8");
}

TEST(PublishedScripts, FreedStoragesAreAsLargeAsTheirTensorsNeed) {
  const Script script = Read("freed_storages");
  std::vector<int64_t> bytes;
  for (const StorageSpec& storage : script.inputs->storages) bytes.push_back(storage.bytes);
  EXPECT_THAT(bytes, ElementsAre(0, 44, 12));
  EXPECT_THAT(Warnings(script), ElementsAre("the storage of this tensor has 0 bytes; it is made as large as "
                                            "its tensors need, like 1 other storage behind it"));
}

TEST(PublishedScripts, ARankRunsCollectivesOnItsOwn) {
  EXPECT_EQ(
      BodyOf(Read("collectives")),
      "        all_reduce = torch.ops.aten.clone.default(arg0_1, memory_format=torch.contiguous_format)\n"
      "        atleast_1d = torch.ops.aten.atleast_1d.default(all_reduce)\n"
      "        clone = torch.ops.aten.clone.default(atleast_1d, memory_format=torch.contiguous_format)\n"
      "        all_gather_into_tensor = torch.ops.aten.cat.default([clone, clone])\n"
      "        sym_size = torch.ops.aten.sym_size.int(all_gather_into_tensor, 0)\n"
      "        floordiv = sym_size // 2\n"
      "        slice = torch.ops.aten.slice.Tensor(all_gather_into_tensor, 0, 0, floordiv)\n"
      "        reduce_scatter_tensor = torch.ops.aten.clone.default(slice, "
      "memory_format=torch.contiguous_format)\n"
      "        return (all_gather_into_tensor, reduce_scatter_tensor)\n");
}

TEST(PublishedScripts, ResultsOfOperatorsOnListsAreTakenApart) {
  EXPECT_EQ(
      BodyOf(Read("foreach")),
      "        _foreach_mul = torch.ops.aten._foreach_mul.Scalar([arg3_1, arg2_1], 0.9)\n"
      "        getitem = _foreach_mul[0]\n"
      "        getitem_1 = _foreach_mul[1]\n"
      "        _foreach_add = torch.ops.aten._foreach_add.List([getitem, getitem_1], [arg4_1, arg5_1])\n"
      "        getitem_2 = _foreach_add[0]\n"
      "        getitem_3 = _foreach_add[1]\n"
      "        _foreach_add_1 = torch.ops.aten._foreach_add.List([arg4_1, arg5_1], [getitem_2, "
      "getitem_3], alpha=0.9)\n"
      "        getitem_4 = _foreach_add_1[0]\n"
      "        getitem_5 = _foreach_add_1[1]\n"
      "        _foreach_add_2 = torch.ops.aten._foreach_add.List([arg0_1, arg1_1], [getitem_4, "
      "getitem_5], alpha=-0.1)\n"
      "        getitem_6 = _foreach_add_2[0]\n"
      "        getitem_7 = _foreach_add_2[1]\n"
      "        return (getitem_6, getitem_7, getitem_3, getitem_2, getitem_4, getitem_5)\n");
}

TEST(PublishedScripts, OperatorsThatWriteIntoListsReturnNothing) {
  EXPECT_EQ(BodyOf(Read("foreach_in_place")),
            "        slice_1 = torch.ops.aten.slice.Tensor(arg1_1, 0, 1, 4)\n"
            "        torch.ops.aten._foreach_mul_.ScalarList([arg0_1, slice_1], [0.9, 2])\n"
            "        torch.ops.aten._foreach_addcmul_.Scalar([arg0_1, slice_1], [arg2_1, arg3_1], [arg2_1, "
            "arg3_1], 0.1)\n"
            "        torch.ops.aten._foreach_copy_.default([arg2_1, arg3_1], [arg0_1, slice_1])\n"
            "        _foreach_norm = torch.ops.aten._foreach_norm.Scalar([arg2_1, arg3_1, arg1_1])\n"
            "        getitem = _foreach_norm[0]\n"
            "        getitem_1 = _foreach_norm[-1]\n"
            "        add = torch.ops.aten.add.Tensor(getitem, getitem_1)\n"
            "        return (add, slice_1)\n");
}

TEST(PublishedScripts, AModelBesideTheGraphIsNone) {
  EXPECT_EQ(BodyOf(Read("pasted_model")),
            "        relu = torch.ops.aten.relu.default(arg0_1)\n        return (relu,)\n");
}

TEST(PublishedScripts, GraphsInCommentsAreRead) {
  const Script script = Read("aoti");
  EXPECT_EQ(BodyOf(script),
            "        linear = torch.ops.aten.linear.default(x, fc_weight, fc_bias)\n"
            "        relu = torch.ops.aten.relu.default(linear)\n"
            "        sum_1 = torch.ops.aten.sum.dim_IntList(relu, [1])\n"
            "        return (sum_1,)\n");
  EXPECT_EQ(script.inputs, std::nullopt);
  EXPECT_EQ(script.inputs_file, "/models/exported_program.pt2");
  EXPECT_EQ(script.node_lines.front(), 15u);
  EXPECT_THAT(Warnings(script),
              ElementsAre("2 buffers have no data; they are inputs now: fc.weight, fc.bias"));
}

TEST(PublishedScripts, DevicesOfOtherMakersAreTheCpuIfThatIsMeant) {
  const base::Result<Script> script =
      ReadScript("net.py",
                 "class Repro:\n    def forward(self, x, g):\n"
                 "        a = torch.ops.aten.full.default([2], 1.5, device = device(type='npu', index=0))\n"
                 "        return (a,)\ndef load_args(reader):\n"
                 "    buf0 = reader.storage(None, 24, device=device(type='spyre', index=0))\n"
                 "    reader.tensor(buf0, (2, 3))\n    reader.generator('npu', 0)\nload_args._version = 0\n",
                 {.for_cpu = true});
  ASSERT_TRUE(script.ok()) << script.error().Render();
  EXPECT_EQ(script->inputs->storages.at(0).device, at::Device(at::kCPU));
  EXPECT_EQ(std::get<GeneratorSpec>(script->inputs->inputs.at(1)).device, at::Device(at::kCPU));
  EXPECT_EQ(BodyOf(*script),
            "        a = torch.ops.aten.full.default([2], 1.5, device=torch.device('cpu'))\n"
            "        return (a,)\n");
}

}  // namespace
}  // namespace culprit::graph::text
