// SPDX-License-Identifier: Apache-2.0
#include "compare/undefined_elements.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compare/compare.h"
#include "tests/lib/failing_paths.h"
#include "tests/lib/values.h"

namespace culprit::compare {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using tests::FailingPaths;

TEST(UndefinedElementsTest, WhateverTheResultHasInTheirPlaceIsRight) {
  UndefinedElements undefined;
  undefined.Add(tests::Tuple({at::tensor({1.0F, NAN, 3.0F})}),
                tests::Tuple({at::tensor({1.0F, 5.0F, 3.0F})}));
  const c10::IValue reference = tests::Tuple({at::tensor({1.0F, NAN, 3.0F})});
  const auto failing = [&](float first, float second) {
    const c10::IValue result = tests::Tuple({at::tensor({first, second, 3.0F})});
    return FailingPaths(Compare(reference, result, std::nullopt, {}, undefined));
  };
  EXPECT_THAT(failing(1, 4e30F), IsEmpty());
  EXPECT_THAT(failing(2, 5), ElementsAre("[0]"));
}

TEST(UndefinedElementsTest, NanInBothRunsIsDefined) {
  UndefinedElements undefined;
  undefined.Add(at::full({2}, NAN), at::full({2}, NAN));
  EXPECT_THAT(undefined.masks(), IsEmpty());
}

TEST(UndefinedElementsTest, IntegersAndBoolsAreSetAsideToo) {
  UndefinedElements undefined;
  undefined.Add(at::ones({2}, at::kBool), at::zeros({2}, at::kBool));
  EXPECT_FALSE(undefined.SetAside("", at::ones({2}, at::kBool)).any().item<bool>());
  EXPECT_TRUE(undefined.SetAside("[1]", at::ones({2}, at::kBool)).any().item<bool>());
}

TEST(UndefinedElementsTest, ThoseOfSeveralRunsAddUp) {
  UndefinedElements undefined;
  undefined.Add(at::tensor({0, 0, 0}), at::tensor({1, 0, 0}));
  undefined.Add(at::tensor({0, 0, 0}), at::tensor({0, 1, 0}));
  EXPECT_TRUE(undefined.masks().at("").equal(at::tensor({1, 1, 0}).to(at::kBool)));
}

TEST(UndefinedElementsTest, OtherShapesAreNoBusinessOfTheirs) {
  UndefinedElements undefined;
  undefined.Add(at::ones({2}), at::zeros({3}));
  EXPECT_THAT(undefined.masks(), IsEmpty());
}

}  // namespace
}  // namespace culprit::compare
