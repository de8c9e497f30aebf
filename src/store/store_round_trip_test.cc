// SPDX-License-Identifier: Apache-2.0
#include <ATen/core/Tensor.h>
#include <ATen/ops/_make_per_channel_quantized_tensor.h>
#include <ATen/ops/_make_per_tensor_quantized_tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/quantize_per_channel.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/sparse_coo_tensor.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "graph/tensors/describe_tensors.h"
#include "store/store.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::store {
namespace {

using tests::TemporaryFolder;

// The same in everything that a record knows, and in every byte of the storages.
void ExpectSame(const std::vector<at::Tensor>& actual, const std::vector<at::Tensor>& expected,
                const std::string& what) {
  const graph::DescribedTensors a = *graph::DescribeTensors(actual);
  const graph::DescribedTensors b = *graph::DescribeTensors(expected);
  EXPECT_TRUE(a.group == b.group) << what;
  ASSERT_EQ(a.contents.size(), b.contents.size()) << what;
  for (size_t i = 0; i < a.contents.size(); ++i) {
    if (a.contents[i].device().is_meta()) continue;
    ASSERT_EQ(a.contents[i].nbytes(), b.contents[i].nbytes()) << what;
    if (a.contents[i].nbytes() == 0) continue;
    EXPECT_EQ(std::memcmp(a.contents[i].data(), b.contents[i].data(), a.contents[i].nbytes()), 0) << what;
    EXPECT_NE(a.contents[i].data(), b.contents[i].data()) << what;
  }
}

class StoreRoundTripTest : public testing::Test {
 protected:
  void ExpectRoundTrip(const std::vector<at::Tensor>& tensors, const std::string& what) const {
    const base::Status written = store_.WriteTensors("name", tensors);
    ASSERT_TRUE(written.ok()) << what << ": " << written.error().Render();
    for (const Access access : {Access::kMap, Access::kCopy}) {
      const auto read = store_.ReadTensors("name", {.access = access});
      ASSERT_TRUE(read.ok()) << what << ": " << read.error().Render();
      ExpectSame(*read, tensors, what);
    }
  }

  TemporaryFolder place_;
  Store store_ = *Store::Create(place_ / "store");
};

constexpr at::ScalarType kPlainDtypes[] = {at::kByte,
                                           at::kChar,
                                           at::kShort,
                                           at::kInt,
                                           at::kLong,
                                           at::kHalf,
                                           at::kBFloat16,
                                           at::kFloat,
                                           at::kDouble,
                                           at::kComplexHalf,
                                           at::kComplexFloat,
                                           at::kComplexDouble,
                                           at::kBool,
                                           at::kUInt16,
                                           at::kUInt32,
                                           at::kUInt64,
                                           at::kFloat8_e5m2,
                                           at::kFloat8_e4m3fn,
                                           at::kFloat8_e5m2fnuz,
                                           at::kFloat8_e4m3fnuz,
                                           at::kFloat8_e8m0fnu,
                                           at::kFloat4_e2m1fn_x2};

// Any bits, NaNs with payloads among them.
at::Tensor RandomBits(at::IntArrayRef sizes, at::ScalarType dtype) {
  static std::mt19937 random(1);
  at::Tensor tensor = at::empty(sizes, dtype);
  auto* bytes = static_cast<unsigned char*>(tensor.data_ptr());
  for (size_t i = 0; i < tensor.nbytes(); ++i) bytes[i] = random() % (dtype == at::kBool ? 2 : 256);
  return tensor;
}

std::vector<std::pair<std::string, at::Tensor>> Layouts(const at::Tensor& base) {
  return {{"contiguous", base},
          {"transposed", base.transpose(0, 3)},
          {"sliced", base.slice(1, 1, 3).slice(3, 0, 4, 2)},
          {"channels last", base.contiguous(at::MemoryFormat::ChannelsLast)},
          {"zero stride", base.select(0, 1).unsqueeze(0).expand({3, 3, 4, 5})},
          {"overlapping", base.as_strided({4, 4}, {1, 2}, 3)},
          {"no elements", base.slice(1, 2, 2)},
          {"no storage", at::empty({0, 3}, base.options())},
          {"one element", base.select(0, 0).select(0, 0).select(0, 0).select(0, 1)}};
}

TEST_F(StoreRoundTripTest, EveryDtypeInEveryLayout) {
  for (const at::ScalarType dtype : kPlainDtypes) {
    for (const auto& [name, tensor] : Layouts(RandomBits({2, 3, 4, 5}, dtype))) {
      ExpectRoundTrip({tensor}, fmt::format("{} {}", c10::toString(dtype), name));
    }
  }
}

TEST_F(StoreRoundTripTest, QuantisedPerTensor) {
  for (const auto& [plain, dtype] :
       {std::pair(at::kByte, at::kQUInt8), {at::kChar, at::kQInt8}, {at::kInt, at::kQInt32}}) {
    const at::Tensor tensor = at::_make_per_tensor_quantized_tensor(RandomBits({3, 4}, plain), 0.1, 7);
    ASSERT_EQ(tensor.scalar_type(), dtype);
    ExpectRoundTrip({tensor}, c10::toString(dtype));
    ExpectRoundTrip({tensor.t(), tensor.slice(0, 1, 3)}, c10::toString(dtype));
    const at::Tensor read = store_.ReadTensors("name")->at(0);
    EXPECT_EQ(read.q_scale(), 0.1);
    EXPECT_TRUE(at::equal(read.dequantize(), tensor.t().dequantize()));
  }
}

TEST_F(StoreRoundTripTest, QuantisedPerChannel) {
  for (const at::ScalarType plain : {at::kByte, at::kChar, at::kInt}) {
    const at::Tensor tensor = at::_make_per_channel_quantized_tensor(
        RandomBits({3, 4}, plain), at::tensor({0.1, 0.2, 0.3, 0.4}), at::tensor({1, 2, 3, 4}, at::kLong), 1);
    ExpectRoundTrip({tensor}, c10::toString(plain));
    const at::Tensor read = *store_.ReadTensor("name");
    EXPECT_EQ(read.q_per_channel_axis(), 1);
    EXPECT_TRUE(at::equal(read.dequantize(), tensor.dequantize()));
  }
  const at::Tensor float_points = at::quantize_per_channel(at::randn({2, 3}), at::tensor({0.1, 0.2}),
                                                           at::tensor({0.5, 1.5}), 0, at::kQUInt8);
  ASSERT_EQ(float_points.qscheme(), at::kPerChannelAffineFloatQParams);
  ExpectRoundTrip({float_points}, "zero points that are no integers");
  EXPECT_EQ(store_.ReadTensor("name")->qscheme(), at::kPerChannelAffineFloatQParams);
}

TEST_F(StoreRoundTripTest, SparseCoordinates) {
  const at::Tensor dense = at::tensor({0, 1, 0, 2, 0, 3}, at::kFloat).view({2, 3});
  const at::Tensor indices = at::tensor({0, 0, 1, 2, 2, 1}, at::kLong).view({2, 3});
  const at::Tensor duplicates = at::sparse_coo_tensor(indices, at::randn({3, 4}), {2, 3, 4});
  ExpectRoundTrip({dense.to_sparse(), duplicates, at::zeros({4, 4}).to_sparse()}, "sparse");
  const std::vector<at::Tensor> read = *store_.ReadTensors("name");
  EXPECT_TRUE(read[0].is_coalesced());
  EXPECT_FALSE(read[1].is_coalesced());
  EXPECT_TRUE(at::equal(read[0].to_dense(), dense));
  ExpectRoundTrip({dense.to_sparse().set_requires_grad(true)}, "sparse with gradient");
}

TEST_F(StoreRoundTripTest, ConjugateAndNegativeBits) {
  const at::Tensor complex = RandomBits({3, 4}, at::kComplexFloat);
  ExpectRoundTrip({complex, complex.conj(), complex.conj().t(), at::imag(complex.conj())}, "bits");
  const std::vector<at::Tensor> read = *store_.ReadTensors("name");
  EXPECT_TRUE(read[1].is_conj());
  EXPECT_TRUE(read[3].is_neg());
}

TEST_F(StoreRoundTripTest, Gradness) {
  const at::Tensor leaf = at::randn({3, 4}).set_requires_grad(true);
  const at::Tensor complex_leaf = at::randn({2}, at::kComplexFloat).set_requires_grad(true);
  ExpectRoundTrip({leaf, leaf.t(), leaf.clone(), leaf.detach(), complex_leaf.conj()}, "gradness");
  const std::vector<at::Tensor> read = *store_.ReadTensors("name");
  EXPECT_TRUE(read[0].requires_grad() && read[0].is_leaf());
  EXPECT_TRUE(read[1].requires_grad() && !read[1].is_leaf());
  EXPECT_FALSE(read[3].requires_grad());
}

TEST_F(StoreRoundTripTest, TensorsShareMemoryWhereTheyDidAndNowhereElse) {
  const at::Tensor base = at::zeros({4});
  ExpectRoundTrip({base, base.slice(0, 1, 3), at::zeros({4})}, "aliases");
  EXPECT_EQ(tests::NamesIn(place_ / "store/storages").size(), 1);
  const std::vector<at::Tensor> read = *store_.ReadTensors("name");
  read[0].fill_(1);
  EXPECT_TRUE(at::equal(read[1], at::ones({2})));
  EXPECT_TRUE(at::equal(read[2], at::zeros({4})));
  EXPECT_TRUE(at::equal(store_.ReadTensors("name")->at(0), at::zeros({4})));
}

TEST_F(StoreRoundTripTest, MetaTensorsHaveNoContents) {
  const at::Tensor meta = at::empty({1 << 20, 1 << 20}, at::TensorOptions().device(at::kMeta));
  ExpectRoundTrip({meta, meta.t()}, "meta");
  EXPECT_TRUE(tests::NamesIn(place_ / "store/storages").empty());
}

TEST_F(StoreRoundTripTest, WhatIsWrittenIntoAMappedTensorStaysInMemory) {
  ASSERT_TRUE(store_.WriteTensor("name", at::ones({5000})).ok());
  at::Tensor read = *store_.ReadTensor("name");
  read.fill_(2);
  read.resize_({20000});
  EXPECT_TRUE(at::equal(read.slice(0, 0, 5000), at::full({5000}, 2.0F)));
  EXPECT_TRUE(at::equal(*store_.ReadTensor("name"), at::ones({5000})));
}

TEST_F(StoreRoundTripTest, AMappedTensorOutlivesTheStore) {
  ASSERT_TRUE(store_.WriteTensor("name", at::ones({5000})).ok());
  const at::Tensor read = *store_.ReadTensor("name");
  std::filesystem::remove_all(place_ / "store");
  EXPECT_TRUE(at::equal(read, at::ones({5000})));
}

TEST_F(StoreRoundTripTest, GroupsCanBeKeptOutsideTheStore) {
  const at::Tensor base = at::arange(6);
  const graph::TensorGroup group = *store_.WriteContents({base, base.view({2, 3}).t()});
  EXPECT_TRUE(tests::NamesIn(place_ / "store/tensors").empty());
  const Store again = *Store::Open(place_ / "store");
  ExpectSame(*again.ReadContents(group), {base, base.view({2, 3}).t()}, "group");
}

}  // namespace
}  // namespace culprit::store
