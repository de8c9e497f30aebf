// SPDX-License-Identifier: Apache-2.0
//
// Which calls of a graph its kernels came from.
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/pipeline/pipeline.h"
#include "tests/lib/compile_short.h"

namespace culprit::compiler::pipeline {
namespace {

using testing::ElementsAre;

/// One text per kernel; "?" for what came from no call.
std::vector<std::string> OriginsOf(const run::Executable& executable) {
  std::vector<std::string> all;
  const loops::LoopProgram& program = executable.program();
  for (const schedule::Step& step : executable.schedule().steps) {
    const auto* kernel = std::get_if<schedule::KernelStep>(&step);
    if (kernel == nullptr) continue;
    std::string& origins = all.emplace_back();
    for (const loops::ValueIndex value : kernel->origins) {
      const auto node = program[value].origin();
      origins += (origins.empty() ? "" : " ") + program[value].name + ":" +
                 (node ? program.graph->node(*node).op->name() : "?");
    }
  }
  return all;
}

TEST(PipelineOriginsTest, AKernelCameFromWhatWasPutIntoItToo) {
  const auto executable = tests::CompileShort(
      "x, w\na = mul.Tensor(x, 2.0)\nb = add.Tensor(a, w)\nc = relu.default(b)\nreturn (c,)",
      {at::randn({8, 16}), at::randn({8, 16})});
  EXPECT_THAT(OriginsOf(*executable), ElementsAre("a:aten::mul b:aten::add c:aten::relu"));
}

TEST(PipelineOriginsTest, BothKernelsOfALongSumCameFromIt) {
  const auto executable = tests::CompileShort("x\na = sum.default(x)\nreturn (a,)", {at::rand({1024, 512})});
  EXPECT_THAT(OriginsOf(*executable), ElementsAre("a.partial:aten::sum", "a:aten::sum"));
}

TEST(PipelineOriginsTest, WhatLoweringAddsCameFromTheCall) {
  const auto executable =
      tests::CompileShort("x\ny = _softmax.default(x, 1, False)\nreturn (y,)", {at::randn({32, 100})});
  EXPECT_THAT(OriginsOf(*executable), ElementsAre("y.max:aten::_softmax y.exp:aten::_softmax "
                                                  "y.sum:aten::_softmax y:aten::_softmax"));
}

TEST(PipelineOriginsTest, WhatIsObservedCameFromWhatWasPutIntoItToo) {
  Options options = tests::WithoutCache();
  options.observed = {"b"};
  const auto executable =
      tests::CompileShort("x\na = exp.default(x)\nb = mul.Tensor(a, 3.0)\nc = relu.default(b)\nreturn (c,)",
                          {at::randn({40, 7})}, options);
  EXPECT_THAT(OriginsOf(*executable), ElementsAre("a:aten::exp b:aten::mul c:aten::relu"));
}

}  // namespace
}  // namespace culprit::compiler::pipeline
