// SPDX-License-Identifier: Apache-2.0
#include "graph/inputs/make_inputs.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include "graph/ir/graph.h"

namespace culprit::graph::inputs {
namespace {

/// One tensor on a storage of its own.
InputSpecs OneTensor(at::ScalarType dtype, std::vector<int64_t> sizes) {
  TensorSpec tensor{.sizes = sizes, .strides = ContiguousStrides(sizes), .dtype = dtype};
  return {.storages = {{.bytes = *ReachOf(tensor)}}, .inputs = {tensor}};
}

at::Tensor MakeOne(const InputSpecs& specs, uint64_t seed = 0) {
  return MakeInputs(specs, {.seed = seed}).value().values.at(0).toTensor();
}

std::string ErrorOf(const InputSpecs& specs) {
  const auto inputs = MakeInputs(specs);
  return inputs.ok() ? "no error" : inputs.error().Render();
}

TEST(MakeInputsTest, TheSeedDecidesTheNumbers) {
  const InputSpecs specs = OneTensor(at::kFloat, {100});
  EXPECT_TRUE(SameTensor(MakeOne(specs, 1), MakeOne(specs, 1)));
  EXPECT_FALSE(SameTensor(MakeOne(specs, 1), MakeOne(specs, 2)));
}

TEST(MakeInputsTest, TheInputsAreNotWhatRandomOperatorsDraw) {
  const InputSpecs specs = OneTensor(at::kFloat, {100});
  EXPECT_FALSE(MakeOne(specs, 3).equal(at::randn({100}, at::detail::createCPUGenerator(3))));
}

TEST(MakeInputsTest, FloatsAreStandardNormal) {
  for (const at::ScalarType dtype : {at::kHalf, at::kBFloat16, at::kFloat, at::kDouble}) {
    const at::Tensor numbers = MakeOne(OneTensor(dtype, {20000})).to(at::kDouble);
    EXPECT_NEAR(numbers.mean().item<double>(), 0, 0.03) << dtype;
    EXPECT_NEAR(numbers.std().item<double>(), 1, 0.03) << dtype;
  }
}

TEST(MakeInputsTest, IntegersAreZeroAndBoolsCoinFlips) {
  EXPECT_FALSE(MakeOne(OneTensor(at::kLong, {100})).any().item<bool>());
  const auto heads = MakeOne(OneTensor(at::kBool, {1000})).sum().item<int64_t>();
  EXPECT_GT(heads, 400);
  EXPECT_LT(heads, 600);
}

TEST(MakeInputsTest, TensorsAreAsDescribed) {
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

TEST(MakeInputsTest, IntegersNeverRequireGradients) {
  InputSpecs specs = OneTensor(at::kLong, {2});
  std::get<TensorSpec>(specs.inputs[0]).requires_grad = true;
  EXPECT_FALSE(MakeOne(specs).requires_grad());
}

TEST(MakeInputsTest, TensorsOnOneStorageShareMemory) {
  InputSpecs specs = OneTensor(at::kFloat, {4});
  specs.inputs.emplace_back(TensorSpec{.sizes = {2}, .strides = {1}, .offset = 2});
  const std::vector<c10::IValue> inputs = MakeInputs(specs)->values;
  inputs[0].toTensor().fill_(7);
  EXPECT_EQ(inputs[1].toTensor().sum().item<float>(), 14);
}

TEST(MakeInputsTest, ConjugateAndNegativeBitsAreSet) {
  InputSpecs specs = OneTensor(at::kComplexFloat, {4});
  std::get<TensorSpec>(specs.inputs[0]).is_conjugated = true;
  EXPECT_TRUE(MakeOne(specs).is_conj());
  EXPECT_FALSE(MakeOne(specs).is_neg());
  std::get<TensorSpec>(specs.inputs[0]).is_conjugated = false;
  std::get<TensorSpec>(specs.inputs[0]).is_negated = true;
  EXPECT_FALSE(MakeOne(specs).is_conj());
  EXPECT_TRUE(MakeOne(specs).is_neg());
}

TEST(MakeInputsTest, TheHintDecidesWhatTheBytesAre) {
  InputSpecs specs = OneTensor(at::kFloat, {4});
  specs.storages[0].dtype_hint = at::kInt;
  EXPECT_EQ(MakeOne(specs).abs().sum().item<float>(), 0);
}

TEST(MakeInputsTest, MakesWhatIsNoTensor) {
  const InputSpecs specs = {.inputs = {IntSpec{7, "s0"}, GeneratorSpec{}, AbsentSpec{}}};
  const std::vector<c10::IValue> inputs = MakeInputs(specs, {.seed = 5})->values;
  EXPECT_EQ(inputs[0].toInt(), 7);
  EXPECT_EQ(inputs[1].toGenerator().current_seed(), 5);
  EXPECT_TRUE(inputs[2].isNone());
}

TEST(MakeInputsTest, OtherDevicesAreRefused) {
  InputSpecs specs = OneTensor(at::kFloat, {4});
  specs.storages[0].device = at::Device("cuda:1");
  EXPECT_EQ(ErrorOf(specs), "error: an input is on cuda:1, which this machine lacks");
}

TEST(MakeInputsTest, GeneratorsOfOtherDevicesAreRefused) {
  EXPECT_EQ(ErrorOf({.inputs = {GeneratorSpec{at::Device("cuda:0")}}}),
            "error: an input is on cuda:0, which this machine lacks");
}

TEST(MakeInputsTest, AbsurdSizesAreRefused) {
  EXPECT_EQ(ErrorOf({.storages = {{.bytes = int64_t{1} << 50}}}),
            "error: an input of 1.0 PiB is larger than any memory");
}

TEST(MakeInputsTest, ImpossibleSizesAreAnError) {
  InputSpecs specs = OneTensor(at::kFloat, {4});
  std::get<TensorSpec>(specs.inputs[0]).sizes = {-4};
  EXPECT_EQ(ErrorOf(specs), "error: no tensor has the sizes (-4)");
}

TEST(MakeInputsTest, KnownContentsAreUsedAndUnknownOnesAreNamed) {
  InputSpecs specs = OneTensor(at::kFloat, {2});
  specs.storages[0].contents = InlineNumbers{at::kByte, std::string("\0\0\x80\x3f\0\0\0\x40", 8)};
  specs.storages.push_back({.bytes = 4});
  specs.inputs.emplace_back(TensorSpec{.storage = 1, .sizes = {1}, .strides = {1}});
  const auto inputs = MakeInputs(specs);
  EXPECT_TRUE(inputs->values[0].toTensor().equal(at::tensor({1.0F, 2.0F})));
  EXPECT_EQ(inputs->random, std::vector<size_t>{1});
}

TEST(MakeInputsTest, SeededContentsDoNotDependOnTheSeedOfTheRest) {
  InputSpecs specs = OneTensor(at::kFloat, {100});
  specs.storages[0].contents = SeededNumbers{.count = 100, .seed = 3};
  EXPECT_TRUE(SameTensor(MakeOne(specs, 1), MakeOne(specs, 2)));
  EXPECT_TRUE(MakeInputs(specs)->random.empty());
}

TEST(MakeInputsTest, StoredContentsComeFromTheStore) {
  InputSpecs specs = OneTensor(at::kChar, {3});
  specs.storages[0].contents = StoredBytes{"abc"};
  EXPECT_EQ(ErrorOf(specs), "error: there is no store to find abc in");
  const LoadBytes load = [](std::string_view hash, int64_t bytes) -> base::Result<at::Tensor> {
    return at::full({bytes}, static_cast<int64_t>(hash.size()), at::kByte);
  };
  EXPECT_TRUE(MakeInputs(specs, {.load = load})->values[0].toTensor().equal(at::full({3}, 3, at::kChar)));
}

TEST(MakeInputsTest, ContentsThatAreTooShortAreAnError) {
  InputSpecs specs = OneTensor(at::kFloat, {2});
  specs.storages[0].contents = InlineNumbers{at::kByte, "1234"};
  EXPECT_EQ(ErrorOf(specs), "error: the contents have 4 bytes, the storage has 8");
}

TEST(MakeInputsTest, ATensorThatIsNoLeafHasAHistoryAndTheSameMemory) {
  InputSpecs specs = OneTensor(at::kFloat, {2});
  std::get<TensorSpec>(specs.inputs[0]).requires_grad = true;
  specs.inputs.emplace_back(TensorSpec{.sizes = {2}, .strides = {1}, .requires_grad = true, .is_leaf = true});
  const std::vector<c10::IValue> inputs = MakeInputs(specs)->values;
  EXPECT_FALSE(inputs[0].toTensor().is_leaf());
  EXPECT_TRUE(inputs[0].toTensor().requires_grad());
  EXPECT_TRUE(inputs[1].toTensor().is_leaf());
  EXPECT_EQ(inputs[0].toTensor().data_ptr(), inputs[1].toTensor().data_ptr());
}

TEST(MakeInputsTest, QuantisedTensorsHaveTheirQuantiser) {
  const TensorSpec integers{.sizes = {2, 3}, .strides = {1, 2}, .dtype = at::kQInt8};
  InputSpecs specs{.storages = {{.bytes = 6}}, .inputs = {QuantisedPerTensor{integers, 0.5, 1}}};
  specs.storages[0].contents = InlineNumbers{at::kChar, "\1\2\3\4\5\6"};
  const at::Tensor tensor = MakeOne(specs);
  EXPECT_EQ(tensor.q_scale(), 0.5);
  EXPECT_EQ(tensor.q_zero_point(), 1);
  EXPECT_EQ(tensor.strides(), (at::IntArrayRef{1, 2}));
  EXPECT_EQ(tensor.dequantize()[1][2].item<float>(), 2.5);
}

TEST(MakeInputsTest, SparseTensorsHaveTheirParts) {
  InputSpecs specs{.storages = {{.bytes = 16}, {.bytes = 8}}};
  specs.storages[0].contents = InlineNumbers{at::kByte, std::string(16, '\0')};
  specs.inputs.emplace_back(SparseCoo{.indices = {.sizes = {1, 2}, .strides = {2, 1}, .dtype = at::kLong},
                                      .values = {.storage = 1, .sizes = {2}, .strides = {1}},
                                      .sizes = {5}});
  const at::Tensor sparse = MakeOne(specs);
  EXPECT_FALSE(sparse.is_coalesced());
  EXPECT_EQ(sparse._nnz(), 2);
  EXPECT_EQ(sparse.sizes(), at::IntArrayRef{5});
}

}  // namespace
}  // namespace culprit::graph::inputs
