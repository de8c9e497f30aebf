// SPDX-License-Identifier: Apache-2.0
#include "compare/elements/element_reader.h"

#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::compare {
namespace {

using testing::ElementsAre;

std::vector<double> Read(const at::Tensor& tensor, int64_t begin, int64_t count) {
  const ElementReader reader(tensor);
  std::vector<double> numbers(static_cast<size_t>(count * reader.parts()));
  reader.Read(begin, count, numbers.data());
  return numbers;
}

std::vector<double> ReadAll(const at::Tensor& tensor) {
  return Read(tensor, 0, tensor.numel());
}

TEST(ElementReaderTest, ReadsEveryRealDtype) {
  for (const at::ScalarType dtype :
       {at::kByte, at::kChar, at::kShort, at::kInt, at::kLong, at::kHalf, at::kBFloat16, at::kFloat,
        at::kDouble, at::kUInt16, at::kUInt32, at::kUInt64, at::kFloat8_e5m2, at::kFloat8_e4m3fn,
        at::kFloat8_e5m2fnuz, at::kFloat8_e4m3fnuz}) {
    EXPECT_THAT(ReadAll(at::tensor({1, 0, 3}).to(dtype)), ElementsAre(1, 0, 3)) << dtype;
  }
  EXPECT_THAT(ReadAll(at::tensor({1, 2, 4}).to(at::kFloat8_e8m0fnu)), ElementsAre(1, 2, 4));
}

TEST(ElementReaderTest, ReadsEveryFloatOfEightBits) {
  const at::Tensor bytes = at::arange(256, at::kByte);
  for (const at::ScalarType dtype : {at::kFloat8_e5m2, at::kFloat8_e4m3fn, at::kFloat8_e5m2fnuz,
                                     at::kFloat8_e4m3fnuz, at::kFloat8_e8m0fnu}) {
    const at::Tensor expected = bytes.view(dtype).to(at::kDouble);
    std::vector<double> read = ReadAll(bytes.view(dtype));
    EXPECT_TRUE(at::allclose(at::tensor(read, at::kDouble), expected, 0, 0, /*equal_nan=*/true)) << dtype;
  }
}

TEST(ElementReaderTest, ReadsEveryComplexDtypeAsTwoNumbers) {
  const at::Tensor numbers = at::complex(at::tensor({1.0, 3.0}), at::tensor({2.0, -4.0}));
  for (const at::ScalarType dtype : {at::kComplexHalf, at::kComplexFloat, at::kComplexDouble})
    EXPECT_THAT(ReadAll(numbers.to(dtype)), ElementsAre(1, 2, 3, -4)) << dtype;
}

TEST(ElementReaderTest, ReadsTheBytesOfBools) {
  const at::Tensor mask = at::zeros({2}, at::kBool);
  static_cast<uint8_t*>(mask.data_ptr())[1] = 255;
  EXPECT_THAT(ReadAll(mask), ElementsAre(0, 255));
}

TEST(ElementReaderTest, AppliesConjugationAndNegation) {
  const at::Tensor numbers = at::complex(at::tensor({1.0, 3.0}), at::tensor({2.0, -4.0}));
  EXPECT_THAT(ReadAll(numbers.conj()), ElementsAre(1, -2, 3, 4));
  const at::Tensor negated = at::tensor({1.0, -2.0})._neg_view();
  EXPECT_THAT(ReadAll(negated), ElementsAre(-1, 2));
  EXPECT_EQ(ElementReader(negated).Contiguous<double>(), nullptr);
}

TEST(ElementReaderTest, FollowsAnyStrides) {
  const at::Tensor base = at::arange(24, at::kInt).view({2, 3, 4});
  const at::Tensor tensors[] = {base,
                                base.permute({2, 0, 1}),
                                base.slice(2, 0, 4, 3),
                                base.select(1, 1),
                                base.expand({5, 2, 3, 4}),
                                base.as_strided({5, 4}, {2, 1})};
  for (const at::Tensor& tensor : tensors) {
    const at::Tensor expected = tensor.contiguous().to(at::kDouble);
    const auto* numbers = static_cast<const double*>(expected.data_ptr());
    EXPECT_EQ(ReadAll(tensor), std::vector<double>(numbers, numbers + expected.numel()));
  }
}

TEST(ElementReaderTest, BeginsAndEndsAnywhere) {
  const at::Tensor columns = at::arange(12, at::kFloat).view({3, 4}).t();
  EXPECT_THAT(Read(columns, 2, 5), ElementsAre(8, 1, 5, 9, 2));
}

TEST(ElementReaderTest, ReadsNothingAndSingleNumbers) {
  EXPECT_THAT(ReadAll(at::zeros({3, 0})), ElementsAre());
  EXPECT_THAT(ReadAll(at::zeros({})), ElementsAre(0));
}

TEST(ElementReaderTest, OffersContiguousMemoryOfTheRightDtypeOnly) {
  const at::Tensor base = at::zeros({4, 4});
  EXPECT_EQ(ElementReader(base).Contiguous<float>(), base.data_ptr());
  EXPECT_EQ(ElementReader(base.narrow(0, 1, 2)).Contiguous<float>(), base.select(0, 1).data_ptr());
  EXPECT_EQ(ElementReader(base).Contiguous<double>(), nullptr);
  EXPECT_EQ(ElementReader(base.t()).Contiguous<float>(), nullptr);
}

TEST(ElementReaderTest, ReadsLargeIntegersExactlyOneByOne) {
  const at::Tensor large = at::tensor({int64_t{0}, (int64_t{1} << 53) + 1}).view({1, 2}).t();
  EXPECT_EQ(ElementReader(large).Int64At(1), (int64_t{1} << 53) + 1);
}

TEST(IsReadableTest, DtypesWithoutNumbersAreNot) {
  EXPECT_TRUE(IsReadable(at::kComplexHalf));
  EXPECT_FALSE(IsReadable(at::kQInt8));
  EXPECT_FALSE(IsReadable(at::ScalarType::Float4_e2m1fn_x2));
  EXPECT_FALSE(IsReadable(at::ScalarType::UInt4));
  EXPECT_FALSE(IsReadable(at::ScalarType::Undefined));
}

}  // namespace
}  // namespace culprit::compare
