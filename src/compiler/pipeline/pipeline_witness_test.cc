// SPDX-License-Identifier: Apache-2.0
//
// What can be seen while a compiled graph runs: values that are observed, and that memory is given back.
#include <ATen/ops/allclose.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/pipeline/pipeline.h"
#include "tests/lib/compile_short.h"

namespace culprit::compiler::pipeline {
namespace {

using backend::Values;
using tests::CompileShort;
using tests::WithoutCache;

Options Observing(std::vector<std::string> handles) {
  Options options = WithoutCache();
  options.observed = std::move(handles);
  return options;
}

/// What a witness of a run sees of a handle; undefined if it sees nothing.
at::Tensor Seen(const run::Executable& executable, Values inputs, const std::string& handle) {
  at::Tensor seen;
  const std::optional<loops::ValueIndex> wanted = executable.program().Find(handle);
  executable.Run(inputs, [&](loops::ValueIndex value, const at::Tensor& tensor) {
    if (value == wanted) seen = tensor.clone();
  });
  return seen;
}

void ExpectSeen(const run::Executable& executable, const Values& inputs, const std::string& handle,
                const at::Tensor& expected) {
  const at::Tensor seen = Seen(executable, inputs, handle);
  ASSERT_TRUE(seen.defined()) << handle;
  EXPECT_TRUE(at::allclose(seen, expected, 1e-5, 1e-6)) << handle;
}

TEST(PipelineWitnessTest, WhatIsObservedIsStoredByTheKernelThatComputesIt) {
  const std::string text = "x\na = exp.default(x)\nb = mul.Tensor(a, 3.0)\nc = relu.default(b)\nreturn (c,)";
  const at::Tensor x = at::randn({40, 7});
  EXPECT_FALSE(Seen(*CompileShort(text, {x}), {x}, "a").defined());
  const auto executable = CompileShort(text, {x}, Observing({"a", "b"}));
  EXPECT_EQ(executable->schedule().kernels.size(), 1U);
  ExpectSeen(*executable, {x}, "a", x.exp());
  ExpectSeen(*executable, {x}, "b", x.exp().mul(3));
}

TEST(PipelineWitnessTest, WhatWasMergedIsSeenAsTheValueThatStandsForIt) {
  const std::string text =
      "x\na = _softmax.default(x, 1, False)\nb = _softmax.default(x, 1, False)\nc = add.Tensor(a, b)\n"
      "s = sum.default(c)\nreturn (s,)";
  const at::Tensor x = at::rand({1024, 512});
  const auto executable = CompileShort(text, {x}, Observing({"b", "b.max"}));
  ASSERT_TRUE(executable->program().Find("s.partial"));
  EXPECT_EQ(executable->program().Find("b"), executable->program().Find("a"));
  ExpectSeen(*executable, {x}, "b", x.softmax(1));
  ExpectSeen(*executable, {x}, "b.max", x.amax(1, /*keepdim=*/true));
}

TEST(PipelineWitnessTest, WhatWasFoldedIsSeenAsTheConstantThatItBecame) {
  const auto graph = std::make_shared<graph::Graph>();
  const graph::ValueId x = graph->AddPlaceholder("x");
  const graph::ValueId two = graph->AddConstant("two", at::ones({3}).mul(2));
  const auto add = [&](const char* op, std::vector<graph::Argument> arguments, const char* name) {
    return graph->AddNode(graph::Operator::Get(op), std::move(arguments), {name}).results[0];
  };
  const graph::ValueId folded = add("aten::exp", {two}, "folded");
  graph->SetOutputs({add("aten::mul.Tensor", {x, folded}, "product")});
  backend::SwitchBoard switches({});
  const Values inputs = {at::randn({3})};
  const auto executable = Compile({.options = Observing({"folded"}), .inputs = inputs, .graph = graph},
                                  DefaultPipeline(), switches);
  EXPECT_TRUE(executable->program()[*executable->program().Find("folded")].is_given());
  ExpectSeen(*executable, inputs, "folded", at::ones({3}).mul(2).exp());
}

TEST(PipelineWitnessTest, WhatIsReadBehindAReshapeIsSeen) {
  const std::string text =
      "x\na = exp.default(x)\nr = view.default(a, [28])\nb = neg.default(r)\nreturn (b,)";
  const at::Tensor x = at::randn({4, 7});
  const auto executable = CompileShort(text, {x}, Observing({"a", "r"}));
  ExpectSeen(*executable, {x}, "a", x.exp());
  ExpectSeen(*executable, {x}, "r", x.exp().view({28}));
}

TEST(PipelineWitnessTest, WhatALongSumReadsIsSeen) {
  const std::string text = "x\na = mul.Tensor(x, 3.0)\ns = sum.default(a)\nreturn (s,)";
  const at::Tensor x = at::rand({1024, 512});
  const auto executable = CompileShort(text, {x}, Observing({"a", "s.partial"}));
  ExpectSeen(*executable, {x}, "a", x.mul(3));
  ExpectSeen(*executable, {x}, "s.partial", x.mul(3).view({64, -1}).sum(1));
}

TEST(PipelineWitnessTest, ANameThatTheGraphDoesNotHaveIsRefused) {
  try {
    CompileShort("x\na = exp.default(x)\nreturn (a,)", {at::randn({4})}, Observing({"a", "typo"}));
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "cannot observe 'typo': the graph has no such value");
  }
}

TEST(PipelineWitnessTest, AValueThatAPassHasTakenApartIsNotFound) {
  const std::string text =
      "x\nparts = split.Tensor(x, 2, 1)\na = torch.ops.aten.neg.default(parts[1])\nreturn (a,)";
  const Values inputs = {at::randn({3, 4})};
  EXPECT_FALSE(CompileShort(text, inputs, Observing({"parts"}))->program().Find("parts"));
  EXPECT_TRUE(CompileShort(text, inputs, Observing({"parts"}), {{"decompose"}})->program().Find("parts"));
}

using Memory = c10::weak_intrusive_ptr<c10::StorageImpl>;

TEST(PipelineWitnessTest, MemoryIsGivenBackBehindTheLastStepThatNeedsIt) {
  const std::string text =
      "x, w\na = exp.default(x)\nm = mm.default(a, w)\ns = sum.dim_IntList(m, [0], True)\n"
      "o = mm.default(s, w)\nreturn (o,)";
  Values inputs = {at::randn({8, 16}), at::randn({16, 16})};
  const auto executable = CompileShort(text, inputs);
  std::map<std::string, Memory> seen;
  std::map<std::string, std::vector<std::string>> alive;
  executable->Run(inputs, [&](loops::ValueIndex value, const at::Tensor& tensor) {
    const std::string& name = executable->program()[value].name;
    seen.emplace(name, tensor.storage().getWeakStorageImpl());
    for (const auto& [other, memory] : seen)
      if (!memory.expired()) alive[name].push_back(other);
  });
  using testing::ElementsAre;
  EXPECT_TRUE(inputs.empty());
  EXPECT_THAT(alive["a"], ElementsAre("a", "w", "x"));
  EXPECT_THAT(alive["m"], ElementsAre("a", "m", "w"));
  EXPECT_THAT(alive["s"], ElementsAre("m", "s", "w"));
  EXPECT_THAT(alive["o"], ElementsAre("o", "s", "w"));
}

}  // namespace
}  // namespace culprit::compiler::pipeline
