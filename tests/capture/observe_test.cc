// SPDX-License-Identifier: Apache-2.0
//
// That no difference between two calls goes unnoticed.
#include "tests/capture/observe.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <c10/util/Exception.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/runtime/print_handler.h>

namespace culprit::tests {
namespace {

using c10::IValue;
using testing::HasSubstr;
using testing::IsEmpty;

std::string Compare(const Callable& expected, const Callable& actual,
                    const std::function<std::vector<IValue>()>& inputs) {
  return Differences(Observe(expected, inputs(), std::nullopt), Observe(actual, inputs(), std::nullopt));
}

std::vector<IValue> OneTensor() {
  return {at::arange(6, at::kFloat).view({2, 3})};
}

std::vector<IValue> OneList() {
  return {c10::List<int64_t>({1, 2})};
}

IValue Identity(std::vector<IValue> inputs) {
  return inputs[0];
}

TEST(ObserveTest, TheSameCallGivesTheSame) {
  const auto call = [](std::vector<IValue> inputs) -> IValue {
    return inputs[0].toTensor().add(at::rand({2, 3}));
  };
  EXPECT_THAT(Compare(call, call, OneTensor), IsEmpty());
}

TEST(ObserveTest, AnotherElementIsADifference) {
  const auto other = [](std::vector<IValue> inputs) -> IValue {
    at::Tensor tensor = inputs[0].toTensor().clone();
    tensor[1][2] = 5.0001;
    return tensor;
  };
  const auto same = [](std::vector<IValue> inputs) -> IValue { return inputs[0].toTensor().clone(); };
  EXPECT_THAT(Compare(same, other, OneTensor),
              HasSubstr("expected result: Float[2,3] strides 3,1 on memory 1+0 = 0 1 2"));
}

TEST(ObserveTest, ACopyInThePlaceOfTheInputIsADifference) {
  const auto copy = [](std::vector<IValue> inputs) -> IValue { return inputs[0].toTensor().clone(); };
  EXPECT_THAT(Compare(Identity, copy, OneTensor),
              HasSubstr("actual   result: Float[2,3] strides 3,1 on memory 1+0"));
  const auto list = [](std::vector<IValue> inputs) -> IValue { return inputs[0].toIntList().copy(); };
  EXPECT_THAT(Compare(Identity, list, OneList), HasSubstr("actual   result: List[int] 1 [1, 2]"));
}

TEST(ObserveTest, OtherStridesAreADifference) {
  const auto other = [](std::vector<IValue> inputs) -> IValue {
    return inputs[0].toTensor().t().contiguous().t();
  };
  const auto same = [](std::vector<IValue> inputs) -> IValue { return inputs[0].toTensor().clone(); };
  EXPECT_THAT(Compare(same, other, OneTensor), HasSubstr("strides 1,2"));
}

TEST(ObserveTest, AWrittenInputIsADifference) {
  const auto write = [](std::vector<IValue> inputs) -> IValue {
    inputs[0].toTensor().add_(1);
    return 1;
  };
  const auto one = [](const std::vector<IValue>&) -> IValue { return 1; };
  EXPECT_THAT(Compare(one, write, OneTensor),
              HasSubstr("actual   input 0: Float[2,3] strides 3,1 on memory 0+0 = 1 2 3"));
  const auto append = [](std::vector<IValue> inputs) -> IValue {
    inputs[0].toIntList().push_back(3);
    return 1;
  };
  EXPECT_THAT(Compare(one, append, OneList), HasSubstr("actual   input 0: List[int] 0 [1, 2, 3]"));
}

TEST(ObserveTest, WhatIsPrintedAndWarnedIsCompared) {
  const auto speak = [](const std::string& text) {
    return [text](const std::vector<IValue>&) -> IValue {
      torch::jit::getPrintHandler()(text);
      return 1;
    };
  };
  EXPECT_THAT(Compare(speak("a\n"), speak("b\n"), OneList),
              HasSubstr("expected printed: a\n\nactual   printed: b"));
  const auto warn = [](const std::vector<IValue>&) -> IValue {
    TORCH_WARN("careful");
    return 1;
  };
  EXPECT_THAT(Compare(speak(""), warn, OneList), HasSubstr("actual   warnings: careful"));
}

TEST(ObserveTest, ExceptionsAreComparedByTypeAndText) {
  const auto fail = [](const std::string& text) {
    return [text](const std::vector<IValue>&) -> IValue { throw std::runtime_error(text); };
  };
  EXPECT_THAT(Compare(fail("a"), fail("a"), OneList), IsEmpty());
  EXPECT_THAT(Compare(fail("a"), fail("b"), OneList),
              HasSubstr("actual   exception: std::runtime_error : b"));
  EXPECT_THAT(Compare(Identity, fail("b"), OneList), HasSubstr("actual   exception: "));
  const auto logic = [](const std::vector<IValue>&) -> IValue { throw std::logic_error("a"); };
  EXPECT_THAT(Compare(fail("a"), logic, OneList), HasSubstr("std::logic_error"));
}

TEST(ObserveTest, AMovedGeneratorIsADifference) {
  const auto draw = [](const std::vector<IValue>&) -> IValue { return at::rand({1}).numel(); };
  const auto one = [](const std::vector<IValue>&) -> IValue { return 1; };
  EXPECT_THAT(Compare(one, draw, OneList), HasSubstr("expected generator: "));
}

TEST(ObserveTest, GradientsAreCompared) {
  const auto inputs = []() -> std::vector<IValue> { return {at::ones({2}).requires_grad_()}; };
  const auto times = [](double factor) {
    return [factor](std::vector<IValue> values) -> IValue {
      const at::Tensor x = values[0].toTensor();
      return x.mul(factor).sub(x.detach().mul(factor));
    };
  };
  EXPECT_THAT(Compare(times(2), times(3), inputs), HasSubstr("expected gradient of input 0: Float[2]"));
}

}  // namespace
}  // namespace culprit::tests
