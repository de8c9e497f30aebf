// SPDX-License-Identifier: Apache-2.0
#include "repro/write_repro.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/quantize_per_tensor.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "graph/tensors/recognise_seeded.h"
#include "repro/read_repro.h"
#include "tests/lib/graph_builder.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::repro {
namespace {

using testing::HasSubstr;
using testing::Not;

class WriteReproTest : public testing::Test {
 protected:
  // relu(x) with one input.
  Repro ReproOf(c10::IValue input) {
    tests::TestGraph g;
    const graph::ValueId x = g.Placeholder("x");
    g.Return({g.Call("aten::relu", {x})});
    return {g.graph(), {std::move(input)}, {}};
  }

  std::string Write(const Repro& repro, const WriteOptions& options = {.stable_output = true}) {
    auto written = WriteRepro(path_, repro, options);
    EXPECT_TRUE(written.ok()) << written.error().message;
    EXPECT_EQ(tests::ReadWholeFile(path_), written->text);
    return written->text;
  }

  LoadedRepro Load() {
    auto read = OpenRepro(path_, tests::ReadWholeFile(path_));
    EXPECT_TRUE(read.ok()) << read.error().Render();
    auto loaded = LoadRepro(*std::move(read));
    EXPECT_TRUE(loaded.ok()) << loaded.error().Render();
    return *std::move(loaded);
  }

  tests::TemporaryFolder folder_;
  std::string path_ = folder_.path() + "/repro.py";
};

TEST_F(WriteReproTest, SmallTensorsStandInTheText) {
  EXPECT_THAT(
      Write(ReproOf(at::tensor({1.5F, -2.0F}))),
      HasSubstr("    buf0 = fill(reader.storage(None, 8), torch.tensor([1.5, -2.0], dtype=torch.float32))\n"
                "    reader.tensor(buf0, (2,), is_leaf=True)  # x\n"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() + "/store"));
  EXPECT_TRUE(Load().repro.inputs[0].toTensor().equal(at::tensor({1.5F, -2.0F})));
}

TEST_F(WriteReproTest, LargeTensorsGoToTheStore) {
  const at::Tensor x = at::randn({1025});
  EXPECT_THAT(Write(ReproOf(x)), HasSubstr("fill(reader.storage(None, 4100), stored('"));
  EXPECT_TRUE(Load().repro.inputs[0].toTensor().equal(x));
}

TEST_F(WriteReproTest, LargeTensorsThatAFewWordsSayNeedNoStore) {
  const at::Tensor tensors[] = {at::zeros({3000}), at::ones({3000}, at::kLong),
                                graph::Draw(graph::SmallIntegers(at::kFloat, 3000, 2)),
                                graph::Draw(*graph::NormalNumbers(at::kFloat, 3000, 7))};
  for (const at::Tensor& tensor : tensors) {
    const std::string text = Write(ReproOf(tensor));
    EXPECT_THAT(text, Not(HasSubstr("stored(")));
    EXPECT_LT(text.size(), 10000) << text;
    EXPECT_TRUE(graph::SameTensor(Load().repro.inputs[0].toTensor(), tensor)) << text;
  }
}

TEST_F(WriteReproTest, WithoutAStoreLargeTensorsComeFromASeedAndAreNamed) {
  const std::string text = Write(ReproOf(at::randn({1025})), {.data = WriteOptions::Data::kSeed});
  EXPECT_THAT(text, HasSubstr("torch.randn(1025, dtype=torch.float32, generator=seeded(1))"));
  EXPECT_THAT(text, HasSubstr("# The data of these was not kept; they hold random numbers: x\n"));
  EXPECT_EQ(Load().repro.header.random, std::vector<std::string>{"x"});
}

TEST_F(WriteReproTest, WithoutDataEverythingComesFromASeed) {
  tests::TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  const graph::ValueId c = g.Constant("c", at::tensor({1.5F, 2.0F}));
  g.Return({g.Call("aten::mul.Tensor", {g.Call("aten::log", {x}), c})});
  const std::string text =
      Write({g.graph(), {at::tensor({3.0F, 4.0F})}, {}}, {.data = WriteOptions::Data::kNone});
  EXPECT_THAT(text, HasSubstr("    buf0 = fill(reader.storage(None, 8), (1 - torch.rand(2, "
                              "dtype=torch.float32, generator=seeded(1))))\n"));
  EXPECT_THAT(text,
              HasSubstr("register_buffer('c', torch.randn(2, dtype=torch.float32, generator=seeded(2)))\n"));
  EXPECT_EQ(Load().repro.header.random, (std::vector<std::string>{"x", "c"}));
}

TEST_F(WriteReproTest, WithoutDataAFileIsWrittenTheSameAgain) {
  tests::TestGraph g;
  const graph::ValueId sparse = g.Placeholder("sparse"), index = g.Placeholder("index");
  const graph::ValueId c = g.Constant("c", at::randn({3}, at::kComplexDouble));
  g.Return({g.Call("aten::to_dense", {sparse}), g.Call("aten::index_select", {c, 0, index})});
  const at::Tensor coalesced = at::eye(3).to_sparse().coalesce();
  Repro repro{g.graph(), {coalesced, at::tensor({2, 1}, at::kLong)}, {}};
  repro.header.run.seed = 7;
  const WriteOptions options{.data = WriteOptions::Data::kNone, .stable_output = true};
  const std::string text = Write(repro, options);
  EXPECT_THAT(text, HasSubstr("\"seed\": 7"));
  const LoadedRepro loaded = Load();
  EXPECT_TRUE(loaded.repro.inputs[0].toTensor().is_coalesced());
  EXPECT_EQ(loaded.repro.graph.constants()[0].tensor.scalar_type(), at::kComplexDouble);
  EXPECT_EQ(Write(loaded.repro, options), text);
}

TEST_F(WriteReproTest, WhatIsExpectedAndTheBackendAreKeptAsTheyWere) {
  Repro repro = ReproOf(at::tensor({1.0F}));
  repro.header.backend = "other:level=3,unroll=no";
  repro.header.expected = R"({"kind":"crash","frames":["f","g"],"z":1,"a":0.5})";
  const std::string text = Write(repro);
  EXPECT_THAT(text, HasSubstr("\"backend\": \"other:level=3,unroll=no\""));
  EXPECT_EQ(Write(Load().repro), text);
}

TEST_F(WriteReproTest, MemoryBehindTheLastElementIsNotKept) {
  EXPECT_THAT(
      Write(ReproOf(at::arange(100000).narrow(0, 2, 2))),
      HasSubstr("fill(reader.storage(None, 32), torch.tensor([0, 1, 2, 3], dtype=torch.int64))\n"
                "    reader.tensor(buf0, (2,), storage_offset=2, dtype=torch.int64, is_leaf=True)  # x\n"));
}

TEST_F(WriteReproTest, StableOutputNamesNoMachine) {
  Repro repro = ReproOf(at::tensor({1.0F}));
  repro.header.written_by = WrittenBy{"0.1.0", "2.13.0", "MKL", "AVX2"};
  repro.header.run.threads = 7;
  EXPECT_THAT(Write(repro, {}), HasSubstr("\"threads\": 7"));
  EXPECT_THAT(Write(repro, {.stable_output = true}),
              Not(testing::AnyOf(HasSubstr("threads\""), HasSubstr("AVX2"))));
}

TEST_F(WriteReproTest, AnInputThatCannotBeKeptLeavesOneSentence) {
  at::Generator generator = at::detail::createCPUGenerator(3);
  at::randn({3}, generator);
  const auto written = WriteRepro(path_, ReproOf(generator));
  EXPECT_EQ(written.error().message, "input 'x' cannot be kept: a generator that was drawn from already");
  EXPECT_EQ(tests::ReadWholeFile(path_),
            "# There is no repro: input 'x' cannot be kept: a generator that was drawn from already.\n");
}

TEST_F(WriteReproTest, PackedParametersAreRefusedByName) {
  torch::jit::Stack stack = {at::quantize_per_tensor(at::randn({2, 3}), 0.1, 0, at::kQInt8), c10::IValue()};
  c10::Dispatcher::singleton().findSchemaOrThrow("quantized::linear_prepack", "").callBoxed(&stack);
  const auto written = WriteRepro(path_, ReproOf(stack.at(0)));
  const std::string sentence =
      "input 'x' cannot be kept: it is an object of type "
      "__torch__.torch.classes.quantized.LinearPackedParamsBase";
  EXPECT_EQ(written.error().message, sentence);
  EXPECT_EQ(tests::ReadWholeFile(path_), "# There is no repro: " + sentence + ".\n");
}

TEST_F(WriteReproTest, ValuesThatAreNoTensorsAreKept) {
  tests::TestGraph g;
  g.Placeholder("x");
  g.Return({nullptr});
  const std::vector<c10::IValue> values = {3, -0.5, true, "mean"};
  for (const c10::IValue& value : values) {
    Write({g.graph(), {value}, {}});
    EXPECT_EQ(Load().repro.inputs[0], value);
  }
  Write({g.graph(), {c10::IValue()}, {}});
  EXPECT_TRUE(Load().repro.inputs[0].isNone());
  Write({g.graph(), {at::detail::createCPUGenerator(5)}, {}});
  EXPECT_EQ(Load().repro.inputs[0].toGenerator().current_seed(), 5);
}

TEST_F(WriteReproTest, SymbolsAreKeptAndANumberSaysWhichOneItIs) {
  tests::TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  const graph::ValueId n = g.Placeholder("s1", graph::PlaceholderKind::kInput, graph::ValueKind::kInt);
  g.graph().SetSymbols(0, {"s0", ""});
  g.graph().SetSymbols(1, {"s1"});
  g.Return({g.Call("aten::mul.Tensor", {x, n})});
  const std::string text = Write({g.graph(), {at::ones({2, 3}), 4}, {}});
  EXPECT_THAT(text, HasSubstr("    placeholder_symbols = {'x': ['s0', None], 's1': ['s1']}\n"));
  EXPECT_THAT(text, HasSubstr("    reader.symint(4, expr='s1')  # s1\n"));
  EXPECT_EQ(Load().repro.graph, g.graph());
}

TEST_F(WriteReproTest, APipeIsNotReplacedByAFile) {
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  tests::TestGraph g;
  g.Return({g.Placeholder("x")});
  const auto written = WriteRepro(pipe, {g.graph(), {at::ones({2000})}, {}});
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().Render(), pipe + ": error: is a device or pipe, where a file is to be written");
  EXPECT_EQ(WriteText(pipe, "").error().Render(), written.error().Render());
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  EXPECT_EQ(tests::NamesIn(folder_.path()), std::set<std::string>{"pipe"});
}

TEST_F(WriteReproTest, ConstantsGoWhereInputsGo) {
  tests::TestGraph g;
  const at::Tensor large = at::randn({40, 50}).t();
  g.Return({g.Constant("c", large)});
  EXPECT_THAT(
      Write({g.graph(), {}, {}}),
      testing::ContainsRegex("stored\\('[0-9a-f]{32}', 8000, [0-9]+\\).view\\(torch.float32\\).as_strided"));
  EXPECT_TRUE(Load().repro.graph.constants()[0].tensor.equal(large));
}

TEST_F(WriteReproTest, WhatPythonDoesDependsOnTheCompiler) {
  Repro repro = ReproOf(at::ones({2}));
  EXPECT_THAT(Write(repro), HasSubstr("run_repro("));
  repro.header.backend = "native";
  EXPECT_THAT(Write(repro), HasSubstr("To see the failure, run: culprit run repro.py"));
  const std::string text =
      Write(repro, {.stable_output = true, .compiled_in_python = "def compiled(args):\n    pass\n"});
  EXPECT_THAT(text, HasSubstr("def compiled(args):\n    pass\n\nif __name__ == '__main__':\n    raise "
                              "SystemExit(show_failure())\n"));
  EXPECT_THAT(text, HasSubstr("\ndef show_failure():"));
  EXPECT_THAT(text, Not(HasSubstr("\ndef scripted(")));
  EXPECT_EQ(Load().repro.graph.nodes().size(), 1u);
}

}  // namespace
}  // namespace culprit::repro
