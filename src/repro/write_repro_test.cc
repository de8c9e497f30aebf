// SPDX-License-Identifier: Apache-2.0
#include "repro/write_repro.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "repro/read_repro.h"
#include "tests/lib/graph_builder.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::repro {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string ReadText(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

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
    EXPECT_EQ(ReadText(path_), written->text);
    return written->text;
  }

  LoadedRepro Load() {
    auto read = OpenRepro(path_, ReadText(path_));
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

TEST_F(WriteReproTest, WithoutAStoreLargeTensorsComeFromASeedAndAreNamed) {
  const std::string text = Write(ReproOf(at::randn({1025})), {.data = WriteOptions::Data::kSeed});
  EXPECT_THAT(text, HasSubstr("torch.randn(1025, dtype=torch.float32, generator=seeded(1))"));
  EXPECT_THAT(text, HasSubstr("# The data of these was not kept; they hold random numbers: x\n"));
  EXPECT_EQ(Load().repro.header.random, std::vector<std::string>{"x"});
}

TEST_F(WriteReproTest, WithoutDataTheInputsAreDescribedOnly) {
  EXPECT_THAT(Write(ReproOf(at::randn({2})), {.data = WriteOptions::Data::kNone}),
              HasSubstr("    buf0 = reader.storage(None, 8"));
  EXPECT_EQ(Load().random, std::vector<std::string>{"x"});
}

TEST_F(WriteReproTest, MemoryBehindTheLastElementIsNotKept) {
  EXPECT_THAT(
      Write(ReproOf(at::arange(100000).narrow(0, 2, 2))),
      HasSubstr("fill(reader.storage(None, 32), torch.tensor([0, 1, 2, 3], dtype=torch.int64))\n"
                "    reader.tensor(buf0, (2,), storage_offset=2, dtype=torch.int64, is_leaf=True)  # x\n"));
}

TEST_F(WriteReproTest, StableOutputNamesNoMachine) {
  Repro repro = ReproOf(at::tensor({1.0F}));
  repro.header.written_by = Origin{"0.1.0", "1.13.0", "OpenBLAS", "AVX2"};
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
  EXPECT_EQ(ReadText(path_),
            "# There is no repro: input 'x' cannot be kept: a generator that was drawn from already.\n");
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

TEST_F(WriteReproTest, ConstantsGoWhereInputsGo) {
  tests::TestGraph g;
  const at::Tensor large = at::randn({40, 50}).t();
  g.Return({g.Constant("c", large)});
  EXPECT_THAT(Write({g.graph(), {}, {}}),
              testing::ContainsRegex("stored\\('[0-9a-f]{32}', 8000\\).view\\(torch.float32\\).as_strided"));
  EXPECT_TRUE(Load().repro.graph.constants()[0].tensor.equal(large));
}

}  // namespace
}  // namespace culprit::repro
