// SPDX-License-Identifier: Apache-2.0
#include "check/memory/return_unwritten.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

namespace culprit::check {
namespace {

Results ResultsOf(const at::Tensor& input, bool unwritten, const c10::IValue& outputs) {
  Results results;
  results.outputs = outputs;
  results.inputs = {input};
  results.unwritten = {unwritten};
  return results;
}

TEST(ReturnUnwrittenTest, ACopyThatWasLeftAloneIsFreed) {
  const at::Tensor original = at::ones({2});
  Results results = ResultsOf(original.clone(), true, at::ones({3}));
  ReturnUnwritten({original}, results);
  EXPECT_TRUE(results.inputs[0].toTensor().is_same(original));
}

TEST(ReturnUnwrittenTest, WhatWasWrittenStays) {
  const at::Tensor original = at::ones({2}), copy = original.clone();
  Results results = ResultsOf(copy, false, at::ones({3}));
  ReturnUnwritten({original}, results);
  EXPECT_TRUE(results.inputs[0].toTensor().is_same(copy));
}

TEST(ReturnUnwrittenTest, WhatAnOutputLiesInStays) {
  const at::Tensor original = at::ones({2}), copy = original.clone();
  Results results = ResultsOf(copy, true, copy.slice(0, 1));
  ReturnUnwritten({original}, results);
  EXPECT_TRUE(results.inputs[0].toTensor().is_same(copy));
}

TEST(ReturnUnwrittenTest, WhatSharesMemoryWithAWrittenInputStays) {
  const at::Tensor original = at::ones({2}), copy = original.clone();
  Results results = ResultsOf(copy, true, at::ones({3}));
  results.inputs.emplace_back(copy.slice(0, 1));
  results.unwritten.push_back(false);
  ReturnUnwritten({original, original.slice(0, 1)}, results);
  EXPECT_TRUE(results.inputs[0].toTensor().is_same(copy));
}

}  // namespace
}  // namespace culprit::check
