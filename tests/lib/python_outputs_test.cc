// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/python_outputs.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/rand.h>
#include <gtest/gtest.h>

#include <limits>

namespace culprit::tests {
namespace {

std::string Module(std::string_view arguments, std::string_view body) {
  return fmt::format(
      "import torch\n"
      "class Repro(torch.nn.Module):\n"
      "    def forward(self{}):\n"
      "        {}\n",
      arguments, body);
}

// One process for all tests: starting Python with torch takes three seconds.
enum : size_t { kDtypes, kGeometry, kNumbers, kRandom, kRaises, kNoModule, kLast };

const std::vector<PythonOutputs>& Results() {
  static const std::vector<PythonOutputs>& results = *[] {
    std::vector<PythonRun> runs(kLast + 1);
    std::vector<c10::IValue> tensors;
    for (const at::ScalarType dtype : {at::kByte, at::kShort, at::kLong, at::kHalf, at::kFloat, at::kDouble,
                                       at::kComplexFloat, at::kComplexDouble, at::kBool, at::kBFloat16}) {
      tensors.push_back(at::arange(3).to(dtype));
    }
    runs[kDtypes] = {Module(", *inputs", "return inputs"), tensors};
    runs[kGeometry] = {
        Module(", x, y, z", "return [x, y, z]"),
        {at::arange(6).view({2, 3}).t(), at::empty({2, 0, 3}, at::kFloat), at::full({}, -0.0)}};
    runs[kNumbers] = {Module(", n", "return (n + 1, None, 0.1, True, -float('inf'))"), {int64_t{41}}};
    runs[kRandom] = {Module("", "return (torch.ops.aten.rand.default([5]),)"), {}};
    runs[kRaises] = {Module("", "raise ValueError('as it should')"), {}};
    runs[kNoModule] = {"x = 1\n", {}};
    runs[kLast] = {Module(", x", "return (torch.ops.aten.neg.default(x),)"), {at::full({2}, 3.0)}};
    return new std::vector<PythonOutputs>(RunInPython(runs, {.seed = 17, .threads = 1}));
  }();
  return results;
}

TEST(PythonOutputs, BringsEveryDtypeThereAndBack) {
  const PythonOutputs& outputs = Results()[kDtypes];
  ASSERT_TRUE(outputs.ok()) << outputs.error().message;
  ASSERT_EQ(outputs->size(), 10u);
  for (const c10::IValue& output : *outputs) {
    EXPECT_TRUE(SameBits(output, at::arange(3).to(output.toTensor().scalar_type())))
        << output.toTensor().dtype();
  }
  EXPECT_EQ(outputs->back().toTensor().scalar_type(), at::kBFloat16);
}

TEST(PythonOutputs, KeepsSizesAndElementOrder) {
  const PythonOutputs& outputs = Results()[kGeometry];
  ASSERT_TRUE(outputs.ok()) << outputs.error().message;
  EXPECT_TRUE(SameBits((*outputs)[0], at::arange(6).view({2, 3}).t()));
  EXPECT_TRUE(SameBits((*outputs)[1], at::empty({2, 0, 3}, at::kFloat)));
  EXPECT_TRUE(SameBits((*outputs)[2], at::full({}, -0.0)));
}

TEST(PythonOutputs, BringsNumbersAndNone) {
  const PythonOutputs& outputs = Results()[kNumbers];
  ASSERT_TRUE(outputs.ok()) << outputs.error().message;
  ASSERT_EQ(outputs->size(), 5u);
  EXPECT_TRUE(SameBits((*outputs)[0], int64_t{42}));
  EXPECT_TRUE((*outputs)[1].isNone());
  EXPECT_TRUE(SameBits((*outputs)[2], 0.1));
  EXPECT_TRUE(SameBits((*outputs)[3], true));
  EXPECT_TRUE(SameBits((*outputs)[4], -std::numeric_limits<double>::infinity()));
}

TEST(PythonOutputs, DrawsTheSameRandomNumbersFromTheSameSeed) {
  const PythonOutputs& outputs = Results()[kRandom];
  ASSERT_TRUE(outputs.ok()) << outputs.error().message;
  at::Generator generator = at::detail::createCPUGenerator(17);
  EXPECT_TRUE(SameBits(outputs->front(), at::rand({5}, generator)));
}

TEST(PythonOutputs, ReportsWhatAScriptRaisesAndGoesOn) {
  ASSERT_FALSE(Results()[kRaises].ok());
  EXPECT_NE(Results()[kRaises].error().message.find("ValueError: as it should"), std::string::npos);
  EXPECT_FALSE(Results()[kNoModule].ok());
  ASSERT_TRUE(Results()[kLast].ok());
  EXPECT_TRUE(SameBits(Results()[kLast]->front(), at::full({2}, -3.0)));
}

TEST(PythonOutputs, ReportsTheDeathOfPython) {
  const auto results = RunInPython({{Module("", "import os; os._exit(3)"), {}}});
  ASSERT_FALSE(results.front().ok());
  EXPECT_EQ(results.front().error().message, "Python ended before this run");
}

TEST(SameBits, TellsApartWhatLooksEqual) {
  EXPECT_FALSE(SameBits(at::full({}, 0.0), at::full({}, -0.0)));
  EXPECT_FALSE(SameBits(at::full({1}, 1.0), at::full({}, 1.0)));
  EXPECT_FALSE(SameBits(at::full({}, 1.0, at::kFloat), at::full({}, 1.0, at::kDouble)));
  EXPECT_FALSE(SameBits(int64_t{1}, 1.0));
  EXPECT_FALSE(SameBits(c10::IValue(), at::full({}, 1.0)));
  EXPECT_TRUE(SameBits(c10::IValue(), at::Tensor()));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(SameBits(at::full({2}, nan), at::full({2}, nan)));
}

}  // namespace
}  // namespace culprit::tests
