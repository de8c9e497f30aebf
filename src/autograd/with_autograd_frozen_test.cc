// SPDX-License-Identifier: Apache-2.0
//
// Compilers that want parameters frozen.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "autograd/with_autograd.h"
#include "graph/passes/freeze_placeholders.h"
#include "graph/run/interpreter.h"
#include "tests/lib/short_graph.h"

namespace culprit::autograd {
namespace {

using graph::PlaceholderKind;
using testing::ElementsAre;
using testing::IsEmpty;

class FrozenGraphCompiled : public backend::Compiled {
 public:
  explicit FrozenGraphCompiled(const graph::FrozenGraph& frozen)
      : kept_(frozen.kept), interpreter_(frozen.graph) {}
  backend::Values Call(backend::Values& inputs) override {
    return interpreter_.Run(graph::TakenInputs(inputs, kept_));
  }

 private:
  std::vector<size_t> kept_;
  graph::Interpreter interpreter_;
};

class FreezingBackend : public backend::Backend {
 public:
  explicit FreezingBackend(std::vector<std::string>& frozen) : frozen_(frozen) {}
  backend::Parameters parameters() const override { return backend::Parameters::kFrozen; }
  std::unique_ptr<backend::Compiled> Compile(graph::Graph graph, const backend::Values& inputs) override {
    for (const graph::Placeholder& placeholder : graph.placeholders())
      if (placeholder.kind != PlaceholderKind::kInput) frozen_.push_back(graph.value(placeholder.value).name);
    return std::make_unique<FrozenGraphCompiled>(FreezePlaceholders(graph, inputs));
  }

 private:
  std::vector<std::string>& frozen_;
};

/// x * w + b, where w is a parameter and b a buffer.
class FrozenTest : public testing::Test {
 protected:
  at::Tensor Run(const std::string& text, const backend::Values& inputs) {
    graph::Graph graph = tests::ShortGraph(text);
    graph.set_name("net_0_captured");
    graph.SetPlaceholderKind(1, PlaceholderKind::kParameter);
    graph.SetPlaceholderKind(2, PlaceholderKind::kBuffer);
    const auto backend = WithAutograd(std::make_unique<FreezingBackend>(frozen_),
                                      {.log = [this](const std::string& line) { log_.push_back(line); }});
    EXPECT_EQ(backend->parameters(), backend::Parameters::kFrozenForInference);
    backend::Values given = inputs;
    return backend->Compile(graph, inputs)->Call(given).at(0).toTensor();
  }

  std::vector<std::string> frozen_;
  std::vector<std::string> log_;
};

constexpr const char* kSum = "x, w, b\nt = mul.Tensor(x, w)\ny = add.Tensor(t, b)\nreturn (y,)";

TEST_F(FrozenTest, WhereNoGradientsAreRecordedTheCompilerGetsNumbers) {
  const at::Tensor w = at::full({2}, 3.0).requires_grad_();
  const at::NoGradGuard no_grad;
  EXPECT_TRUE(Run(kSum, {at::ones({2}), w, at::ones({2})}).equal(at::full({2}, 4.0)));
  EXPECT_THAT(frozen_, ElementsAre("w", "b"));
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(FrozenTest, WhatNeedsNoGradientsIsFrozenInGradModeToo) {
  Run(kSum, {at::ones({2}), at::ones({2}), at::ones({2})});
  EXPECT_THAT(frozen_, ElementsAre("w", "b"));
}

TEST_F(FrozenTest, WhatIsTrainedStaysAnInputAndThatIsSaid) {
  const at::Tensor w = at::full({2}, 3.0).requires_grad_();
  Run(kSum, {at::ones({2}), w, at::ones({2})}).sum().backward();
  EXPECT_TRUE(w.grad().equal(at::ones({2})));
  EXPECT_THAT(frozen_, IsEmpty());
  EXPECT_THAT(log_,
              ElementsAre("net_0_captured records gradients: its parameters are inputs, not constants"));
}

TEST_F(FrozenTest, ABufferThatTheGraphWritesStaysAnInput) {
  const at::Tensor calls = at::zeros({2});
  const std::string text = "x, w, b\nt = mul.Tensor(x, w)\nc = add_.Tensor(b, 1)\nreturn (t,)";
  Run(text, {at::ones({2}), at::ones({2}), calls});
  EXPECT_THAT(frozen_, ElementsAre("w"));
  EXPECT_TRUE(calls.equal(at::ones({2})));
}

}  // namespace
}  // namespace culprit::autograd
