// SPDX-License-Identifier: Apache-2.0
//
// That nothing else is forgiven.
#include "tests/capture/forgiven.h"

#include <gtest/gtest.h>

namespace culprit::tests {
namespace {

constexpr const char* kFreed =
    "std::runtime_error : Trying to backward through the graph a second time (or directly access ...";

Fact Written(const std::string& class_name, const std::string& tensor) {
  return {"backward", class_name +
                          " : one of the variables needed for gradient computation has been modified by an "
                          "inplace operation: " +
                          tensor + ". Hint: ..."};
}

bool IsForgiven(std::vector<Fact> expected, std::vector<Fact> actual, bool recomputes = false) {
  const Observation found{std::move(actual)};
  return Differences(Forgive({std::move(expected)}, found, recomputes).wanted, found).empty();
}

TEST(ForgivenTest, AnotherTensorAndVersionInARefusal) {
  const Fact one = Written("c10::Error", "[CPUFloatType [3]] is at version 2; expected version 1 instead");
  const Fact other = Written("std::runtime_error",
                             "[CPUFloatType [4, 3]], which is an output of a node, is at version 1; expected "
                             "version 0 instead");
  EXPECT_TRUE(IsForgiven({one}, {other}));
  EXPECT_TRUE(IsForgiven({one, {"gradient of x", "1"}}, {other, {"gradient of x", "2"}}));
  EXPECT_TRUE(IsForgiven({one}, {{"backward", kFreed}}));
}

TEST(ForgivenTest, ARefusalOfLibtorchAlone) {
  EXPECT_TRUE(IsForgiven({{"backward", kFreed}, {"gradient of x", "1"}}, {{"gradient of x", "2"}}));
  EXPECT_FALSE(
      IsForgiven({{"backward", "c10::Error : no"}, {"gradient of x", "1"}}, {{"gradient of x", "2"}}));
}

TEST(ForgivenTest, ARefusalOfTheCompiledBackwardAloneOnlyIfItRecomputes) {
  const std::vector<Fact> expected = {{"gradient of x", "1"}};
  const std::vector<Fact> refuses = {Written("c10::Error", "..."), {"gradient of x", "none"}};
  EXPECT_FALSE(IsForgiven(expected, refuses));
  EXPECT_TRUE(IsForgiven(expected, refuses, /*recomputes=*/true));
  EXPECT_FALSE(IsForgiven(expected, {{"backward", kFreed}, {"gradient of x", "none"}}, /*recomputes=*/true));
}

TEST(ForgivenTest, GradientsBeforeAnErrorAreCompared) {
  const Fact error{"backward", kFreed};
  EXPECT_FALSE(IsForgiven({{"gradient of x", "1"}, error}, {{"gradient of x", "2"}, error}));
  EXPECT_FALSE(IsForgiven({{"gradient of x", "1"}}, {{"gradient of x", "2"}}));
}

TEST(ForgivenTest, WritesBeforeTheSameErrorOfTheCall) {
  const Fact error{"exception", "c10::Error : index out of range"};
  EXPECT_TRUE(IsForgiven({error, {"input 0", "1"}}, {error, {"input 0", "2"}}));
  EXPECT_TRUE(Forgive({{error, {"input 0", "1"}}}, {{error, {"input 0", "2"}}}, false).has_lost_writes);
  EXPECT_FALSE(Forgive({{error, {"input 0", "1"}}}, {{error, {"input 0", "1"}}}, false).has_lost_writes);
  EXPECT_FALSE(IsForgiven({error, {"generator", "1"}}, {error, {"generator", "2"}}));
  EXPECT_FALSE(IsForgiven({error, {"input 0", "1"}}, {{"exception", "other"}, {"input 0", "2"}}));
  EXPECT_FALSE(IsForgiven({{"input 0", "1"}}, {{"input 0", "2"}}));
}

}  // namespace
}  // namespace culprit::tests
