// SPDX-License-Identifier: Apache-2.0
//
// Checks of graphs on an accelerator whose operators return before they are done, and fail late.
#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "check/model/clone_inputs.h"
#include "check/run/compiled_model.h"
#include "check/run/function_model.h"
#include "check/run/graph_model.h"
#include "check/run/run_model.h"
#include "check/run/synchronize.h"
#include "check/verdict/same_two_models.h"
#include "graph/tensors/describe_tensors.h"
#include "isolate/stacks/thread_stacks.h"
#include "tests/lib/async_device.h"
#include "tests/lib/failing_paths.h"
#include "tests/lib/graph_builder.h"
#include "tests/lib/interpreting_backend.h"
#include "tests/lib/values.h"

namespace culprit::check {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using tests::AsyncDevice;

constexpr const char* kError = "illegal memory access";

/// relu(x) * factor.
graph::Graph Scaled(double factor = 2) {
  tests::TestGraph g;
  g.Return({g.Call("aten::mul.Tensor", {g.Call("aten::relu", {g.Placeholder("x")}), factor})});
  return g.graph();
}

Inputs OnDevice(int index = 0) {
  return {at::arange(-3, 3, at::kFloat).to(AsyncDevice::device(index)).requires_grad_(true)};
}

void FailNow(int index = 0) {
  AsyncDevice::FailNext(kError, index);
  at::ones({1}).to(AsyncDevice::device(index)).add(1);
}

class AcceleratorTest : public testing::Test {
 protected:
  AcceleratorTest() { AsyncDevice::Reset(); }
  ~AcceleratorTest() override { EXPECT_EQ(AsyncDevice::queued(0) + AsyncDevice::queued(1), 0); }

  /// A model that is compiled runs next, and fails in its first operator.
  void FailWhenCompiled() {
    watch_.compiling = [](const graph::Graph&) { AsyncDevice::FailNext(kError); };
  }
  static std::string FailureOf(const RunEnd& outcome) {
    return outcome.ok() ? "" : outcome.failure->ToString();
  }
  /// Nothing of an earlier run is left to fail here.
  static void ExpectHealthy() { EXPECT_EQ(FailureOf(RunModel(GraphModel(Scaled()), OnDevice(), {})), ""); }

  tests::Watch watch_;
  tests::InterpretingBackend backend_{watch_};
  const graph::Graph graph_ = Scaled();
  const Inputs inputs_ = OnDevice();
  const CompiledModel compiled_{backend_, graph_, inputs_};
};

TEST_F(AcceleratorTest, AKernelThatFailsLateIsAFailureOfThisRunAndNotOfTheNext) {
  FailWhenCompiled();
  EXPECT_EQ(FailureOf(RunModel(compiled_, inputs_, {.only_forward = true})),
            "synchronize: illegal memory access");
  ExpectHealthy();
}

TEST_F(AcceleratorTest, ALaterCallThatFailsLateIsNamed) {
  int calls = 0;
  watch_.returned = [&](const std::string&, const backend::Values&) {
    if (++calls == 1) AsyncDevice::FailNext(kError);
  };
  EXPECT_EQ(FailureOf(RunModel(compiled_, inputs_, {.only_forward = true, .calls = 3})),
            "calls[1], synchronize: illegal memory access");
  ExpectHealthy();
}

TEST_F(AcceleratorTest, TheBackwardPassCanFailLate) {
  watch_.returned = [](const std::string&, const backend::Values&) { AsyncDevice::FailNext(kError); };
  const RunEnd outcome = RunModel(compiled_, inputs_, {});
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.failure->message, kError);
  EXPECT_GT(outcome.failure->phase, Phase::kForward);
  ExpectHealthy();
}

TEST_F(AcceleratorTest, WhatFailsLateInTheCompilerIsAFailureToCompile) {
  watch_.compiling = [](const graph::Graph&) { FailNow(); };
  EXPECT_EQ(FailureOf(RunModel(compiled_, inputs_, {})), "compile: illegal memory access");
  ExpectHealthy();
}

TEST_F(AcceleratorTest, WhatFailedBeforeTheRunIsNotBlamedOnTheModel) {
  FailNow();
  EXPECT_EQ(FailureOf(RunModel(GraphModel(graph_), inputs_, {})), "clone: illegal memory access");
  ExpectHealthy();
}

TEST_F(AcceleratorTest, ARunThatThrowsLeavesNothingToFailInTheNext) {
  const FunctionModel model = FunctionModel::Plain([](const Inputs& inputs) -> c10::IValue {
    AsyncDevice::FailNext(kError);
    inputs.at(0).toTensor().add(1);
    throw std::runtime_error("thrown at once");
  });
  EXPECT_EQ(FailureOf(RunModel(model, inputs_, {})), "forward: thrown at once");
  ExpectHealthy();
}

TEST_F(AcceleratorTest, BothDevicesAreWaitedForAlsoWhenTheFirstFails) {
  const FunctionModel model = FunctionModel::Plain([](const Inputs& inputs) {
    for (const int index : {0, 1}) AsyncDevice::FailNext("device " + std::to_string(index), index);
    return tests::Tuple({inputs.at(0).toTensor().add(1), inputs.at(1).toTensor().add(1)});
  });
  const Inputs inputs = {inputs_[0], OnDevice(1)[0]};
  EXPECT_EQ(FailureOf(RunModel(model, inputs, {.only_forward = true})), "synchronize: device 0");
  EXPECT_EQ(AsyncDevice::waits(1), AsyncDevice::waits(0));
  EXPECT_EQ(FailureOf(RunModel(GraphModel(graph_), {inputs[1]}, {})), "");
}

TEST_F(AcceleratorTest, ABrokenDeviceCannotComputeAndAFailureAloneBreaksNone) {
  FailNow();
  EXPECT_THROW(Synchronize({AsyncDevice::device()}), c10::Error);
  EXPECT_TRUE(CanCompute({AsyncDevice::device()}));
  AsyncDevice::BreakNext(kError);
  inputs_[0].toTensor().add(1);
  EXPECT_FALSE(CanCompute({AsyncDevice::device(), AsyncDevice::device(1)}));
  EXPECT_TRUE(CanCompute({AsyncDevice::device(1)}));
  AsyncDevice::Reset();
}

TEST_F(AcceleratorTest, ADeviceThatHangsIsSeenInTheStackOfWhoWaits) {
  std::string text;
  {
    auto hold = std::make_optional<AsyncDevice::Hold>();
    const std::jthread run([this] { RunModel(GraphModel(graph_), inputs_, {.only_forward = true}); });
    for (int i = 0; i < 100 && text.find("WorkQueue::Wait()") == std::string::npos; ++i)
      text = isolate::ToText(isolate::StacksOfAllThreads());
    hold.reset();
  }
  const size_t wait = text.find("WorkQueue::Wait()");
  ASSERT_NE(wait, std::string::npos) << text;
  EXPECT_NE(text.find("check::RunModel(", wait), std::string::npos) << text;
}

TEST_F(AcceleratorTest, TheCandidateThatFailsLateIsToBlame) {
  FailWhenCompiled();
  CheckOptions options = CheckOptions::Strict();
  options.run.only_forward = true;
  const CheckResult result = SameTwoModels(GraphModel(graph_), compiled_, inputs_, options);
  EXPECT_EQ(result.message, "the candidate failed: synchronize: illegal memory access");
  EXPECT_EQ(SameTwoModels(GraphModel(graph_), GraphModel(graph_), inputs_, options).message, "");
}

TEST_F(AcceleratorTest, TheReferenceCanFailLateToo) {
  FailWhenCompiled();
  const CheckResult result = SameTwoModels(compiled_, GraphModel(graph_), inputs_, {});
  EXPECT_EQ(result.status, CheckStatus::kReferenceFailed);
  EXPECT_EQ(result.failure->message, kError);
}

TEST_F(AcceleratorTest, NumbersAreComparedBackwardAndAgainstFp64) {
  const CheckResult same =
      SameTwoModels(GraphModel(graph_), GraphModel(graph_), inputs_, CheckOptions::Accuracy());
  EXPECT_EQ(same.message, "");
  EXPECT_THAT(same.warnings, IsEmpty());
  const CheckResult different =
      SameTwoModels(GraphModel(graph_), GraphModel(Scaled(3)), inputs_, CheckOptions::Accuracy());
  EXPECT_THAT(tests::FailingPaths(different.verdict), ElementsAre("outputs[0]", "gradients.inputs[0]"));
}

TEST_F(AcceleratorTest, NoiseIsMeasuredThere) {
  CheckOptions options = CheckOptions::Accuracy();
  options.always_noise = true;
  const graph::Graph rounds = Scaled(0.1);
  const Inputs fractions = {at::arange(-3, 3, at::kFloat).div(7).to(AsyncDevice::device(0))};
  const CheckResult result = SameTwoModels(GraphModel(rounds), GraphModel(rounds), fractions, options);
  EXPECT_GT(result.verdict.outputs.at(0).noise.value().nudged.value(), 0);
}

TEST_F(AcceleratorTest, InputsCanBeStored) {
  const base::Result<graph::DescribedTensors> described = graph::DescribeTensors({inputs_[0].toTensor()});
  EXPECT_EQ(described->group.storages.at(0).device, AsyncDevice::device());
  EXPECT_EQ(static_cast<const float*>(described->contents.at(0).data())[0], -3);
}

TEST_F(AcceleratorTest, InputsThatCannotBeReadAreNotStored) {
  FailNow();
  const auto described = graph::DescribeTensors({inputs_[0].toTensor()});
  EXPECT_EQ(described.error().message, "a tensor cannot be stored: illegal memory access");
}

TEST_F(AcceleratorTest, AResultOnAnotherDeviceIsADifference) {
  const FunctionModel moving = FunctionModel::Plain(
      [](const Inputs& inputs) { return tests::Tuple({inputs.at(0).toTensor().relu().mul(2).cpu()}); });
  const CheckResult result = SameTwoModels(GraphModel(graph_), moving, inputs_, CheckOptions::Strict());
  ASSERT_THAT(tests::FailingPaths(result.verdict), ElementsAre("outputs[0]"));
  EXPECT_EQ(result.verdict.mismatches.at(0).message, "privateuseone:0 in the reference, cpu in the result");
}

TEST_F(AcceleratorTest, ClonesShareMemoryAsTheInputsDo) {
  const at::Tensor base = at::arange(6, at::kFloat).to(AsyncDevice::device(1));
  const Inputs clones = CloneInputs({base, base.view({2, 3}).t()});
  const at::Tensor first = clones[0].toTensor();
  const at::Tensor second = clones[1].toTensor();
  EXPECT_EQ(second.device(), AsyncDevice::device(1));
  EXPECT_EQ(second.strides(), c10::IntArrayRef({1, 3}));
  first.mul_(2);
  EXPECT_TRUE(second.cpu().equal(at::arange(6, at::kFloat).mul(2).view({2, 3}).t()));
  EXPECT_TRUE(base.cpu().equal(at::arange(6, at::kFloat)));
}

TEST_F(AcceleratorTest, InputsThatAreWrittenIntoAreCompared) {
  tests::TestGraph g;
  g.Call("aten::add_.Tensor", {g.Placeholder("x"), 1});
  g.Return({});
  const FunctionModel lazy = FunctionModel::Plain([](const Inputs&) { return tests::Tuple({}); });
  const Inputs inputs = {inputs_[0].toTensor().detach()};
  const CheckResult result = SameTwoModels(GraphModel(g.graph()), lazy, inputs, CheckOptions::Strict());
  EXPECT_THAT(tests::FailingPaths(result.verdict), ElementsAre("inputs[0]"));
}

}  // namespace
}  // namespace culprit::check
