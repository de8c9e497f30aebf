// SPDX-License-Identifier: Apache-2.0
#include "repro/cpp/cpp_literal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace culprit::repro {
namespace {

using graph::SlotKind;

TEST(CppLiteralTest, FloatsAreTheShortestThatGiveTheNumberBack) {
  EXPECT_EQ(CppFloat(0.1), "0.1");
  EXPECT_EQ(CppFloat(0.1F), "0.1F");
  EXPECT_EQ(CppFloat(3.0), "3.0");
  EXPECT_EQ(CppFloat(-0.0F), "-0.0F");
  EXPECT_EQ(CppFloat(1e-300), "1e-300");
  EXPECT_EQ(CppFloat(-std::numeric_limits<double>::infinity()), "-INFINITY");
}

TEST(CppLiteralTest, TheSmallestIntegerHasNoLiteral) {
  EXPECT_EQ(CppInt(std::numeric_limits<int64_t>::min()), "std::numeric_limits<int64_t>::min()");
}

TEST(CppLiteralTest, StringsAreEscaped) {
  EXPECT_EQ(CppString("a\"\\\n\xff"
                      "1"),
            "\"a\\\"\\\\\\012\\3771\"");
  EXPECT_EQ(CppString(std::string_view("a\0b", 3)), "std::string(\"a\\000b\", 3)");
}

TEST(CppLiteralTest, TheSlotSaysWhatAnIntegerStandsFor) {
  EXPECT_EQ(CppConstant(6, SlotKind::kInt), "6");
  EXPECT_EQ(CppConstant(6, SlotKind::kDtype), "at::kFloat");
  EXPECT_EQ(CppConstant(0, SlotKind::kLayout), "at::Layout::Strided");
  EXPECT_EQ(CppConstant(2, SlotKind::kMemoryFormat), "at::MemoryFormat::ChannelsLast");
}

TEST(CppLiteralTest, OtherConstantsMakeTheirOwnType) {
  EXPECT_EQ(CppConstant({}, SlotKind::kTensor), "None");
  EXPECT_EQ(CppConstant(true, SlotKind::kBool), "true");
  EXPECT_EQ(CppConstant(c10::complex<double>(0, -1), SlotKind::kNumber), "c10::complex<double>(0.0, -1.0)");
  EXPECT_EQ(CppConstant(at::Device("cuda:1"), SlotKind::kDevice), "c10::Device(\"cuda:1\")");
}

}  // namespace
}  // namespace culprit::repro
