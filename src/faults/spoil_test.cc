// SPDX-License-Identifier: Apache-2.0
#include "faults/spoil.h"

#include <ATen/ops/allclose.h>
#include <ATen/ops/linspace.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "backends/native/native.h"
#include "backends/native/native_backend.h"
#include "faults/with_fault.h"
#include "graph/run/interpreter.h"
#include "tests/lib/short_graph.h"

namespace culprit::faults {
namespace {

using backend::SwitchOff;
using backend::Values;
using compiler::pipeline::Pass;

std::unique_ptr<backend::Backend> Native(std::vector<SwitchOff> off = {}) {
  compiler::pipeline::Options options;
  options.cache.use = compiler::jit::CacheUse::kOff;
  return backends::native::OpenPipeline(compiler::pipeline::DefaultPipeline(), options, std::move(off));
}

Values Inputs() {
  return {at::linspace(-1, 1, 36).view({6, 6})};
}

bool IsRight(backend::Backend& backend, const std::string& text) {
  const graph::Graph graph = tests::ShortGraph(text);
  Values inputs = Inputs();
  const Values found = backend.Compile(graph, inputs)->Call(inputs);
  const Values expected = graph::Interpreter(graph).Run(Inputs());
  for (size_t i = 0; i < expected.size(); ++i)
    if (!at::allclose(found.at(i).toTensor(), expected[i].toTensor())) return false;
  return true;
}

constexpr const char* kRelu = "x\ny = relu.default(x)\nreturn (y,)";
constexpr const char* kReluInside = "x\ny = relu.default(x)\nz = exp.default(y)\nreturn (z,)";
constexpr const char* kSoftmax = "x\ny = _softmax.default(x, 1, False)\nreturn (y,)";
constexpr const char* kTwoResults = "x\na = mm.default(x, x)\ny = relu.default(x)\nreturn (a, y)";
constexpr const char* kArgmax = "x\ny = argmax.default(x, 1, False)\nreturn (y,)";
constexpr const char* kWithoutGuilty =
    "x\ny = sigmoid.default(x)\nz = sum.dim_IntList(y, [1])\nreturn (y, z)";

struct Case {
  const char* fault;
  const char* graph;
};

constexpr Case kCases[] = {
    {"relu:wrong-loop", kRelu},          {"relu:wrong-loop", kReluInside},
    {"_softmax:wrong-loop", kSoftmax},   {"argmax:wrong-loop", kArgmax},
    {"_softmax:wrong-fusion", kSoftmax}, {"relu:wrong-index", kRelu},
    {"relu:wrong-index", kReluInside},   {"relu:wrong-memory", kTwoResults},
    {"relu:wrong-code", kRelu},          {"_softmax:wrong-code", kSoftmax},
    {"relu:wrong-code", kReluInside},    {"_softmax:wrong-index", kSoftmax},
};

TEST(SpoilTest, TheGuiltyNodeIsComputedWrong) {
  for (const Case& one : kCases) {
    EXPECT_TRUE(IsRight(*Native(), one.graph)) << one.graph;
    EXPECT_FALSE(IsRight(**WithFault(Native(), *ParseFault(one.fault)), one.graph)) << one.fault;
  }
}

TEST(SpoilTest, WithThePassOffItIsRight) {
  for (const Case& one : kCases) {
    const Fault fault = *ParseFault(one.fault);
    const auto backend = *WithFault(Native({{std::string(fault.kind->pass)}}), fault);
    EXPECT_TRUE(IsRight(*backend, one.graph)) << one.fault;
  }
}

TEST(SpoilTest, OtherGraphsAreRight) {
  for (const FaultKind& kind : AllFaultKinds()) {
    if (kind.moment != FaultMoment::kPass) continue;
    const auto backend = *WithFault(Native(), *ParseFault(fmt::format("relu:{}", kind.name)));
    EXPECT_TRUE(IsRight(*backend, kWithoutGuilty)) << kind.name;
  }
}

/// How many things are spoiled.
size_t Spoiled(const char* fault, const char* text, std::vector<SwitchOff> off = {}) {
  size_t spoiled = 0;
  const auto backend =
      *WithFault(Native(std::move(off)), *ParseFault(fault), [&](const Fault&) { ++spoiled; });
  backend->Compile(tests::ShortGraph(text), Inputs());
  return spoiled;
}

TEST(SpoilTest, WhatIsSpoiledIsSaid) {
  for (const Case& one : kCases) EXPECT_GT(Spoiled(one.fault, one.graph), 0U) << one.fault;
}

TEST(SpoilTest, WhereNothingIsSpoiledNothingIsSaid) {
  EXPECT_EQ(Spoiled("relu:wrong-loop", kWithoutGuilty), 0U);
  EXPECT_EQ(Spoiled("relu:wrong-loop", kRelu, {{"lower"}}), 0U);
  // A loop that nobody in its kernel reads, a call, and a kernel that loads nothing.
  EXPECT_EQ(Spoiled("relu:wrong-fusion", kRelu), 0U);
  EXPECT_EQ(Spoiled("mm:wrong-index", kTwoResults), 0U);
  EXPECT_EQ(Spoiled("zeros_like:wrong-index", "x\ny = zeros_like.default(x)\nreturn (y,)"), 0U);
}

TEST(SpoilTest, WhatIsSpoiledIsAnApplicationOfItsOwn) {
  const Fault fault = *ParseFault("relu:wrong-loop");
  EXPECT_FALSE(IsRight(**WithFault(Native({{"lower", 3}}), fault), kRelu));
  EXPECT_TRUE(IsRight(**WithFault(Native({{"lower", 2}}), fault), kRelu));
}

TEST(SpoilDeathTest, APassCrashesUnlessItIsOff) {
  const Fault fault = *ParseFault("relu:pass-crash");
  // A sanitizer would report what is meant to happen.
  const auto crash = [&] {
    signal(SIGSEGV, SIG_DFL);
    IsRight(**WithFault(Native(), fault), kRelu);
  };
  EXPECT_EXIT(crash(), testing::KilledBySignal(SIGSEGV), "");
  EXPECT_TRUE(IsRight(**WithFault(Native({{"lower"}}), fault), kRelu));
}

TEST(SpoilTest, FaultsInPassesGoWithOthersInAnyOrder) {
  const auto backend = *WithFaults(Native(), {*ParseFault("relu:shape"), *ParseFault("relu:wrong-loop")});
  Values inputs = Inputs();
  const at::Tensor found = backend->Compile(tests::ShortGraph(kRelu), inputs)->Call(inputs).at(0).toTensor();
  EXPECT_EQ(found.sizes(), at::IntArrayRef({6, 6, 1}));
  EXPECT_FALSE(at::allclose(found.squeeze(-1), Inputs()[0].toTensor().relu()));
}

TEST(SpoilTest, EveryPassIsOneOfNatives) {
  for (const FaultKind& kind : AllFaultKinds()) {
    if (kind.moment != FaultMoment::kPass) continue;
    const auto& passes = compiler::pipeline::DefaultPipeline();
    EXPECT_NE(std::ranges::find(passes, kind.pass, &Pass::name), passes.end()) << kind.name;
  }
}

}  // namespace
}  // namespace culprit::faults
