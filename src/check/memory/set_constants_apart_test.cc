// SPDX-License-Identifier: Apache-2.0
#include "check/memory/set_constants_apart.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "tests/lib/values.h"

namespace culprit::check {
namespace {

std::vector<Results> CallsThatReturn(const std::vector<c10::IValue>& outputs) {
  std::vector<Results> calls(outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) calls[i].outputs = outputs[i];
  return calls;
}

bool Share(const c10::IValue& a, const c10::IValue& b) {
  return a.toTensor().is_alias_of(b.toTensor());
}

c10::IValue Element(const Results& results, size_t index) {
  return results.outputs.toTupleRef().elements()[index];
}

TEST(SetConstantsApartTest, ResultsOfTheirOwnStayAsTheyAre) {
  const at::Tensor a = at::ones({2}), b = at::ones({2});
  std::vector<Results> calls = CallsThatReturn({a, b});
  SetConstantsApart(calls, {}, [] { FAIL() << "nothing to ask about"; });
  EXPECT_TRUE(calls[0].outputs.toTensor().is_same(a));
  EXPECT_TRUE(calls[1].outputs.toTensor().is_same(b));
}

TEST(SetConstantsApartTest, AConstantThatEveryCallReturnsIsApart) {
  for (const at::Tensor& constant : {at::full({3}, 7.0), at::zeros({3}), at::zeros({3}, at::kLong)}) {
    std::vector<Results> calls = CallsThatReturn({constant, constant});
    const at::Tensor before = constant.clone();
    SetConstantsApart(calls, {}, [] {});
    EXPECT_FALSE(Share(calls[0].outputs, calls[1].outputs));
    EXPECT_TRUE(calls[1].outputs.toTensor().equal(before));
    EXPECT_TRUE(constant.equal(before));
  }
}

TEST(SetConstantsApartTest, AConstantReturnedTwiceByOneCallIsApart) {
  const at::Tensor constant = at::ones({3});
  const c10::IValue both = tests::Tuple({constant, constant});
  std::vector<Results> calls = CallsThatReturn({both, both});
  SetConstantsApart(calls, {}, [] {});
  EXPECT_FALSE(Share(Element(calls[0], 0), Element(calls[0], 1)));
}

TEST(SetConstantsApartTest, ABufferThatTheNextCallWritesIntoStaysShared) {
  const at::Tensor buffer = at::ones({3});
  std::vector<Results> calls = CallsThatReturn({buffer, buffer});
  SetConstantsApart(calls, {}, [&] { buffer.fill_(1); });
  EXPECT_TRUE(Share(calls[0].outputs, calls[1].outputs));
  EXPECT_TRUE(buffer.equal(at::ones({3})));
}

TEST(SetConstantsApartTest, WhatIsSharedWithAnInputStaysShared) {
  const at::Tensor input = at::ones({3});
  std::vector<Results> calls = CallsThatReturn({input, input});
  for (Results& call : calls) call.inputs = {input};
  SetConstantsApart(calls, {}, [] {});
  EXPECT_TRUE(Share(calls[0].outputs, input));
}

TEST(SetConstantsApartTest, WhatIsSharedWithAFrozenInputIsApart) {
  const at::Tensor input = at::ones({3}), weight = at::ones({3});
  std::vector<Results> calls = CallsThatReturn({tests::Tuple({input, weight})});
  calls[0].inputs = {input, weight};
  SetConstantsApart(calls, {1});
  EXPECT_TRUE(Share(Element(calls[0], 0), input));
  EXPECT_FALSE(Share(Element(calls[0], 1), weight));
}

}  // namespace
}  // namespace culprit::check
