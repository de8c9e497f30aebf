// SPDX-License-Identifier: Apache-2.0
#include "api/bind_arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/frontend/resolver.h>

namespace culprit::api {
namespace {

using c10::IValue;
using testing::HasSubstr;

class BindArgumentsTest : public testing::Test {
 protected:
  BindArgumentsTest() {
    unit_.define(std::nullopt, "def f(x: int, scale: float = 2.0):\n  return x * scale\n",
                 torch::jit::nativeResolver(), nullptr);
  }
  torch::jit::Function& function() { return unit_.get_function(c10::QualifiedName("f")); }
  std::string ErrorOf(std::vector<IValue> arguments) {
    try {
      BindArguments(function(), arguments, {});
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }

  torch::jit::CompilationUnit unit_;
};

TEST_F(BindArgumentsTest, DefaultsAndKeywordsFindTheirPlaces) {
  std::vector<IValue> arguments = {3};
  BindArguments(function(), arguments, {});
  EXPECT_EQ(arguments.at(1).toDouble(), 2);
  arguments = {};
  BindArguments(function(), arguments, {{"scale", 0.5}, {"x", 7}});
  EXPECT_EQ(arguments.at(0).toInt(), 7);
}

TEST_F(BindArgumentsTest, AnErrorNamesFunctionFileLineAndTypes) {
  const std::string error = ErrorOf({"text", true});
  EXPECT_THAT(error, HasSubstr("Expected a value of type 'int' for argument 'x'"));
  EXPECT_THAT(error, HasSubstr("f is defined at <string>:2 and was called with (str, bool)"));
}

TEST_F(BindArgumentsTest, TooManyArgumentsAreAnErrorToo) {
  EXPECT_THAT(ErrorOf({1, 2.0, 3}), HasSubstr("was called with (int, float, int)"));
}

}  // namespace
}  // namespace culprit::api
