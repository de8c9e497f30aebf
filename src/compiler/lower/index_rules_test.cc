// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "compiler/lower/rules.h"
#include "tests/lib/compare_lowered.h"

namespace culprit::compiler::lower {
namespace {

using tests::ExpectCall;
using tests::ExpectLowered;
using tests::OneCall;

TEST(IndexRulesTest, PlacesThatAreInputsAreForCalls) {
  ExpectCall(OneCall("index_select.default(a, 0, b)", 2), {"f32[4,3]", "i64[5] below 4"});
  ExpectCall(OneCall("embedding.default(a, b)", 2), {"f32[4,3]", "i64[2,5] below 4"});
  ExpectCall(OneCall("gather.default(a, 0, b)", 2), {"f32[4,3]", "i64[2,3] below 4"});
  ExpectCall(OneCall("index.Tensor(a, [b])", 2), {"f32[4,3]", "i64[5] below 4"});
}

TEST(IndexRulesTest, PlacesThatAreCountedAreForLoops) {
  const std::string counted = "x\ni = arange.start(1, 3)\nv = unsqueeze.default(i, 0)\ny = ";
  const std::string end = "\nreturn (y,)";
  ExpectLowered(counted + "embedding.default(x, v)" + end, {"f32[4,3]"});
  ExpectLowered(counted + "index_select.default(x, 1, i)" + end, {"f32[4,3] t"});
  ExpectLowered(counted + "gather.default(x, 1, v)" + end, {"f32[1,3]"});
  ExpectLowered(counted + "index.Tensor(x, [v])" + end, {"f32[4,3,5]"});
  ExpectLowered(counted + "index.Tensor(x, [i, v])" + end, {"f32[4,3,5]"});
}

TEST(IndexRulesTest, PlacesThatMayNotBeThereAreForCalls) {
  ExpectCall("x, n\ni = neg.default(n)\ny = index.Tensor(x, [i])\nreturn (y,)",
             {"f32[4,3]", "i64[2] below 3"});
  tests::Lowered lowered =
      tests::CompareLowered("x\ni = arange.default(5)\ny = index_select.default(x, 0, i)\nreturn (y,)",
                            {tests::Numbers("f32[4,3]")});
  EXPECT_TRUE(lowered.eager_throws);
}

TEST(IndexRulesTest, LossesAgreeWithEager) {
  for (const char* dtype : {"f32", "f64"}) {
    const std::string operand = std::string(dtype) + "[3,4]";
    for (const char* reduction : {"0", "1", "2"}) {
      for (const char* name : {"mse_loss", "smooth_l1_loss", "huber_loss"}) {
        const std::string parameter = std::string(name) == "mse_loss" ? "" : ", 0.7";
        const std::string arguments = std::string(reduction) + parameter + ")";
        const std::string g = std::string(dtype) + (reduction[0] == '0' ? "[3,4]" : "[]");
        ExpectLowered(OneCall(std::string(name) + ".default(a, b, " + arguments, 2),
                      {operand, operand + " t"});
        ExpectLowered(OneCall(std::string(name) + "_backward.default(a, b, c, " + arguments, 3),
                      {g, operand, operand + " t"});
      }
    }
  }
}

}  // namespace
}  // namespace culprit::compiler::lower
