// SPDX-License-Identifier: Apache-2.0
#include "graph/text/syntax/literal.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "base/internal_error.h"

namespace culprit::graph::text {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(FloatToText, IsTheShortestTextAndNeverAnInt) {
  EXPECT_EQ(FloatToText(0.1), "0.1");
  EXPECT_EQ(FloatToText(1.0), "1.0");
  EXPECT_EQ(FloatToText(-0.0), "-0.0");
  EXPECT_EQ(FloatToText(1e-05), "1e-05");
  EXPECT_EQ(FloatToText(1e22), "1e+22");
  EXPECT_EQ(FloatToText(5e-324), "5e-324");
}

TEST(FloatToText, SpecialNumbersAreCalls) {
  EXPECT_EQ(FloatToText(kInfinity), "float('inf')");
  EXPECT_EQ(FloatToText(-kInfinity), "-float('inf')");
  EXPECT_EQ(FloatToText(-std::nan("")), "float('nan')");
}

TEST(FloatFromText, ReadsBackEveryNumberBitForBit) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const auto value = std::abs(std::bit_cast<double>(random()));
    if (!std::isfinite(value)) continue;
    const std::optional<double> read = FloatFromText(FloatToText(value));
    ASSERT_EQ(std::bit_cast<uint64_t>(read.value()), std::bit_cast<uint64_t>(value)) << FloatToText(value);
  }
}

TEST(FloatFromText, ReadsWhatPythonReads) {
  EXPECT_EQ(FloatFromText("1."), 1.0);
  EXPECT_EQ(FloatFromText(".5"), 0.5);
  EXPECT_EQ(FloatFromText("1_000.5_0e1"), 10005.0);
  EXPECT_EQ(FloatFromText("1e400"), kInfinity);
  EXPECT_EQ(FloatFromText("1e-400"), 0.0);
}

TEST(FloatFromText, OtherTextIsNothing) {
  for (const char* text : {"", ".", "1e", "1.0x", "0x10"})
    EXPECT_EQ(FloatFromText(text), std::nullopt) << text;
}

TEST(IntFromText, ReadsEveryBase) {
  EXPECT_EQ(IntFromText("0"), 0);
  EXPECT_EQ(IntFromText("1_000"), 1000);
  EXPECT_EQ(IntFromText("0xFF"), 255);
  EXPECT_EQ(IntFromText("0o17"), 15);
  EXPECT_EQ(IntFromText("0b101", /*negative=*/true), -5);
}

TEST(IntFromText, ReachesBothEndsOf64Bits) {
  EXPECT_EQ(IntFromText("9223372036854775807"), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(IntFromText("9223372036854775808"), std::nullopt);
  EXPECT_EQ(IntFromText("9223372036854775808", /*negative=*/true), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(IntFromText("9223372036854775809", /*negative=*/true), std::nullopt);
}

TEST(IntFromText, OtherTextIsNothing) {
  for (const char* text : {"", "x", "1x", "0x", "0xg", "0b2", "1.0"})
    EXPECT_EQ(IntFromText(text), std::nullopt) << text;
}

TEST(ComplexToText, NamesBothParts) {
  EXPECT_EQ(ComplexToText({1.5, -0.0}), "complex(1.5, -0.0)");
  EXPECT_EQ(ComplexToText({kInfinity, std::nan("")}), "complex(float('inf'), float('nan'))");
}

TEST(ConstantToText, WritesEveryKind) {
  EXPECT_EQ(ConstantToText({}), "None");
  EXPECT_EQ(ConstantToText(true), "True");
  EXPECT_EQ(ConstantToText(false), "False");
  EXPECT_EQ(ConstantToText(std::numeric_limits<int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(ConstantToText(2.0), "2.0");
  EXPECT_EQ(ConstantToText(c10::complex<double>(0, 1)), "complex(0.0, 1.0)");
  EXPECT_EQ(ConstantToText("floor"), "'floor'");
  EXPECT_EQ(ConstantToText(at::Device("cuda:1")), "torch.device('cuda:1')");
  EXPECT_THROW(ConstantToText(std::vector<int64_t>{1}), base::InternalError);
}

TEST(Names, EveryDtypeReadsBackFromItsName) {
  for (int8_t i = 0; i < static_cast<int8_t>(at::ScalarType::NumOptions); ++i) {
    const auto dtype = static_cast<at::ScalarType>(i);
    if (dtype == at::ScalarType::Undefined) continue;
    EXPECT_EQ(DtypeFromName(NameOf(dtype)), dtype) << dtype;
  }
}

TEST(Names, AliasesOfDtypesAreRead) {
  EXPECT_EQ(DtypeFromName("torch.float"), at::kFloat);
  EXPECT_EQ(DtypeFromName("torch.long"), at::kLong);
  EXPECT_EQ(DtypeFromName("torch.half"), at::kHalf);
  EXPECT_EQ(DtypeFromName("float32"), std::nullopt);
}

TEST(Names, LayoutsAndMemoryFormatsReadBack) {
  for (const at::Layout layout : {at::kStrided, at::kSparse, at::kSparseCsr, at::kMkldnn, at::kSparseCsc,
                                  at::kSparseBsr, at::kSparseBsc}) {
    EXPECT_EQ(LayoutFromName(NameOf(layout)), layout) << layout;
  }
  for (const at::MemoryFormat format : {at::MemoryFormat::Contiguous, at::MemoryFormat::Preserve,
                                        at::MemoryFormat::ChannelsLast, at::MemoryFormat::ChannelsLast3d}) {
    EXPECT_EQ(MemoryFormatFromName(NameOf(format)), format) << format;
  }
  EXPECT_EQ(LayoutFromName("torch.channels_last"), std::nullopt);
}

TEST(DeviceFromText, KnowsTheDevicesOfLibtorch) {
  EXPECT_EQ(DeviceFromText("cpu"), at::Device(at::kCPU));
  EXPECT_EQ(DeviceFromText("cuda:1"), at::Device(at::kCUDA, 1));
  for (const char* text : {"", "gpu", "cuda:", "cuda:-1", "cuda:x", "cpu:0:0", "cuda:99999999999"})
    EXPECT_EQ(DeviceFromText(text), std::nullopt) << text;
}

}  // namespace
}  // namespace culprit::graph::text
