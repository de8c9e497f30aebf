// SPDX-License-Identifier: Apache-2.0
#include "model/inputs/convert_to.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <sstream>

namespace culprit::model {
namespace {

std::string Bound(const std::string& schema, const std::vector<std::string>& texts) {
  const auto inputs = ReadInputs(texts);
  EXPECT_TRUE(inputs.ok());
  const base::Result<std::vector<c10::IValue>> values = BindInputs(*inputs, torch::jit::parseSchema(schema));
  if (!values.ok()) return values.error().message;
  std::ostringstream stream;
  for (const c10::IValue& value : *values) {
    if (value.isTensor()) {
      stream << "Tensor; ";
    } else {
      stream << value << ": " << value.type()->annotation_str() << "; ";
    }
  }
  return stream.str();
}

TEST(ConvertToTest, NumbersBecomeWhatTheFunctionWants) {
  EXPECT_EQ(Bound("f(float a, int b, complex c) -> ()", {"1", "2", "3"}),
            "1.: float; 2: int; 3.+0.j: complex; ");
}

TEST(ConvertToTest, ContainersGetTheTypesOfTheSchema) {
  EXPECT_EQ(Bound("f(float[] a, int[] b, Tensor[] c) -> ()", {"[1, 2.5]", "[]", "[]"}),
            "[1., 2.5]: List[float]; []: List[int]; []: List[Tensor]; ");
  EXPECT_EQ(Bound("f(Dict(str, float) a, (int, float?) b) -> ()", {"{'x': 1}", "(1, 2)"}),
            "{x: 1.}: Dict[str, float]; (1, 2.): Tuple[int, float]; ");
  EXPECT_EQ(Bound("f(float[]? a, int? b) -> ()", {"[1]", "None"}), "[1.]: List[float]; None: NoneType; ");
}

TEST(ConvertToTest, DefaultsAndKeywordsFillTheRest) {
  EXPECT_EQ(Bound("f(int a, int b=7, str c='x') -> ()", {"1", "c='y'"}), "1: int; 7: int; y: str; ");
}

TEST(ConvertToTest, AStringCanBeADevice) {
  EXPECT_EQ(Bound("f(Device a) -> ()", {"'cpu'"}), "cpu: Device; ");
}

TEST(ConvertToTest, ErrorsNameArgumentAndTypes) {
  EXPECT_EQ(Bound("f(int a) -> ()", {"1.5"}), "f: argument 'a' of type int: expected int, not float");
  EXPECT_EQ(Bound("f(int[] a) -> ()", {"[1, 'x']"}),
            "f: argument 'a' of type List[int]: element 1: expected int, not str");
  EXPECT_EQ(Bound("f(Dict(str, Tensor) a) -> ()", {"{'k': 1}"}),
            "f: argument 'a' of type Dict[str, Tensor]: the value of 'k': expected Tensor, not int");
  EXPECT_EQ(Bound("f((int, int) a) -> ()", {"(1, 2, 3)"}),
            "f: argument 'a' of type Tuple[int, int]: expected Tuple[int, int], not Tuple[int, int, int]");
  EXPECT_EQ(Bound("f(Tensor x, int n) -> ()", {"f32[2]"}),
            "f: it takes 2 arguments (x: Tensor, n: int), and 1 is given");
  EXPECT_EQ(Bound("f(int n) -> ()", {"1", "2"}), "f: it takes 1 argument (n: int), and 2 are given");
  EXPECT_EQ(Bound("f(int scale) -> ()", {"scael=1"}),
            "f: there is no argument 'scael', did you mean 'scale'?");
  EXPECT_EQ(Bound("f(int a, int b) -> ()", {"1", "a=1"}), "f: argument 'a' is given twice");
  EXPECT_EQ(Bound("f(int a, int b) -> ()", {"b=1", "1"}),
            "f: a positional argument stands behind one with a name");
}

TEST(ConvertToTest, WhatIsOneListStaysOneList) {
  const auto inputs = ReadInputs({"[1, 2]", "same:0", "['a']", "same:2"});
  const auto values =
      BindInputs(*inputs, torch::jit::parseSchema("f(float[] a, float[] b, str[] c, str[] d) -> ()"));
  ASSERT_TRUE(values.ok());
  EXPECT_TRUE((*values)[0].is((*values)[1]));
  EXPECT_TRUE((*values)[2].is((*inputs)[2].value));
  EXPECT_TRUE((*values)[2].is((*values)[3]));
}

TEST(ConvertToTest, OneListCanBecomeTwoTypes) {
  const auto inputs = ReadInputs({"[1, 2]", "same:0"});
  const auto values = BindInputs(*inputs, torch::jit::parseSchema("f(float[] a, int[] b) -> ()"));
  ASSERT_TRUE(values.ok());
  EXPECT_EQ((*values)[0].type()->annotation_str(), "List[float]");
  EXPECT_TRUE((*values)[1].is((*inputs)[0].value));
}

}  // namespace
}  // namespace culprit::model
