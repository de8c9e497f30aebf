// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/pipeline.h"

#include <ATen/Context.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/lower/lower.h"
#include "graph/run/interpreter.h"
#include "tests/lib/compile_short.h"

namespace culprit::compiler::pipeline {
namespace {

using backend::Values;
using testing::ElementsAre;
using testing::HasSubstr;
using tests::CompileShort;
using tests::WithoutCache;

/// One text per step: what a kernel computes, what is called, what is checked.
std::vector<std::string> StepsOf(const run::Executable& executable) {
  std::vector<std::string> steps;
  for (const schedule::Step& step : executable.schedule().steps) {
    if (const auto* call = std::get_if<schedule::CallStep>(&step)) {
      steps.push_back("call " + executable.program().graph->node(call->node).op->name());
      continue;
    }
    if (const auto* check = std::get_if<schedule::CheckStep>(&step)) {
      steps.push_back(ToText(*check, executable.program()));
      continue;
    }
    std::string names;
    for (const loops::ValueIndex value : std::get<schedule::KernelStep>(step).computes)
      names += (names.empty() ? "" : " ") + executable.program()[value].name;
    steps.push_back(names);
  }
  return steps;
}

void ExpectAsEager(const run::Executable& executable, const std::string& text, const Values& inputs) {
  Values given = inputs;
  const Values found = executable.Run(given);
  const Values expected = graph::Interpreter(tests::ShortGraph(text)).Run(inputs);
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_TRUE(at::allclose(found[i].toTensor(), expected[i].toTensor(), 1e-5, 1e-6)) << "output " << i;
}

constexpr const char* kSoftmax = "x\ny = _softmax.default(x, 1, False)\nreturn (y,)";

TEST(PipelineTest, SoftmaxIsOneKernelOfThreeStages) {
  const Values inputs = {at::randn({32, 100})};
  const auto executable = CompileShort(kSoftmax, inputs);
  EXPECT_THAT(StepsOf(*executable), ElementsAre("y.max y.exp y.sum y"));
  EXPECT_EQ(executable->schedule().kernels.at(0).stages.size(), 3U);
  ExpectAsEager(*executable, kSoftmax, inputs);
}

TEST(PipelineTest, SoftmaxKeepsNothingBesideItsResult) {
  const auto executable = CompileShort(kSoftmax, {at::randn({32, 100})});
  EXPECT_EQ(executable->schedule().kernels.at(0).buffers.size(), 2U);
  EXPECT_EQ(executable->plan().peak_bytes, 32 * 100 * 4);
}

TEST(PipelineTest, AChainIsOneLoopOverMemory) {
  const std::string text =
      "x, w\na = mul.Tensor(x, 2.0)\nb = add.Tensor(a, w)\nc = relu.default(b)\nreturn (c,)";
  const Values inputs = {at::randn({8, 16, 32}), at::randn({8, 16, 32})};
  const auto executable = CompileShort(text, inputs);
  EXPECT_THAT(StepsOf(*executable), ElementsAre("c"));
  EXPECT_EQ(executable->schedule().kernels.at(0).extents.size(), 1U);
  ExpectAsEager(*executable, text, inputs);
}

TEST(PipelineTest, ParametersOfChannelsLeaveRowsOfAnImageTogether) {
  const std::string text =
      "x, w, b\na = mul.Tensor(x, w)\nc = add.Tensor(a, b)\nd = relu.default(c)\nreturn (d,)";
  const Values inputs = {at::randn({1, 6, 14, 15}), at::randn({6, 1, 1}), at::randn({6, 1, 1})};
  const auto executable = CompileShort(text, inputs);
  const loops::Kernel& kernel = executable->schedule().kernels.at(0);
  std::vector<int64_t> extents;
  for (const loops::ExprId extent : kernel.extents) extents.push_back(kernel.body[extent].integer);
  EXPECT_THAT(extents, ElementsAre(6, 14 * 15));
  ExpectAsEager(*executable, text, inputs);
}

TEST(PipelineTest, WhatHasNoRuleIsCalledBetweenKernels) {
  const std::string text =
      "x, w\na = relu.default(x)\nm = mm.default(a, w)\nb = sigmoid.default(m)\nreturn (b,)";
  const Values inputs = {at::randn({8, 16}), at::randn({16, 4})};
  const auto executable = CompileShort(text, inputs);
  EXPECT_THAT(StepsOf(*executable), ElementsAre("a", "call aten::mm", "b"));
  ExpectAsEager(*executable, text, inputs);
}

TEST(PipelineTest, AGraphCompilesWhateverIsOff) {
  const std::string text =
      "x, w\na = mul.Tensor(x, 2.0)\ns = _softmax.default(a, 1, False)\nm = mm.default(s, w)\n"
      "t = sum.dim_IntList(m, [0])\nreturn (t, m)";
  const Values inputs = {at::randn({16, 33}), at::randn({33, 5})};
  for (const Pass& pass : DefaultPipeline()) {
    SCOPED_TRACE(pass.name);
    ExpectAsEager(*CompileShort(text, inputs, WithoutCache(), {{std::string(pass.name)}}), text, inputs);
  }
}

TEST(PipelineTest, OneApplicationOfAPassCanBeOff) {
  const std::string text = "x\na = sum.dim_IntList(x, [1])\nb = amax.default(x, [1])\nreturn (a, b)";
  const Values inputs = {at::randn({16, 8})};
  EXPECT_THAT(StepsOf(*CompileShort(text, inputs)), ElementsAre("a b"));
  EXPECT_THAT(StepsOf(*CompileShort(text, inputs, WithoutCache(), {{"fuse", 1}})), ElementsAre("a", "b"));
  EXPECT_THAT(StepsOf(*CompileShort(text, inputs, WithoutCache(), {{"lower", 2}})),
              ElementsAre("a", "call aten::amax"));
}

TEST(PipelineTest, ALongSumIsSplit) {
  const std::string text = "x\na = sum.default(x)\nreturn (a,)";
  const Values inputs = {at::rand({1024, 512})};
  const auto executable = CompileShort(text, inputs);
  EXPECT_THAT(StepsOf(*executable), ElementsAre("a.partial", "a"));
  EXPECT_EQ(executable->schedule().kernels.at(0).Pieces(), 64);
  ExpectAsEager(*executable, text, inputs);
}

TEST(PipelineTest, AResultTakesOverTheMemoryOfWhatDies) {
  const std::string text =
      "x, w\nm = mm.default(x, w)\na = relu.default(m)\nn = mm.default(a, w)\nreturn (n,)";
  const auto executable = CompileShort(text, {at::randn({16, 16}), at::randn({16, 16})});
  EXPECT_THAT(ToText(executable->plan(), executable->program(), executable->schedule()),
              HasSubstr("makes a in m"));
}

TEST(PipelineTest, RandomNumbersAreDrawnInTheOrderOfTheProgram) {
  const std::string text =
      "x\nu = rand_like.default(x)\na = relu.default(x)\nv = rand_like.default(a)\n"
      "b = sub.Tensor(v, u)\nreturn (b,)";
  const Values inputs = {at::randn({64})};
  const auto executable = CompileShort(text, inputs);
  at::manual_seed(/*seed=*/5);
  Values given = inputs;
  const at::Tensor found = executable->Run(given).at(0).toTensor();
  at::manual_seed(/*seed=*/5);
  EXPECT_TRUE(found.equal(graph::Interpreter(tests::ShortGraph(text)).Run(inputs).at(0).toTensor()));
}

TEST(PipelineTest, AnEmbeddingIsPartOfTheLayerNormBehindIt) {
  const std::string text =
      "w, i, g, b\ne = embedding.default(w, i)\n"
      "y, m, r = native_layer_norm.default(e, [64], g, b, 1e-05)\nreturn (y,)";
  const Values inputs = {at::randn({50, 64}), at::randint(50, {16, 8}), at::randn({64}), at::randn({64})};
  const auto executable = CompileShort(text, inputs);
  EXPECT_EQ(executable->schedule().kernels.size(), 1U);
  EXPECT_THAT(StepsOf(*executable), ElementsAre("check aten::embedding: 0 <= i < 50", testing::_));
  EXPECT_EQ(executable->plan().peak_bytes, 16 * 8 * 64 * 4);
  ExpectAsEager(*executable, text, inputs);
}

TEST(PipelineTest, PlacesAreInMemoryBeforeWhatReadsThereRuns) {
  const std::string text =
      "x, n\ni = add.Tensor(n, 1)\na = exp.default(x)\ng = gather.default(a, 1, i)\nreturn (g,)";
  const Values inputs = {at::randn({16, 8}), at::randint(7, {16, 8})};
  const auto executable = CompileShort(text, inputs);
  EXPECT_THAT(StepsOf(*executable), ElementsAre("i", "check aten::gather: 0 <= i < 8", "g"));
  ExpectAsEager(*executable, text, inputs);
}

TEST(PipelineTest, EveryKernelThatReadsAtPlacesHasThemChecked) {
  const std::string text =
      "x, w, i\ng = index_select.default(x, 0, i)\ns = sum.dim_IntList(g, [1], True)\nm = mm.default(s, w)\n"
      "b = mul.Tensor(m, g)\nreturn (b,)";
  const Values inputs = {at::randn({9, 8}), at::randn({1, 8}), at::randint(9, {16})};
  const std::string check = "check aten::index_select: 0 <= i < 9";
  EXPECT_THAT(StepsOf(*CompileShort(text, inputs)), ElementsAre(check, "s", "call aten::mm", check, "b"));
  EXPECT_THAT(StepsOf(*CompileShort(text, inputs, WithoutCache(), {{"lower", 1}})),
              ElementsAre("call aten::index_select", "s", "call aten::mm", "b"));
}

TEST(PipelineTest, TwoOutputsNeverShareMemoryBecauseTheyAreEqual) {
  const std::string text = "x\na = relu.default(x)\nb = relu.default(x)\nreturn (a, b)";
  Values inputs = {at::randn({64})};
  const Values outputs = CompileShort(text, inputs)->Run(inputs);
  EXPECT_NE(outputs[0].toTensor().data_ptr(), outputs[1].toTensor().data_ptr());
}

TEST(PipelineTest, NothingIsReadWhereAMaskIsFalseHoweverFarInside) {
  const std::string text =
      "x, y, i\ng = gather.default(x, 1, i)\nn = neg.default(g)\nc = cat.default([y, n], 1)\nreturn (c,)";
  const Values inputs = {at::randn({5, 6}), at::randn({5, 6}), at::randint(6, {5, 6})};
  const auto executable = CompileShort(text, inputs);
  ASSERT_EQ(executable->schedule().kernels.size(), 1U);
  for (const loops::Expression& each : executable->schedule().kernels[0].body.expressions())
    EXPECT_TRUE(each.op != loops::Op::kLoad || each.masked);
  ExpectAsEager(*executable, text, inputs);
}

TEST(PipelineTest, ProductsThatSeveralReadAreOneNumberForAll) {
  const std::string text =
      "x\na = mul.Tensor(x, 1.1)\nm = amax.default(a, [1], True)\nd = sub.Tensor(a, m)\n"
      "n = amax.default(d, [1])\ns = _softmax.default(a, 1, False)\nreturn (n, s)";
  const Values inputs = {at::randn({64, 37}).mul(1e9)};
  for (const codegen::Route route : {codegen::Route::kVectors, codegen::Route::kLlvmO3}) {
    Options options = WithoutCache();
    options.code.route = route;
    const auto executable = CompileShort(text, inputs, options);
    ExpectAsEager(*executable, text, inputs);
    Values given = inputs;
    EXPECT_TRUE(executable->Run(given)[0].toTensor().eq(0).all().item<bool>());
  }
}

TEST(PipelineTest, WithSizesAsArgumentsOtherSizesAreTheSameKernels) {
  Options options = WithoutCache();
  options.symbolic = true;
  const std::string text =
      "x, w\na = add.Tensor(x, w)\ns = _softmax.default(a, 1, False)\nm = mean.dim(s, [0])\nreturn (s, m)";
  const auto kernels = [&](int64_t rows, int64_t columns) {
    const Values inputs = {at::randn({rows, columns}), at::randn({columns})};
    const auto executable = CompileShort(text, inputs, options);
    ExpectAsEager(*executable, text, inputs);
    std::string all;
    for (const loops::Kernel& kernel : executable->schedule().kernels) all += ToText(kernel);
    return all;
  };
  EXPECT_EQ(kernels(24, 130), kernels(17, 99));
}

TEST(PipelineTest, AGraphThatWritesIsNotLowered) {
  EXPECT_THROW(CompileShort("x\na = relu_.default(x)\nreturn (a,)", {at::randn({4})}), lower::NotLowerable);
}

class Names : public PassObserver {
 public:
  void After(const Pass& pass, const Compilation& compilation, double /*seconds*/) override {
    names.emplace_back(pass.name);
    EXPECT_FALSE(ToText(compilation).empty()) << pass.name;
  }
  std::vector<std::string> names;
};

TEST(PipelineTest, EveryPassIsSeen) {
  Names seen;
  CompileShort(kSoftmax, {at::randn({3, 4})}, WithoutCache(), {}, &seen);
  ASSERT_EQ(seen.names.size(), DefaultPipeline().size());
  for (size_t i = 0; i < seen.names.size(); ++i) EXPECT_EQ(seen.names[i], DefaultPipeline()[i].name);
}

/// What is said of the default pipeline with a mistake behind one pass.
std::string SaidOf(const char* name, void (*mistake)(Compilation& compilation)) {
  Pipeline pipeline = DefaultPipeline();
  const auto pass = std::ranges::find(pipeline, name, &Pass::name);
  pass->run = [run = pass->run, mistake](Compilation& compilation, const Applies& applies) {
    run(compilation, applies);
    mistake(compilation);
  };
  backend::SwitchBoard switches({});
  const auto graph = std::make_shared<graph::Graph>(tests::ShortGraph(kSoftmax));
  try {
    Compile({.options = WithoutCache(), .inputs = {at::ones({2, 3})}, .graph = graph}, pipeline, switches);
  } catch (const base::InternalError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(PipelineTest, APassThatLeavesNonsenseIsNamed) {
  const auto wrong_graph = [](Compilation& compilation) {
    graph::Graph wrong = *compilation.graph;
    wrong.SetOutputs({graph::Argument(graph::ValueId{1000})});
    compilation.graph = std::make_shared<graph::Graph>(std::move(wrong));
  };
  EXPECT_THAT(SaidOf("fold_constants", wrong_graph), HasSubstr("behind pass fold_constants"));
  const auto no_loop = [](Compilation& compilation) {
    for (auto& loop : compilation.resolved->loops) loop.reset();
  };
  EXPECT_THAT(SaidOf("inline", no_loop), HasSubstr("behind pass inline"));
  const auto other_way = [](Compilation& compilation) {
    auto& variables = compilation.grouping->groups[0].members[0].variables;
    std::ranges::reverse(variables);
  };
  EXPECT_THAT(SaidOf("fuse", other_way), HasSubstr("behind pass fuse"));
  const auto no_buffer = [](Compilation& compilation) {
    for (schedule::Step& step : compilation.schedule->steps)
      std::get<schedule::KernelStep>(step).buffers.pop_back();
  };
  EXPECT_THAT(SaidOf("arrange", no_buffer), HasSubstr("behind pass arrange"));
  const auto no_plan = [](Compilation& compilation) { compilation.memory->freed_after.clear(); };
  EXPECT_THAT(SaidOf("plan_memory", no_plan), HasSubstr("behind pass plan_memory"));
  const auto more_code = [](Compilation& compilation) { compilation.code.resize(7); };
  EXPECT_THAT(SaidOf("codegen", more_code), HasSubstr("behind pass codegen"));
}

}  // namespace
}  // namespace culprit::compiler::pipeline
