// SPDX-License-Identifier: Apache-2.0
#include "check/run/compiled_model.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "check/run/run_model.h"
#include "tests/lib/graph_builder.h"

namespace culprit::check {
namespace {

using Values = backend::Values;

class CountingCompiled : public backend::Compiled {
 public:
  Values Call(Values&) override { return {at::ones({1}).mul(++calls_)}; }

 private:
  int calls_ = 0;
};

/// Writes into everything it is given, if it is to.
class FakeBackend : public backend::Backend {
 public:
  std::unique_ptr<backend::Compiled> Compile(graph::Graph graph, const Values& inputs) override {
    ++compilations;
    if (throws) throw std::runtime_error("cannot lower");
    if (writes) {
      for (const c10::IValue& input : inputs) input.toTensor().detach().fill_(99);
      for (const graph::TensorConstant& constant : graph.constants()) constant.tensor.fill_(99);
    }
    return std::make_unique<CountingCompiled>();
  }

  int compilations = 0;
  bool throws = false;
  bool writes = false;
};

class CompiledModelTest : public testing::Test {
 protected:
  static graph::Graph MakeGraph() {
    tests::TestGraph g;
    const graph::ValueId x = g.Placeholder("x");
    g.Return({g.Call("aten::add.Tensor", {x, g.Constant("c", at::ones({1}))})});
    return g.graph();
  }

  /// What the only output of the n-th call is.
  static float OutputOf(const RunEnd& outcome, size_t call) {
    return outcome.calls.at(call).outputs.toTupleRef().elements().at(0).toTensor().item<float>();
  }

  FakeBackend backend_;
  const graph::Graph graph_ = MakeGraph();
  const Values inputs_ = {at::ones({1}).requires_grad_(true)};
  const CompiledModel model_{backend_, graph_, inputs_};
};

TEST_F(CompiledModelTest, EveryCopyIsCompiledAnew) {
  EXPECT_EQ(backend_.compilations, 0);
  for (int run = 1; run <= 3; ++run) {
    const RunEnd outcome = RunModel(model_, inputs_, {.only_forward = true, .calls = 2});
    EXPECT_EQ(backend_.compilations, run);
    EXPECT_EQ(OutputOf(outcome, 0), 1) << "the state of earlier runs is not there";
    EXPECT_EQ(OutputOf(outcome, 1), 2) << "that of this one is";
  }
}

TEST_F(CompiledModelTest, WhatTheCompilerWritesReachesNobody) {
  backend_.writes = true;
  RunModel(model_, inputs_, {});
  EXPECT_EQ(inputs_[0].toTensor().item<float>(), 1);
  EXPECT_EQ(graph_.constants()[0].tensor.item<float>(), 1);
}

TEST_F(CompiledModelTest, WhatTheCompilerThrowsIsAFailureOfThatPhase) {
  backend_.throws = true;
  const RunFailure failure = RunModel(model_, inputs_, {}).failure.value();
  EXPECT_EQ(failure.phase, Phase::kCompile);
  EXPECT_EQ(failure.message, "cannot lower");
  EXPECT_EQ(failure.type, "std::runtime_error");
}

TEST_F(CompiledModelTest, CallingWhatWasNotCompiledIsABug) {
  CompiledModel model(backend_, graph_, inputs_);
  Values inputs = inputs_;
  EXPECT_THROW(model.Call(inputs), base::InternalError);
}

TEST_F(CompiledModelTest, HasNoStateAndNoFloat64) {
  EXPECT_TRUE(model_.state().empty());
  EXPECT_EQ(model_.InFp64(inputs_, {}).error().message, "a compiled graph cannot be cast to float64");
}

}  // namespace
}  // namespace culprit::check
