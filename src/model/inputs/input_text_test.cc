// SPDX-License-Identifier: Apache-2.0
#include "model/inputs/input_text.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/randn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace culprit::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

c10::IValue Value(const std::string& text) {
  base::Result<Input> input = InputReader().Read(text);
  EXPECT_TRUE(input.ok()) << input.error().Render();
  return input.ok() ? input->value : c10::IValue();
}

at::Tensor Tensor(const std::string& text) {
  return Value(text).toTensor();
}

std::string Error(const std::string& text, InputTextOptions options = {.name = "--inputs"}) {
  const base::Result<Input> input = InputReader(std::move(options)).Read(text);
  return input.ok() ? "no error" : input.error().Render();
}

std::string Shown(const std::string& text) {
  std::ostringstream stream;
  const c10::IValue value = Value(text);
  stream << value << " : " << value.type()->annotation_str();
  return stream.str();
}

TEST(InputTextTest, ATensorHasTheSizesAndDtypeOfTheText) {
  const at::Tensor tensor = Tensor("bf16[1,3, 4]");
  EXPECT_EQ(tensor.sizes(), at::IntArrayRef({1, 3, 4}));
  EXPECT_EQ(tensor.scalar_type(), at::kBFloat16);
  EXPECT_EQ(Tensor("f64[]").dim(), 0);
  EXPECT_EQ(Tensor("i64[0,2]").numel(), 0);
  EXPECT_EQ(Tensor("float16[2]").scalar_type(), at::kHalf);
}

TEST(InputTextTest, EveryDtypeCanBeDrawn) {
  for (const char* dtype :
       {"f16", "bf16", "f32", "f64", "i8", "u8", "i16", "i32", "i64", "b8", "bool", "c64", "c128"})
    EXPECT_EQ(Tensor(std::string(dtype) + "[2,3]").numel(), 6) << dtype;
}

TEST(InputTextTest, ASeedGivesTheNumbersOfPyTorch) {
  at::Generator generator = at::detail::createCPUGenerator(7);
  EXPECT_TRUE(Tensor("f32[4,5]@seed=7").equal(at::randn({4, 5}, generator)));
}

TEST(InputTextTest, TensorsWithoutASeedDiffer) {
  const auto inputs = ReadInputs({"f32[8]", "f32[8]", "f32[8]@seed=1"});
  ASSERT_TRUE(inputs.ok());
  EXPECT_FALSE((*inputs)[0].value.toTensor().equal((*inputs)[1].value.toTensor()));
  EXPECT_TRUE((*inputs)[0].value.toTensor().equal((*inputs)[2].value.toTensor()));
}

TEST(InputTextTest, NumbersAreDrawnBelowTheBound) {
  const at::Tensor integers = Tensor("i64[1000]<7");
  EXPECT_EQ(integers.min().item<int64_t>(), 0);
  EXPECT_EQ(integers.max().item<int64_t>(), 6);
  const at::Tensor numbers = Tensor("f32[1000]<2");
  EXPECT_GE(numbers.min().item<float>(), 0);
  EXPECT_GT(numbers.max().item<float>(), 1.9);
  EXPECT_LT(numbers.max().item<float>(), 2);
}

TEST(InputTextTest, ElementsCanBeGiven) {
  EXPECT_EQ(Tensor("f32[2]=1.5").sum().item<double>(), 3);
  const at::Tensor tensor = Tensor("i32[2,2]=[1, 2, 3, -4]");
  EXPECT_EQ(tensor[1][1].item<int>(), -4);
  EXPECT_EQ(tensor[0][1].item<int>(), 2);
  EXPECT_TRUE(Tensor("f32[]=nan").isnan().item<bool>());
  EXPECT_TRUE(Tensor("bool[2]=[True,False]")[0].item<bool>());
}

TEST(InputTextTest, OptionsChangeLayoutAndGradients) {
  EXPECT_TRUE(Tensor("f32[2]:grad").requires_grad());
  EXPECT_FALSE(Tensor("f32[2]").requires_grad());
  EXPECT_FALSE(Tensor("f32[2]:grad").is_view());
  EXPECT_TRUE(Tensor("f32[1,3,4,4]:channels_last:grad").is_contiguous(at::MemoryFormat::ChannelsLast));
  const at::Tensor transposed = Tensor("f32[2,3]@seed=1:transposed");
  EXPECT_EQ(transposed.strides(), at::IntArrayRef({1, 2}));
  EXPECT_TRUE(transposed.equal(Tensor("f32[2,3]@seed=1")));
}

TEST(InputTextTest, ContainersHaveTheTypeOfTheirElements) {
  EXPECT_EQ(Shown("[1, 2]"), "[1, 2] : List[int]");
  EXPECT_EQ(Shown("[1.5, 2.]"), "[1.5, 2.] : List[float]");
  EXPECT_EQ(Shown("[[1], [2,]]"), "[[1], [2]] : List[List[int]]");
  EXPECT_EQ(Shown("(1, 'a', None, True)"), "(1, a, None, True) : Tuple[int, str, NoneType, bool]");
  EXPECT_EQ(Shown("{'a': 1, 'b': -2}"), "{a: 1, b: -2} : Dict[str, int]");
  EXPECT_EQ(Shown("[]"), "[] : List[Any]");
  EXPECT_EQ(Shown("(1)"), "1 : int");
  EXPECT_EQ(Shown("(1,)"), "(1,) : Tuple[int]");
  EXPECT_EQ(Value("[f32[2], i64[3]]").type()->annotation_str(), "List[Tensor]");
}

TEST(InputTextTest, NumbersAndStringsAreWrittenAsInPython) {
  EXPECT_EQ(Value("-3").toInt(), -3);
  EXPECT_EQ(Value("1e-3").toDouble(), 1e-3);
  EXPECT_EQ(Value("-inf").toDouble(), -INFINITY);
  EXPECT_EQ(Value("'it\\'s; ok'").toStringRef(), "it's; ok");
}

TEST(InputTextTest, AKeywordNamesTheArgument) {
  const base::Result<Input> input = InputReader().Read(" scale = f32[2]=3");
  ASSERT_TRUE(input.ok());
  EXPECT_EQ(input->keyword, "scale");
  EXPECT_EQ(input->value.toTensor().numel(), 2);
}

/// "x[0].size(1) differs", "x.size(0) is fixed".
std::vector<std::string> Marks(const std::string& text) {
  const base::Result<Input> input = InputReader().Read(text);
  EXPECT_TRUE(input.ok()) << input.error().Render();
  std::vector<std::string> marks;
  for (const SizeMark& mark : input->marks)
    marks.push_back("x" + mark.part + ".size(" + std::to_string(mark.dimension) + ") " +
                    (mark.is_dynamic ? "differs" : "is fixed"));
  return marks;
}

TEST(InputTextTest, SizesCanBeMarked) {
  EXPECT_EQ(Tensor("f32[?,3, ? 6,=5]").sizes(), at::IntArrayRef({4, 3, 6, 5}));
  EXPECT_THAT(Marks("f32[?,3,?6,=5]"),
              ElementsAre("x.size(0) differs", "x.size(2) differs", "x.size(3) is fixed"));
  EXPECT_THAT(Marks("[1, (f32[2,?8],)]"), ElementsAre("x[1][0].size(1) differs"));
  EXPECT_THAT(Marks("{'a': (f32[?]), 'b': [f32[?]]}"),
              ElementsAre("x['a'].size(0) differs", "x['b'][0].size(0) differs"));
  EXPECT_EQ(Value("?7").toInt(), 7);
  EXPECT_THAT(Marks("?7"), ElementsAre("x.size(0) differs"));
}

TEST(InputTextTest, ZeroAndOneCannotDiffer) {
  EXPECT_EQ(Error("f32[3,?1]"),
            "--inputs:1:7: error: a size that differs from call to call is 2 or more, not 1\n"
            "    f32[3,?1]\n"
            "          ^");
}

TEST(InputTextTest, OnlyArgumentsOfCallsHaveMarks) {
  EXPECT_EQ(Error("f32[?]", {.name = "net.py", .has_marks = false}),
            "net.py:1:1: error: this is no argument of a call, so its sizes cannot be marked with ? or =\n"
            "    f32[?]\n"
            "    ^");
}

TEST(InputTextTest, AnEarlierArgumentIsTheSameOne) {
  const auto inputs = ReadInputs({"f32[4]", "same:0", "same:0[1:3]", "same:0[-1]", "[1,2]", "same:4"});
  ASSERT_TRUE(inputs.ok()) << inputs.error().Render();
  const at::Tensor first = (*inputs)[0].value.toTensor();
  EXPECT_TRUE((*inputs)[1].value.is((*inputs)[0].value));
  EXPECT_EQ((*inputs)[2].value.toTensor().storage_offset(), 1);
  EXPECT_TRUE((*inputs)[2].value.toTensor().is_alias_of(first));
  EXPECT_TRUE((*inputs)[3].value.toTensor().equal(first[3]));
  EXPECT_TRUE((*inputs)[5].value.is((*inputs)[4].value));
}

TEST(InputTextTest, ErrorsPointAtThePlace) {
  EXPECT_EQ(Error("f32[2,x]"), "--inputs:1:7: error: 'x' is no number\n    f32[2,x]\n          ^");
  EXPECT_EQ(Error("[1, 2"), "--inputs:1:6: error: expected ',', but the text ends\n    [1, 2\n         ^");
  EXPECT_THAT(Error("f33[2]"), HasSubstr("1:1: error: 'f33' is no value"));
  EXPECT_THAT(Error("f33[2]"), HasSubstr("help: a tensor is written as f32[2,3]"));
  EXPECT_THAT(Error("f32[2]:gard"), HasSubstr("1:8: error: unknown option 'gard'"));
  EXPECT_THAT(Error("i64[2]:grad"), HasSubstr("numbers of dtype Long have no gradients"));
  EXPECT_THAT(Error("f32[2]:channels_last"),
              HasSubstr("channels_last is for tensors with 4 dimensions, not 1"));
  EXPECT_THAT(Error("f32[-2]"), HasSubstr("the size -2 is negative"));
  EXPECT_THAT(Error("f32[2]=[1,2,3]"), HasSubstr("3 values for the 2 elements of sizes [2]"));
  EXPECT_THAT(Error("i64[2]<0"), HasSubstr("a positive integer is wanted"));
  EXPECT_THAT(Error("3 4"), HasSubstr("expected the end of the text, not '4'"));
  EXPECT_THAT(Error("'abc"), HasSubstr("the string has no end"));
  EXPECT_THAT(Error("{'a': 1, 2: 3}"), HasSubstr("all keys of a dict are of one type"));
  EXPECT_THAT(Error("99999999999999999999"), HasSubstr("does not fit 64 bits"));
  EXPECT_THAT(Error("same:0"), HasSubstr("there is no argument 0 before this one"));
  EXPECT_THAT(Error(""), HasSubstr("expected a value, but the text ends"));
  EXPECT_THAT(Error("\xff"), HasSubstr("not '\\xff'"));
}

TEST(InputTextTest, WhatATextAsksForIsBounded) {
  EXPECT_THAT(Error("f32[100000,100000,100000,100000,100000]"), HasSubstr("the inputs need 2^63 bytes"));
  EXPECT_THAT(Error("f32[100000,100000]"), HasSubstr("the inputs need 37.3 GiB, more than the 16.0 GiB"));
  EXPECT_THAT(Error("(f32[4], f32[4])", {.max_bytes = 31}),
              HasSubstr("the inputs need 32 B, more than the 31 B"));
  EXPECT_THAT(Error(std::string(40, '[')), HasSubstr("more than 32 levels of brackets"));
  std::string many = "[";
  for (size_t i = 0; i < kMostInputValues; ++i) many += "1,";
  EXPECT_THAT(Error(many + "]"), HasSubstr("more than 100000 values"));
  EXPECT_THAT(Error(std::string(kLongestInputText + 1, ' ')), HasSubstr("more than 1.0 MiB"));
}

}  // namespace
}  // namespace culprit::model
