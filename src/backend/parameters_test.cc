// SPDX-License-Identifier: Apache-2.0
#include "backend/parameters.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

namespace culprit::backend {
namespace {

TEST(ParametersTest, AWishWithoutConditionIsFollowed) {
  const std::vector<c10::IValue> trained = {at::ones({1}).requires_grad_()};
  EXPECT_TRUE(AreFrozen(Parameters::kFrozen, trained));
  EXPECT_FALSE(AreFrozen(Parameters::kLifted, {}));
}

TEST(ParametersTest, WhatIsTrainedIsNotFrozenForInference) {
  const std::vector<c10::IValue> trained = {c10::IValue(3), at::ones({1}), at::ones({1}).requires_grad_()};
  EXPECT_FALSE(AreFrozen(Parameters::kFrozenForInference, trained));
  EXPECT_TRUE(AreFrozen(Parameters::kFrozenForInference, {c10::IValue(3), at::ones({1}), at::Tensor()}));
  const at::NoGradGuard no_grad;
  EXPECT_TRUE(AreFrozen(Parameters::kFrozenForInference, trained));
}

}  // namespace
}  // namespace culprit::backend
