// SPDX-License-Identifier: Apache-2.0
#include "check/run/function_model.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "check/run/run_model.h"

namespace culprit::check {
namespace {

TEST(FunctionModelTest, APlainFunctionGetsTheInputs) {
  FunctionModel model =
      FunctionModel::Plain([](const Inputs& inputs) { return inputs.at(0).toTensor().mul(2); });
  Inputs inputs = {at::ones({2})};
  EXPECT_EQ(model.Call(inputs).toTensor().sum().item<float>(), 4);
  EXPECT_TRUE(model.state().empty());
}

TEST(FunctionModelTest, ABoxedFunctionMayClearTheListAndTheCallersTensorsSurvive) {
  const FunctionModel model = FunctionModel::Boxed([](Inputs& inputs) {
    const at::Tensor result = inputs.at(0).toTensor().mul(2);
    inputs.clear();
    return result;
  });
  const Inputs inputs = {at::ones({2})};
  for (const bool no_clone : {false, true}) {
    const RunEnd outcome = RunModel(model, inputs, {.no_clone = no_clone, .calls = 2});
    ASSERT_TRUE(outcome.ok());
    EXPECT_TRUE(outcome.calls[1].inputs.at(0).toTensor().equal(at::ones({2})));
    EXPECT_TRUE(inputs.at(0).toTensor().equal(at::ones({2})));
  }
}

TEST(FunctionModelTest, ACopyHasAStateOfItsOwn) {
  const at::Tensor weight = at::ones({2}).requires_grad_(true);
  const FunctionModel model([](const ModelState& state, Inputs&) { return state.buffers[0].tensor.add_(1); },
                            {{{"weight", weight}}, {{"count", at::ones({1})}}});
  const std::unique_ptr<Model> copy = model.Copy();
  Inputs none;
  copy->Call(none);
  EXPECT_EQ(copy->state().buffers[0].tensor.item<float>(), 2);
  EXPECT_EQ(model.state().buffers[0].tensor.item<float>(), 1);
  EXPECT_TRUE(copy->state().parameters[0].tensor.requires_grad());
  EXPECT_FALSE(copy->state().parameters[0].tensor.is_alias_of(weight));
}

TEST(FunctionModelTest, ItMayOfferAFp64Twin) {
  FunctionModel model = FunctionModel::Plain([](const Inputs& inputs) { return inputs.at(0); });
  EXPECT_EQ(model.InFp64({}, {}).error().message,
            "the model is no graph, and offers no float64 version of itself");
  const FunctionModel same = model;
  model.set_fp64_twin([same] { return same.Copy(); });
  EXPECT_TRUE(model.InFp64({}, {}).ok());
}

}  // namespace
}  // namespace culprit::check
