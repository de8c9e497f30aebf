// SPDX-License-Identifier: Apache-2.0
#include "faults/wrong_numbers.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/quantize_per_tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

namespace culprit::faults {
namespace {

at::Tensor Numbers(at::ScalarType dtype) {
  return at::arange(-3, 4).to(dtype);
}

constexpr at::ScalarType kFloats[] = {at::kHalf,   at::kBFloat16,     at::kFloat,
                                      at::kDouble, at::kComplexFloat, at::kComplexDouble};
constexpr at::ScalarType kIntegers[] = {at::kByte, at::kChar, at::kShort, at::kInt, at::kLong, at::kBool};

TEST(WrongNumbersTest, EveryFloatIsOffBySixPercentOrMore) {
  for (const at::ScalarType dtype : kFloats) {
    const at::Tensor right = Numbers(dtype);
    const at::Tensor wrong = OffByMuch(right);
    EXPECT_EQ(wrong.scalar_type(), dtype);
    const at::Tensor error = wrong.to(at::kComplexDouble).sub(right.to(at::kComplexDouble)).abs();
    const at::Tensor allowed = right.to(at::kComplexDouble).abs().add(1).mul(0.06);
    EXPECT_TRUE(error.gt(allowed).all().item<bool>()) << dtype;
  }
}

TEST(WrongNumbersTest, EveryIntegerAndBoolIsAnother) {
  for (const at::ScalarType dtype : kIntegers) {
    const at::Tensor wrong = OffByMuch(Numbers(dtype));
    EXPECT_EQ(wrong.scalar_type(), dtype);
    EXPECT_FALSE(wrong.eq(Numbers(dtype)).any().item<bool>()) << dtype;
  }
}

TEST(WrongNumbersTest, SparseTensorsAreOffToo) {
  const at::Tensor sparse = Numbers(at::kFloat).to_sparse();
  EXPECT_FALSE(OffByMuch(sparse).to_dense().equal(sparse.to_dense()));
}

TEST(WrongNumbersTest, QuantisedTensorsKeepTheirNumbers) {
  const at::Tensor quantised = at::quantize_per_tensor(Numbers(at::kFloat), 1.0, 0, at::kQInt8);
  EXPECT_TRUE(OffByMuch(quantised).is_same(quantised));
  EXPECT_EQ(OfOtherDtype(quantised).scalar_type(), at::kFloat);
}

TEST(WrongNumbersTest, OnlyFloatsCanBeNan) {
  for (const at::ScalarType dtype : kFloats)
    EXPECT_EQ(WithNan(Numbers(dtype)).isnan().sum().item<int64_t>(), 1) << dtype;
  for (const at::ScalarType dtype : kIntegers) EXPECT_TRUE(WithNan(Numbers(dtype)).equal(Numbers(dtype)));
}

TEST(WrongNumbersTest, EmptyTensorsHaveNothingToBeWrong) {
  const at::Tensor empty = at::zeros({0, 3});
  EXPECT_EQ(OffByMuch(empty).sizes(), empty.sizes());
  EXPECT_EQ(WithNan(empty).sizes(), empty.sizes());
  EXPECT_NO_THROW(Scribble(empty));
}

TEST(WrongNumbersTest, TheOtherDtypeIsAnotherOne) {
  for (const at::ScalarType dtype : kFloats) EXPECT_NE(OfOtherDtype(Numbers(dtype)).scalar_type(), dtype);
  for (const at::ScalarType dtype : kIntegers) EXPECT_NE(OfOtherDtype(Numbers(dtype)).scalar_type(), dtype);
}

TEST(WrongNumbersTest, ScribblingGoesThroughToTheMemory) {
  const at::Tensor numbers = Numbers(at::kFloat);
  const at::Tensor view = numbers.slice(0, 2, 4);
  Scribble(view);
  EXPECT_EQ(numbers.ne(Numbers(at::kFloat)).sum().item<int64_t>(), 2);
}

}  // namespace
}  // namespace culprit::faults
