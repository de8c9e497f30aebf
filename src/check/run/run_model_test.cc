// SPDX-License-Identifier: Apache-2.0
#include "check/run/run_model.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/internal_error.h"
#include "check/run/function_model.h"
#include "check/run/graph_model.h"
#include "graph/ir/graph.h"
#include "tests/lib/graph_builder.h"
#include "tests/lib/values.h"

namespace culprit::check {
namespace {

at::Tensor Filled(double value) {
  return at::full({4}, value, at::kFloat);
}

at::Tensor WithGrad(double value) {
  return Filled(value).requires_grad_(true);
}

at::Tensor TensorAt(const std::vector<c10::IValue>& values, size_t index) {
  return values.at(index).toTensor();
}

FunctionModel Doubling() {
  return FunctionModel::Plain([](const Inputs& inputs) { return TensorAt(inputs, 0).mul(2); });
}

/// The results of a single call that has to succeed.
Results RunOnce(const Model& model, const Inputs& inputs, const RunOptions& options = {}) {
  RunEnd outcome = RunModel(model, inputs, options);
  EXPECT_TRUE(outcome.ok()) << outcome.failure->ToString();
  return outcome.calls.at(0);
}

std::string FailureOf(const Model& model, const Inputs& inputs = {}, const RunOptions& options = {}) {
  return RunModel(model, inputs, options).failure.value().ToString();
}

at::Tensor InputGradient(const Results& results, size_t index) {
  return results.input_gradients.value().toListRef().at(index).toTensor();
}

TEST(RunModelTest, BackwardFollowsIfAnOutputRequiresGrad) {
  const Results results = RunOnce(Doubling(), {WithGrad(1)});
  EXPECT_TRUE(InputGradient(results, 0).equal(Filled(2.0 / 4))) << "the loss is the sum / 4 elements";
}

TEST(RunModelTest, WithoutAnOutputThatRequiresGradThereAreNoGradients) {
  const Results results = RunOnce(Doubling(), {Filled(1)});
  EXPECT_FALSE(InputGradient(results, 0).defined());
}

TEST(RunModelTest, OnlyForwardHasNoGradients) {
  EXPECT_FALSE(RunOnce(Doubling(), {WithGrad(1)}, {.only_forward = true}).input_gradients);
}

TEST(RunModelTest, AMissingGradientOfAnInputIsNoneAndOfAParameterZeros) {
  const FunctionModel model([](const ModelState&, Inputs& inputs) { return TensorAt(inputs, 0).mul(2); },
                            {{{"unused", WithGrad(1)}}, {}});
  const Results results = RunOnce(model, {WithGrad(1), WithGrad(1), 3});
  EXPECT_FALSE(InputGradient(results, 1).defined());
  EXPECT_TRUE(results.input_gradients->toListRef().at(2).isNone());
  EXPECT_EQ(results.parameter_gradients.at(0).name, "unused");
  EXPECT_TRUE(results.parameter_gradients.at(0).tensor.equal(Filled(0)));
}

TEST(RunModelTest, ParametersAndBuffersAreCollected) {
  const FunctionModel model(
      [](const ModelState& state, Inputs& inputs) {
        state.buffers[0].tensor.add_(1);
        return TensorAt(inputs, 0).mul(state.parameters[0].tensor);
      },
      {{{"_orig_mod.weight", WithGrad(3)}}, {{"_orig_mod.count", Filled(0)}}});
  const Results results = RunOnce(model, {Filled(4)});
  EXPECT_EQ(results.parameter_gradients.at(0).name, "weight");
  EXPECT_TRUE(results.parameter_gradients[0].tensor.equal(Filled(1)));
  EXPECT_EQ(results.state.parameters.at(0).name, "weight");
  EXPECT_EQ(results.state.buffers.at(0).name, "count");
  EXPECT_TRUE(results.state.buffers[0].tensor.equal(Filled(1)));
  EXPECT_TRUE(model.state().buffers[0].tensor.equal(Filled(0))) << "the model itself is untouched";
  EXPECT_FALSE(model.state().parameters[0].tensor.grad().defined());
}

TEST(RunModelTest, InputsInContainersHaveTheirGradients) {
  const FunctionModel model = FunctionModel::Plain([](const Inputs& inputs) {
    return inputs.at(0).toTupleRef().elements()[1].toTensorList().get(0).mul(2);
  });
  const Results results = RunOnce(model, {tests::Tuple({WithGrad(1), c10::List<at::Tensor>({WithGrad(1)})})});
  const auto& gradients = results.input_gradients->toListRef().at(0).toTupleRef().elements();
  EXPECT_FALSE(gradients[0].toTensor().defined());
  EXPECT_TRUE(gradients[1].toTensorList().get(0).equal(Filled(0.5)));
}

TEST(RunModelTest, InputsThatAreNoLeavesHaveGradients) {
  const at::Tensor computed = WithGrad(1).mul(1);
  EXPECT_TRUE(InputGradient(RunOnce(Doubling(), {computed}), 0).equal(Filled(0.5)));
  const FunctionModel writing =
      FunctionModel::Plain([](const Inputs& inputs) { return TensorAt(inputs, 0).mul_(8).mul(2); });
  EXPECT_TRUE(InputGradient(RunOnce(writing, {computed}), 0).equal(Filled(4))) << "of the value that went in";
}

TEST(RunModelTest, WritesToInputsAreResultsAndDoNotReachTheCaller) {
  tests::TestGraph g;
  g.Return({g.Call("aten::add_.Tensor", {g.Placeholder("x"), 1.0})});
  const at::Tensor x = Filled(1);
  const Results results = RunOnce(GraphModel(g.graph()), {x});
  EXPECT_TRUE(TensorAt(results.inputs, 0).equal(Filled(2)));
  EXPECT_TRUE(x.equal(Filled(1)));
}

TEST(RunModelTest, NoCloneUsesTheCallersTensors) {
  const FunctionModel model =
      FunctionModel::Plain([](const Inputs& inputs) { return TensorAt(inputs, 0).add_(1); });
  const at::Tensor x = Filled(1);
  const Results results = RunOnce(model, {x}, {.no_clone = true});
  EXPECT_TRUE(TensorAt(results.inputs, 0).is_same(x));
  EXPECT_TRUE(x.equal(Filled(2)));
}

TEST(RunModelTest, ResultsKeepNoHistoryAlive) {
  const FunctionModel model = FunctionModel::Plain([](const Inputs& inputs) {
    return tests::Tuple({TensorAt(inputs, 0).mul_(2), TensorAt(inputs, 1).exp()});
  });
  const Results results = RunOnce(model, {WithGrad(1).mul(1), WithGrad(1)}, {.only_forward = true});
  const auto& outputs = results.outputs.toTupleRef().elements();
  for (const at::Tensor& tensor :
       {outputs[0].toTensor(), outputs[1].toTensor(), TensorAt(results.inputs, 0)}) {
    EXPECT_TRUE(tensor.requires_grad()) << "which is compared";
    EXPECT_TRUE(tensor.is_leaf());
  }
}

TEST(RunModelTest, CallsThatGiveTheSameShareItsMemory) {
  const RunEnd outcome = RunModel(Doubling(), {Filled(1)}, {.calls = 3});
  const void* memory = outcome.calls.at(0).outputs.toTensor().data_ptr();
  EXPECT_EQ(outcome.calls.at(1).outputs.toTensor().data_ptr(), memory);
  EXPECT_EQ(outcome.calls.at(2).outputs.toTensor().data_ptr(), memory);
}

TEST(RunModelTest, GradientsAreForgottenFirst) {
  const at::Tensor x = WithGrad(1);
  x.mul(100).sum().backward();
  EXPECT_TRUE(InputGradient(RunOnce(Doubling(), {x}, {.no_clone = true}), 0).equal(Filled(0.5)));
  EXPECT_TRUE(x.grad().equal(Filled(0.5)));
}

TEST(RunModelTest, GradientsDoNotAccumulateOverCalls) {
  const FunctionModel model(
      [](const ModelState& state, Inputs&) { return state.parameters[0].tensor.mul(4); },
      {{{"weight", WithGrad(1)}}, {}});
  const RunEnd outcome = RunModel(model, {}, {.calls = 3});
  for (const Results& results : outcome.calls)
    EXPECT_TRUE(results.parameter_gradients.at(0).tensor.equal(Filled(1)));
}

TEST(RunModelTest, EveryRunAndCallDrawsTheSameNumbers) {
  const FunctionModel model = FunctionModel::Plain([](const Inputs&) { return at::rand({5}); });
  const RunEnd first = RunModel(model, {}, {.settings = {.seed = 7}, .calls = 2});
  const RunEnd second = RunModel(model, {}, {.settings = {.seed = 7}});
  const at::Tensor drawn = first.calls.at(0).outputs.toTensor();
  EXPECT_TRUE(drawn.equal(first.calls.at(1).outputs.toTensor()));
  EXPECT_TRUE(drawn.equal(second.calls.at(0).outputs.toTensor()));
  EXPECT_FALSE(drawn.equal(RunOnce(model, {}, {.settings = {.seed = 8}}).outputs.toTensor()));
}

TEST(RunModelTest, EveryCallGetsFreshInputsAndOneState) {
  const FunctionModel model(
      [](const ModelState& state, Inputs& inputs) {
        TensorAt(inputs, 0).add_(1);
        return state.buffers[0].tensor.add_(1).clone();
      },
      {{}, {{"calls", at::zeros({1})}}});
  const RunEnd outcome = RunModel(model, {Filled(0)}, {.calls = 3});
  EXPECT_TRUE(TensorAt(outcome.calls.at(2).inputs, 0).equal(Filled(1)));
  EXPECT_EQ(outcome.calls.at(2).outputs.toTensor().item<float>(), 3);
}

TEST(RunModelTest, ModesAreAsRecorded) {
  const auto modes = [](const Inputs&) -> c10::IValue {
    return tests::Tuple({at::GradMode::is_enabled(), c10::InferenceMode::is_enabled(),
                         at::autocast::is_autocast_enabled(at::kCPU),
                         c10::get_default_dtype() == caffe2::TypeMeta::Make<double>()});
  };
  const auto seen = [&](const repro::RunSettings& settings) {
    std::vector<bool> truths;
    const c10::IValue outputs = RunOnce(FunctionModel::Plain(modes), {}, {settings}).outputs;
    for (const c10::IValue& truth : outputs.toTupleRef().elements()) truths.push_back(truth.toBool());
    return truths;
  };
  EXPECT_EQ(seen({}), std::vector<bool>({true, false, false, false}));
  EXPECT_EQ(seen({.grad = false, .default_dtype = at::kDouble}),
            std::vector<bool>({false, false, false, true}));
  EXPECT_EQ(seen({.grad = false, .inference = true}), std::vector<bool>({false, true, false, false}));
  EXPECT_EQ(seen({.autocast = repro::Autocast{}}), std::vector<bool>({true, false, true, false}));
}

TEST(RunModelTest, WithoutGradModeAnInputThatIsHandedThroughNeedsNoBackward) {
  const FunctionModel identity = FunctionModel::Plain([](const Inputs& inputs) { return inputs.at(0); });
  EXPECT_TRUE(RunModel(identity, {WithGrad(1)}, {.settings = {.grad = false}}).ok());
  EXPECT_TRUE(RunModel(identity, {WithGrad(1)}, {.settings = {.inference = true}}).ok());
}

TEST(RunModelTest, GradientsShareNoMemory) {
  const FunctionModel model =
      FunctionModel::Plain([](const Inputs& inputs) { return TensorAt(inputs, 0).add(TensorAt(inputs, 1)); });
  const Results results = RunOnce(model, {WithGrad(1), WithGrad(2)});
  EXPECT_FALSE(InputGradient(results, 0).is_alias_of(InputGradient(results, 1)));
}

TEST(RunModelTest, AnExceptionIsAnOutcomeWithItsPhase) {
  const auto throwing = [](auto error) {
    return FunctionModel::Plain([error](const Inputs&) -> c10::IValue { throw error; });
  };
  EXPECT_EQ(FailureOf(throwing(std::runtime_error("no memory"))), "forward: no memory");
  EXPECT_EQ(FailureOf(throwing(3)), "forward: something that is no std::exception was thrown");
  const FunctionModel text = FunctionModel::Plain([](const Inputs& inputs) {
    return tests::Tuple({TensorAt(inputs, 0).mul(2), "text"});
  });
  EXPECT_EQ(FailureOf(text, {WithGrad(1)}), "reduce: don't know how to reduce str");
  EXPECT_TRUE(RunModel(text, {Filled(1)}, {}).ok()) << "without gradients nothing is reduced";
}

TEST(RunModelTest, AnErrorOfTheBackwardPassIsAnOutcome) {
  const FunctionModel model = FunctionModel::Plain([](const Inputs& inputs) {
    const at::Tensor half = TensorAt(inputs, 0).mul(0.5);
    const at::Tensor squared = half.mul(half);
    half.add_(1);
    return squared;
  });
  const std::string failure = FailureOf(model, {WithGrad(1)});
  EXPECT_TRUE(failure.starts_with("backward: one of the variables needed for gradient computation"))
      << failure;
}

TEST(RunModelTest, AFailureNamesTheCall) {
  int calls = 0;
  const FunctionModel model = FunctionModel::Plain([&](const Inputs&) {
    if (++calls == 3) throw std::runtime_error("used up");
    return c10::IValue(calls);
  });
  const RunEnd outcome = RunModel(model, {}, {.calls = 5});
  EXPECT_EQ(outcome.failure.value().ToString(), "calls[2], forward: used up");
  EXPECT_EQ(outcome.calls.size(), 2);
}

TEST(RunModelTest, AnErrorOfCulpritsOwnIsNoOutcomeOfAModel) {
  const FunctionModel broken = FunctionModel::Plain([](const Inputs&) -> c10::IValue {
    CULPRIT_CHECK(false, "a bug");
    return {};
  });
  const repro::RunSettings before = repro::CurrentRunSettings();
  EXPECT_THROW(RunModel(broken, {}, {.settings = {.grad = false, .seed = 9}}), base::InternalError);
  EXPECT_EQ(repro::CurrentRunSettings(), before);
  const FunctionModel foreign =
      FunctionModel::Plain([](const Inputs&) -> c10::IValue { throw std::logic_error("a bug of theirs"); });
  EXPECT_EQ(RunModel(foreign, {}, {}).failure.value().message, "a bug of theirs");
}

TEST(RunModelTest, EveryCallGetsFreshInputsAndTheSameGenerator) {
  const FunctionModel model = FunctionModel::Plain(
      [](const Inputs& inputs) { return inputs.at(0).toTensor().add_(1).add(at::rand({2})); });
  const RunEnd outcome = RunModel(model, {at::ones({2})}, {.calls = 2});
  EXPECT_TRUE(outcome.calls.at(0).outputs.toTensor().equal(outcome.calls.at(1).outputs.toTensor()));
}

TEST(RunModelTest, InputsThatAreLeftAloneAreNamedByCall) {
  int calls = 0;
  const FunctionModel model = FunctionModel::Plain([&](const Inputs& inputs) {
    if (++calls == 2) inputs.at(0).toTensor().add_(1);
    return inputs[0];
  });
  const RunEnd outcome = RunModel(model, {at::ones({2}), at::ones({2})}, {.calls = 2});
  EXPECT_THAT(UnwrittenInputs(outcome.calls),
              testing::ElementsAre("calls[0].inputs[0]", "calls[0].inputs[1]", "calls[1].inputs[1]"));
  EXPECT_THAT(UnwrittenInputs({outcome.calls[0]}), testing::ElementsAre("inputs[0]", "inputs[1]"));
}

}  // namespace
}  // namespace culprit::check
