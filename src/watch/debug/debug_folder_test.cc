// SPDX-License-Identifier: Apache-2.0
#include "watch/debug/debug_folder.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "graph/fake/world.h"
#include "repro/read_repro.h"
#include "tests/lib/graph_builder.h"
#include "tests/lib/short_graph.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::watch {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

graph::Graph Named(const std::string& name,
                   const std::string& text = "x\ny = sin.default(x)\nreturn (y,)\n") {
  graph::Graph graph = tests::ShortGraph(text);
  graph.set_name(name);
  return graph;
}

class DebugFolderTest : public testing::Test {
 protected:
  CapturedGraph Captured() const {
    return {.graph = Named("net_0_captured"),
            .inputs = {at::arange(4, at::kFloat)},
            .conditions = {"grad mode is on", "x is a Float tensor of [4]"},
            .capture_seconds = 0.5,
            .guard_seconds = 0.25};
  }
  std::string Read(const std::string& name) const {
    return tests::ReadWholeFile(folder_.path() + "/" + name);
  }
  repro::Repro Load(const std::string& name) const {
    return repro::LoadRepro(*repro::OpenRepro(folder_.path() + "/" + name, Read(name)))->repro;
  }
  nlohmann::json Timings() const { return nlohmann::json::parse(Read("timings.json")); }

  const tests::TemporaryFolder directory_;
  DebugFolder folder_ = *DebugFolder::Create(directory_ / "debug", "net_0_captured", "net_0_captured");
  const repro::Header how_{.backend = "aot-eager"};
};

TEST_F(DebugFolderTest, ACapturedGraphLeavesItsFilesBeforeItIsCompiled) {
  ASSERT_TRUE(folder_.WriteCaptured(Captured(), how_).ok());
  EXPECT_EQ(tests::NamesIn(folder_.path()),
            (std::set<std::string>{"captured.py", "guards.txt", "repro.py", "timings.json"}));
  EXPECT_EQ(Read("guards.txt"), "holds if grad mode is on\n  and x is a Float tensor of [4]\n");
  EXPECT_THAT(Read("captured.py"), StartsWith("# net_0_captured as it was captured.\n"));
  EXPECT_EQ(
      Timings().at("seconds"),
      nlohmann::json::parse(R"({"capture": 0.5, "guard_check": 0.25, "autograd": null, "compile": null})"));
}

TEST_F(DebugFolderTest, TheReproHasTheInputs) {
  ASSERT_TRUE(folder_.WriteCaptured(Captured(), how_).ok());
  const repro::Repro repro = Load("repro.py");
  EXPECT_TRUE(repro.inputs.at(0).toTensor().equal(at::arange(4, at::kFloat)));
  EXPECT_EQ(repro.header.backend, "aot-eager");
}

TEST_F(DebugFolderTest, GraphsFromAutogradAreCalledAfterTheirKindAndNumbered) {
  ASSERT_TRUE(folder_.WriteHanded(Named("net_0_forward"), {at::ones({2})}, how_).ok());
  ASSERT_TRUE(folder_.WriteHanded(Named("net_0_forward"), {at::ones({3})}, how_).ok());
  ASSERT_TRUE(folder_.WriteHanded(Named("net_0_backward"), {at::ones({2})}, how_).ok());
  EXPECT_EQ(tests::NamesIn(folder_.path()),
            (std::set<std::string>{"forward.py", "forward_2.py", "backward.py", "timings.json"}));
  EXPECT_THAT(Read("forward_2.py"),
              StartsWith("# net_0_forward, made by autograd of net_0_captured, exactly as the backend "
                         "aot-eager was handed it.\n"));
}

TEST_F(DebugFolderTest, WhatComesAgainIsNotWrittenAgain) {
  for (const double seconds : {0.25, 0.5}) {
    ASSERT_TRUE(folder_.WriteHanded(Named("net_0_forward"), {at::ones({2})}, how_).ok());
    ASSERT_TRUE(folder_.NoteCompiled("net_0_forward", seconds).ok());
  }
  EXPECT_EQ(tests::NamesIn(folder_.path()), (std::set<std::string>{"forward.py", "timings.json"}));
  EXPECT_EQ(Timings().at("seconds").at("compile"), 0.25);
}

TEST_F(DebugFolderTest, WithoutAutogradTheBackendIsHandedWhatWasCaptured) {
  ASSERT_TRUE(folder_.WriteHanded(Named("net_0_captured"), {at::ones({2})}, how_).ok());
  EXPECT_THAT(Read("handed.py"),
              StartsWith("# net_0_captured, exactly as the backend aot-eager was handed it.\n"));
}

TEST_F(DebugFolderTest, FakeInputsAreDescribed) {
  graph::fake::World world;
  ASSERT_TRUE(folder_.WriteHanded(Named("net_0_forward"), {world.FakeOf(at::ones({2, 3}))}, how_).ok());
  EXPECT_THAT(Read("forward.py"), HasSubstr("reader.tensor(buf0, (2, 3)"));
}

TEST_F(DebugFolderTest, ConstantsAreKeptWhateverTheirSize) {
  const at::Tensor large = at::arange(3000, at::kFloat);
  tests::TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  const graph::ValueId constant = g.Constant("_tensor_constant0", large);
  g.Return({g.Call("aten::mul.Tensor", {x, constant})});
  g.graph().set_name("net_0_inference");
  ASSERT_TRUE(folder_.WriteHanded(g.graph(), {at::ones({2})}, how_).ok());
  EXPECT_TRUE(Load("inference.py").graph.constants().at(0).tensor.equal(large));
}

TEST_F(DebugFolderTest, SecondsGoToTheNewestGraphOfAName) {
  for (const int64_t rows : {1, 2}) {
    ASSERT_TRUE(folder_.WriteHanded(Named("net_0_backward"), {at::ones({rows})}, how_).ok());
    EXPECT_TRUE(Timings().at("seconds").at("compile").is_null());
    ASSERT_TRUE(folder_.NoteCompiled("net_0_backward", static_cast<double>(rows) / 4).ok());
  }
  ASSERT_TRUE(folder_.NoteAutograd(2).ok());
  EXPECT_EQ(Timings().at("seconds").at("compile"), 0.75);
  EXPECT_EQ(Timings().at("seconds").at("autograd"), 2);
  EXPECT_EQ(Timings().at("compiled").at(1),
            nlohmann::json::parse(R"({"graph": "net_0_backward", "file": "backward_2.py", "seconds": 0.5})"));
}

TEST_F(DebugFolderTest, AnInputThatNoFileCanHoldLeavesTheOtherFiles) {
  CapturedGraph captured = Captured();
  captured.inputs = {c10::IValue(c10::complex<double>(1, 2))};
  const base::Status written = folder_.WriteCaptured(captured, how_);
  ASSERT_FALSE(written.ok());
  EXPECT_THAT(written.error().message, HasSubstr("input 'x' cannot be kept"));
  EXPECT_THAT(Read("repro.py"), StartsWith("# There is no repro: input 'x' cannot be kept"));
  EXPECT_THAT(Read("captured.py"), HasSubstr("torch.ops.aten.sin.default(x)"));
}

TEST_F(DebugFolderTest, AFolderThatIsGoneIsAnError) {
  std::filesystem::remove_all(directory_ / "debug");
  tests::WriteWholeFile(directory_ / "debug", "a file");
  EXPECT_FALSE(folder_.WriteCaptured(Captured(), how_).ok());
  EXPECT_FALSE(folder_.WriteHanded(Named("net_0_forward"), {at::ones({2})}, how_).ok());
  EXPECT_FALSE(folder_.NoteAutograd(1).ok());
}

}  // namespace
}  // namespace culprit::watch
