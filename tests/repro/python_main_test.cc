// SPDX-License-Identifier: Apache-2.0
//
// The part of a repro that runs it under plain Python does what Culprit does with the same file.
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/sparse_coo_tensor.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "graph/run/interpreter.h"
#include "graph/tensors/recognise_seeded.h"
#include "repro/header/run_settings.h"
#include "repro/read_repro.h"
#include "repro/write_repro.h"
#include "tests/lib/graph_builder.h"
#include "tests/lib/python_outputs.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

using graph::ValueId;
using repro::WriteOptions;
using Values = std::vector<c10::IValue>;

class PythonMainTest : public testing::Test {
 protected:
  void Write(const repro::Repro& repro, WriteOptions::Data data = WriteOptions::Data::kStore) {
    const auto written = repro::WriteRepro(path_, repro, {.data = data});
    ASSERT_TRUE(written.ok()) << written.error().message;
    text_ = written->text;
  }

  PythonOutputs InPython() { return RunInPython({{.repro = path_}}).at(0); }

  repro::Repro Read() {
    auto opened = repro::OpenRepro(path_, text_);
    EXPECT_TRUE(opened.ok()) << opened.error().Render();
    auto loaded = repro::LoadRepro(*std::move(opened));
    EXPECT_TRUE(loaded.ok()) << loaded.error().Render();
    return std::move(loaded->repro);
  }

  void ExpectTheSameInPython() {
    const repro::Repro repro = Read();
    const repro::RunScope scope(repro.header.run);
    const Values ours = graph::Interpreter(repro.graph).Run(repro.inputs);
    const PythonOutputs theirs = InPython();
    ASSERT_TRUE(theirs.ok()) << theirs.error().message << "\n" << text_;
    ASSERT_EQ(theirs->size(), ours.size());
    for (size_t i = 0; i < ours.size(); ++i)
      EXPECT_TRUE(SameBits(ours[i], (*theirs)[i])) << "output " << i << "\n" << text_;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "repro.py";
  std::string text_;
};

TEST_F(PythonMainTest, NumbersThatAFewWordsSayAreTheSame) {
  TestGraph g;
  const ValueId x = g.Placeholder("x"), y = g.Placeholder("y"), z = g.Placeholder("z");
  const ValueId ones = g.Constant("ones", at::ones({2000}, at::kHalf));
  const ValueId w = g.Constant("w", graph::Draw(*graph::NormalNumbers(at::kFloat, 2000, 3)));
  g.Return({x, y, z, g.Call("aten::clone", {ones}), g.Call("aten::clone", {w})});
  Write({g.graph(),
         {at::zeros({2000}), graph::Draw(graph::SmallIntegers(at::kFloat, 2000, 2)),
          graph::Draw(graph::SmallIntegers(at::kHalf, 2000, 4))}});
  EXPECT_THAT(text_, testing::Not(testing::HasSubstr("stored(")));
  ExpectTheSameInPython();
}

// Every kind of number that is drawn, and every place it is drawn for.
TEST_F(PythonMainTest, NumbersInPlaceOfDataAreTheSame) {
  TestGraph g;
  const ValueId x = g.Placeholder("x"), repeats = g.Placeholder("repeats"), index = g.Placeholder("index"),
                half = g.Placeholder("half"), complex = g.Placeholder("complex"),
                flag = g.Placeholder("flag"), sparse = g.Placeholder("sparse");
  const ValueId weight = g.Constant("weight", at::randn({3}, at::kComplexFloat));
  const ValueId two = g.Constant("two", at::tensor(2.0F));
  const ValueId places = g.Constant("places", at::tensor({2, 0}, at::kLong));
  g.Return({g.Call("aten::repeat_interleave.self_Tensor", {x, repeats, 0}),
            g.Call("aten::index_select", {x, 0, index}), g.Call("aten::log", {half}),
            g.Call("aten::mul.Tensor", {complex, weight}), flag, g.Call("aten::to_dense", {sparse}),
            g.Call("aten::mul.Tensor", {x, two}), g.Call("aten::index_select", {x, 0, places}),
            g.Call("aten::sqrt", {x})});
  const at::Tensor coordinates = at::tensor({0, 1, 1, 2, 0, 2}, at::kLong).view({2, 3});
  Write({g.graph(),
         {at::ones({3}), at::tensor({4, 0, 1}, at::kLong), at::tensor({2, 1, 1, 1}, at::kLong),
          at::ones({1000}, at::kBFloat16), at::randn({3}, at::kComplexFloat), at::zeros({9}, at::kBool),
          at::sparse_coo_tensor(coordinates, at::tensor({1.5F, -2.0F, 3.25F}), {2, 3}).coalesce()},
         {}},
        WriteOptions::Data::kNone);
  EXPECT_THAT(text_, testing::Not(testing::HasSubstr("torch.tensor(2.0")));
  EXPECT_EQ(Read().inputs[1].toTensor().sum().item<int64_t>(), 5);
  ExpectTheSameInPython();
}

TEST_F(PythonMainTest, AComputedInputMayBeWrittenInto) {
  TestGraph g;
  const ValueId x = g.Placeholder("x"), alias = g.Placeholder("alias");
  g.Return({g.Call("aten::mul_.Tensor", {x, 3.0}), alias});
  const at::Tensor base = at::arange(6, at::kFloat);
  Write({g.graph(), {base.detach().requires_grad_(true).view({2, 3}), base}, {}});
  EXPECT_FALSE(Read().inputs[0].toTensor().is_leaf());
  const PythonOutputs outputs = InPython();
  ASSERT_TRUE(outputs.ok()) << outputs.error().message;
  EXPECT_TRUE(SameBits((*outputs)[1], at::arange(6, at::kFloat).mul(3)));
}

TEST_F(PythonMainTest, EveryCallGetsFreshInputsAndTheSameRandomNumbers) {
  TestGraph g;
  const ValueId x = g.Call("aten::add_.Tensor", {g.Placeholder("x"), 1.0});
  g.Return({x, g.Call("aten::randn_like", {x})});
  Write({g.graph(), {at::zeros({2})}, {.run = {.seed = 3}}});
  const at::Tensor drawn = InPython().value()[1].toTensor();
  Write({g.graph(), {at::zeros({2})}, {.run = {.seed = 3}, .calls = 3}});
  const PythonOutputs outputs = InPython();
  EXPECT_TRUE(SameBits(outputs.value()[0], at::full({2}, 1.0)));
  EXPECT_TRUE(SameBits(outputs.value()[1], drawn));
}

TEST_F(PythonMainTest, AutocastOfAnotherDeviceLeavesTheCpuAlone) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::mm", {x, x})});
  repro::Repro repro{g.graph(), {at::randn({4, 4})}, {}};
  repro.header.run.autocast = repro::Autocast{at::kCUDA, at::kHalf};
  Write(repro);
  EXPECT_EQ(InPython().value()[0].toTensor().scalar_type(), at::kFloat);
  repro.header.run.autocast = repro::Autocast{};
  Write(repro);
  EXPECT_EQ(InPython().value()[0].toTensor().scalar_type(), at::kBFloat16);
}

TEST_F(PythonMainTest, WhatIsNotDeterministicIsAWarningWhereTheFileAsksForNoMore) {
  TestGraph g;
  const ValueId x = g.Placeholder("x"), index = g.Placeholder("index");
  g.Return({g.Call("aten::put", {x, index, x, false})});
  repro::Repro repro{g.graph(), {at::ones({1}), at::zeros({1}, at::kLong)}, {}};
  repro.header.run.deterministic = true;
  Write(repro);
  EXPECT_FALSE(InPython().ok());
  repro.header.run.deterministic_warn_only = true;
  Write(repro);
  EXPECT_TRUE(InPython().ok());
}

TEST_F(PythonMainTest, AnAlteredStoreIsRefused) {
  TestGraph g;
  g.Return({g.Call("aten::relu", {g.Placeholder("x")})});
  Write({g.graph(), {at::arange(2000.0)}, {}});
  for (const auto& file : std::filesystem::directory_iterator(folder_ / "store/storages")) {
    std::filesystem::permissions(file.path(), std::filesystem::perms::owner_write,
                                 std::filesystem::perm_options::add);
    std::fstream(file.path(), std::ios::in | std::ios::out).put('x');
  }
  const PythonOutputs outputs = InPython();
  ASSERT_FALSE(outputs.ok());
  EXPECT_THAT(outputs.error().message, testing::HasSubstr(" was altered"));
}

TEST_F(PythonMainTest, ANumberGoesWhereATensorIsWanted) {
  TestGraph g;
  const ValueId x = g.Placeholder("x"),
                number = g.Placeholder("number", graph::PlaceholderKind::kInput, graph::ValueKind::kFloat);
  g.Return({g.Call("aten::mul.Tensor", {x, number})});
  Write({g.graph(), {at::ones({2}, at::kHalf), 2.5}, {}});
  EXPECT_THAT(text_, testing::HasSubstr("put(reader, 2.5)"));
  ExpectTheSameInPython();
}

}  // namespace
}  // namespace culprit::tests
