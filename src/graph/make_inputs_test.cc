// SPDX-License-Identifier: Apache-2.0
#include "graph/make_inputs.h"

#include <gtest/gtest.h>

#include "graph/graph.h"

namespace culprit::graph {
namespace {

/// One tensor on a storage of its own.
InputSpecs OneTensor(at::ScalarType dtype, std::vector<int64_t> sizes) {
  TensorSpec tensor{.sizes = sizes, .strides = ContiguousStrides(sizes), .dtype = dtype};
  return {.storages = {{.bytes = *ReachOf(tensor)}}, .inputs = {tensor}};
}

at::Tensor MakeOne(const InputSpecs& specs, uint64_t seed = 0) {
  return MakeRandomInputs(specs, seed).value().at(0).toTensor();
}

std::string ErrorOf(const InputSpecs& specs) {
  const auto inputs = MakeRandomInputs(specs, 0);
  return inputs.ok() ? "no error" : inputs.error().Render();
}

TEST(MakeRandomInputsTest, TheSeedDecidesTheNumbers) {
  const InputSpecs specs = OneTensor(at::kFloat, {100});
  EXPECT_TRUE(SameTensor(MakeOne(specs, 1), MakeOne(specs, 1)));
  EXPECT_FALSE(SameTensor(MakeOne(specs, 1), MakeOne(specs, 2)));
}

TEST(MakeRandomInputsTest, FloatsAreStandardNormal) {
  for (const at::ScalarType dtype : {at::kHalf, at::kBFloat16, at::kFloat, at::kDouble}) {
    const at::Tensor numbers = MakeOne(OneTensor(dtype, {20000})).to(at::kDouble);
    EXPECT_NEAR(numbers.mean().item<double>(), 0, 0.03) << dtype;
    EXPECT_NEAR(numbers.std().item<double>(), 1, 0.03) << dtype;
  }
}

TEST(MakeRandomInputsTest, IntegersAreZeroAndBoolsCoinFlips) {
  EXPECT_FALSE(MakeOne(OneTensor(at::kLong, {100})).any().item<bool>());
  const auto heads = MakeOne(OneTensor(at::kBool, {1000})).sum().item<int64_t>();
  EXPECT_GT(heads, 400);
  EXPECT_LT(heads, 600);
}

TEST(MakeRandomInputsTest, TensorsAreAsDescribed) {
  InputSpecs specs = {
      .storages = {{.bytes = 96}},
      .inputs = {TensorSpec{
          .sizes = {2, 3}, .strides = {1, 4}, .offset = 2, .dtype = at::kDouble, .requires_grad = true}}};
  const at::Tensor tensor = MakeOne(specs);
  EXPECT_EQ(tensor.sizes(), (at::IntArrayRef{2, 3}));
  EXPECT_EQ(tensor.strides(), (at::IntArrayRef{1, 4}));
  EXPECT_EQ(tensor.storage_offset(), 2);
  EXPECT_EQ(tensor.storage().nbytes(), 96);
  EXPECT_EQ(tensor.scalar_type(), at::kDouble);
  EXPECT_TRUE(tensor.requires_grad());
}

TEST(MakeRandomInputsTest, IntegersNeverRequireGradients) {
  InputSpecs specs = OneTensor(at::kLong, {2});
  std::get<TensorSpec>(specs.inputs[0]).requires_grad = true;
  EXPECT_FALSE(MakeOne(specs).requires_grad());
}

TEST(MakeRandomInputsTest, TensorsOnOneStorageShareMemory) {
  InputSpecs specs = OneTensor(at::kFloat, {4});
  specs.inputs.emplace_back(TensorSpec{.sizes = {2}, .strides = {1}, .offset = 2});
  const std::vector<c10::IValue> inputs = *MakeRandomInputs(specs, 0);
  inputs[0].toTensor().fill_(7);
  EXPECT_EQ(inputs[1].toTensor().sum().item<float>(), 14);
}

TEST(MakeRandomInputsTest, ConjugateAndNegativeBitsAreSet) {
  InputSpecs specs = OneTensor(at::kComplexFloat, {4});
  std::get<TensorSpec>(specs.inputs[0]).is_conjugated = true;
  EXPECT_TRUE(MakeOne(specs).is_conj());
  EXPECT_FALSE(MakeOne(specs).is_neg());
  std::get<TensorSpec>(specs.inputs[0]).is_conjugated = false;
  std::get<TensorSpec>(specs.inputs[0]).is_negated = true;
  EXPECT_FALSE(MakeOne(specs).is_conj());
  EXPECT_TRUE(MakeOne(specs).is_neg());
}

TEST(MakeRandomInputsTest, TheHintDecidesWhatTheBytesAre) {
  InputSpecs specs = OneTensor(at::kFloat, {4});
  specs.storages[0].dtype_hint = at::kInt;
  EXPECT_EQ(MakeOne(specs).abs().sum().item<float>(), 0);
}

TEST(MakeRandomInputsTest, MakesWhatIsNoTensor) {
  const InputSpecs specs = {.inputs = {IntSpec{7, "s0"}, GeneratorSpec{}, AbsentSpec{}}};
  const std::vector<c10::IValue> inputs = *MakeRandomInputs(specs, 5);
  EXPECT_EQ(inputs[0].toInt(), 7);
  EXPECT_EQ(inputs[1].toGenerator().current_seed(), 5);
  EXPECT_TRUE(inputs[2].isNone());
}

TEST(MakeRandomInputsTest, OtherDevicesAreRefused) {
  InputSpecs specs = OneTensor(at::kFloat, {4});
  specs.storages[0].device = at::Device("cuda:1");
  EXPECT_EQ(ErrorOf(specs),
            "error: an input is on cuda:1, which this machine lacks\n"
            "  help: to run on the CPU instead, add: --device cpu");
}

TEST(MakeRandomInputsTest, GeneratorsOfOtherDevicesAreRefused) {
  EXPECT_EQ(ErrorOf({.inputs = {GeneratorSpec{at::Device("cuda:0")}}}),
            "error: an input is on cuda:0, which this machine lacks\n"
            "  help: to run on the CPU instead, add: --device cpu");
}

TEST(MakeRandomInputsTest, AbsurdSizesAreRefused) {
  EXPECT_EQ(ErrorOf({.storages = {{.bytes = int64_t{1} << 50}}}),
            "error: an input of 1.0 PiB is larger than any memory");
}

TEST(MakeRandomInputsTest, WhatLibtorchRefusesIsAnError) {
  InputSpecs specs = OneTensor(at::kFloat, {4});
  std::get<TensorSpec>(specs.inputs[0]).sizes = {-4};
  EXPECT_TRUE(ErrorOf(specs).starts_with("error: the inputs cannot be made: ")) << ErrorOf(specs);
}

}  // namespace
}  // namespace culprit::graph
