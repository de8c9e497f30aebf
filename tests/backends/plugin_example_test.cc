// SPDX-License-Identifier: Apache-2.0
//
// Does as a user does who writes a plug-in: installs Culprit's header, builds examples/plugin against that
// alone, and uses it as a backend.
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "backends/table.h"
#include "tests/lib/graph_builder.h"
#include "tests/lib/run_program.h"
#include "tests/lib/temporary_folder.h"
#include "tests/lib/user_project.h"

namespace culprit::backends {
namespace {

using backend::Values;
using graph::ValueId;
using testing::ElementsAre;

class PluginExampleTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    project_ = new tests::UserProject({"plugin"});
    project_->Build(prefix() + "/share/culprit/examples/plugin");
  }
  static void TearDownTestSuite() {
    delete project_;
    project_ = nullptr;
  }

  static std::string prefix() { return project_->prefix(); }
  static std::string library() { return project_->Built("libpointwise.so"); }

  static Values Run(const std::string& backend, const graph::Graph& graph, Values inputs) {
    auto opened = Open(*backend::ParseSpec(backend));
    if (!opened.ok()) throw std::runtime_error(opened.error().Render());
    return (*opened)->Compile(graph, inputs)->Call(inputs);
  }
  static at::Tensor RunExample(const std::string& settings, tests::TestGraph& g, const at::Tensor& input) {
    return Run(library() + settings, g.graph(), {input}).at(0).toTensor();
  }
  static std::string MessageOf(const graph::Graph& graph, const Values& inputs) {
    try {
      Run(library(), graph, inputs);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "nothing was thrown";
  }

 private:
  static tests::UserProject* project_;
};

tests::UserProject* PluginExampleTest::project_ = nullptr;

// A random pointwise graph of well-conditioned steps: what is computed stays between -2 and 2.
class RandomPointwise {
 public:
  explicit RandomPointwise(uint64_t seed) : random_(seed) {
    for (const char* name : {"x", "y", "z"}) values_.push_back(graph_.Placeholder(name));
  }

  graph::Graph Make() {
    for (int i = 0; i < 12; ++i) values_.push_back(Step());
    graph_.Return({values_.back(), Any(), Any(), values_[0], nullptr});
    return graph_.graph();
  }

 private:
  size_t Below(size_t end) { return std::uniform_int_distribution<size_t>(0, end - 1)(random_); }
  ValueId Any() { return values_[Below(values_.size())]; }
  ValueId Bounded(ValueId value) { return graph_.Call("aten::tanh", {value}); }
  ValueId Positive() { return graph_.Call("aten::sigmoid", {Any()}); }

  ValueId Step() {
    constexpr const char* kSafe[] = {"aten::neg", "aten::relu", "aten::sin",
                                     "aten::cos", "aten::tanh", "aten::abs"};
    switch (Below(10)) {
      case 0:
        return Bounded(graph_.Call("aten::add.Tensor", {Any(), Any()}, {{"alpha", 2}}));
      case 1:
        return Bounded(graph_.Call("aten::sub.Tensor", {Any(), 0.25}));
      case 2:
        return Bounded(graph_.Call("aten::mul.Tensor", {Any(), Below(2) == 0 ? tests::Written(Any()) : 1}));
      case 3:
        return graph_.Call("aten::div.Tensor", {Any(), 3});
      case 4:
        return graph_.Call("aten::div.Tensor", {Any(), graph_.Call("aten::add.Scalar", {Positive(), 1})});
      case 5:
        return Bounded(graph_.Call("aten::exp", {Any()}));
      case 6:
        return Bounded(graph_.Call("aten::log", {Positive()}));
      case 7:
        return graph_.Call("aten::sqrt", {Positive()});
      case 8:
        return graph_.Call("aten::maximum", {Any(), Any()});
      default:
        return graph_.Call(kSafe[Below(std::size(kSafe))], {Any()});
    }
  }

  std::mt19937_64 random_;
  tests::TestGraph graph_;
  std::vector<ValueId> values_;
};

TEST_F(PluginExampleTest, TheHeaderIsAllThatIsInstalledToBuildWith) {
  EXPECT_THAT(tests::NamesIn(prefix() + "/include"), ElementsAre("culprit"));
  EXPECT_THAT(tests::NamesIn(prefix() + "/include/culprit"), ElementsAre("backend.h"));
}

TEST_F(PluginExampleTest, TheHeaderIsPlainC) {
  const tests::TemporaryFolder folder;
  tests::WriteWholeFile(folder / "use.c",
                        "#include <culprit/backend.h>\nint one(void) { return CULPRIT_FAILED; }\n");
  const tests::ProgramRun run =
      tests::RunProgram({CULPRIT_COMPILER, "-x", "c", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror",
                         "-fsyntax-only", "-I", prefix() + "/include", folder / "use.c"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

TEST_F(PluginExampleTest, ComputesWhatEagerDoes) {
  for (const auto& [dtype, tolerance] : {std::pair(at::kFloat, 1e-5), std::pair(at::kDouble, 1e-13)}) {
    for (uint64_t seed = 0; seed < 40; ++seed) {
      const graph::Graph graph = RandomPointwise(seed).Make();
      at::Generator generator = at::detail::createCPUGenerator(seed);
      const at::Tensor base = at::randn({4, 3, 10}, generator, at::dtype(dtype));
      const Values inputs = {base.select(0, 0), base.select(0, 1).t().contiguous().t(),
                             base.select(1, 2).slice(0, 0, 3)};
      const Values expected = Run("eager", graph, inputs);
      const Values computed = Run(library(), graph, inputs);
      ASSERT_EQ(computed.size(), expected.size());
      for (size_t i = 0; i + 1 < expected.size(); ++i) {
        EXPECT_EQ(computed[i].toTensor().dtype(), expected[i].toTensor().dtype());
        EXPECT_TRUE(at::allclose(computed[i].toTensor(), expected[i].toTensor(), tolerance, tolerance))
            << "seed " << seed << ", output " << i;
      }
      EXPECT_TRUE(computed[3].toTensor().is_same(inputs[0].toTensor()));
      EXPECT_TRUE(computed[4].isNone());
    }
  }
}

TEST_F(PluginExampleTest, TensorsWithoutDimensionsOrElements) {
  tests::TestGraph g;
  g.Return({g.Call("aten::neg", {g.Placeholder("x")})});
  EXPECT_EQ(RunExample("", g, at::ones({})).item<float>(), -1);
  EXPECT_EQ(RunExample("", g, at::ones({0, 3})).sizes(), (at::IntArrayRef{0, 3}));
}

TEST_F(PluginExampleTest, ASwitchTurnsAPassOff) {
  tests::TestGraph g;
  const ValueId third = g.Call("aten::div.Tensor", {g.Placeholder("x"), 3});
  g.Return({third, g.Call("aten::div.Tensor", {third, 7})});
  const at::Tensor x = at::arange(1, 100, at::kDouble);
  const at::Tensor third_of_x = x.div(3);
  const at::Tensor with = RunExample("", g, x);
  EXPECT_FALSE(with.equal(third_of_x));
  EXPECT_TRUE(at::allclose(with, third_of_x));
  EXPECT_TRUE(RunExample(":off=reciprocal", g, x).equal(third_of_x));
  EXPECT_TRUE(RunExample(":off=reciprocal@1", g, x).equal(third_of_x));
  EXPECT_TRUE(RunExample(":off=reciprocal@2", g, x).equal(with));
}

TEST_F(PluginExampleTest, AnOptionSaysWhenToRound) {
  tests::TestGraph g;
  const ValueId large = g.Call("aten::add.Tensor", {g.Placeholder("x"), 1e8});
  g.Return({g.Call("aten::sub.Tensor", {large, 1e8})});
  EXPECT_EQ(RunExample("", g, at::ones({1})).item<float>(), 0);
  EXPECT_EQ(RunExample(":round=last", g, at::ones({1})).item<float>(), 1);
}

TEST_F(PluginExampleTest, WhatItCannotDoIsRefusedByName) {
  tests::TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::mm", {x, x})});
  EXPECT_EQ(MessageOf(g.graph(), {at::ones({2, 2})}), "plug-in 'pointwise': no code for operator aten::mm");
  EXPECT_EQ(MessageOf(g.graph(), {at::ones({2, 2}, at::kInt)}),
            "plug-in 'pointwise': x has a dtype or sizes that do not fit");
}

}  // namespace
}  // namespace culprit::backends
