// SPDX-License-Identifier: Apache-2.0
#include "graph/tensors/tensor_copy.h"

#include <ATen/core/List.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/quantize_per_tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "graph/ir/graph.h"

namespace culprit::graph {
namespace {

TEST(TensorCopyTest, KeepsStridesOffsetAndBits) {
  const at::Tensor base = at::arange(48).to(at::kFloat).reshape({2, 3, 4, 2});
  for (const at::Tensor& tensor :
       {base.transpose(0, 3).slice(2, 1, 3), base.contiguous(at::MemoryFormat::ChannelsLast),
        base.select(0, 1), at::ones({1}).expand({3, 4}), at::ones({0, 3}), at::ones({})}) {
    const at::Tensor copy = TensorCopies().Copy(tensor);
    EXPECT_TRUE(SameTensor(copy, tensor)) << tensor.sizes();
    EXPECT_EQ(copy.storage_offset(), tensor.storage_offset());
    EXPECT_FALSE(copy.storage().is_alias_of(tensor.storage()));
  }
}

TEST(TensorCopyTest, KeepsTheConjugateBit) {
  const at::Tensor tensor = at::complex(at::ones({2}), at::ones({2})).conj();
  const at::Tensor copy = TensorCopies().Copy(tensor);
  EXPECT_TRUE(copy.is_conj());
  EXPECT_TRUE(SameTensor(copy, tensor));
}

TEST(TensorCopyTest, KeepsWhoSharesMemory) {
  const at::Tensor base = at::zeros({2, 2});
  const auto copies =
      CopyAll({base, base.t(), at::zeros({2, 2}), c10::List<at::Tensor>({base.select(0, 1)})});
  copies[0].toTensor().fill_(1);
  EXPECT_TRUE(SameTensor(copies[1].toTensor(), at::ones({2, 2}).t()));
  EXPECT_TRUE(SameTensor(copies[2].toTensor(), at::zeros({2, 2})));
  EXPECT_TRUE(SameTensor(copies[3].toTensorList().get(0), at::ones({2})));
  EXPECT_TRUE(SameTensor(base, at::zeros({2, 2})));
}

TEST(TensorCopyTest, AddressesAreEqualModulo64) {
  const at::Tensor base = at::zeros({100}, at::kByte);
  for (int64_t offset = 0; offset < 70; ++offset) {
    char* data = static_cast<char*>(base.data_ptr()) + offset;
    const c10::Storage storage(c10::Storage::use_byte_size_t(), 30, c10::DataPtr(data, at::kCPU));
    const auto copy = reinterpret_cast<uintptr_t>(CopyStorage(storage).data());
    EXPECT_EQ(copy % 64, reinterpret_cast<uintptr_t>(data) % 64);
  }
}

TEST(TensorCopyTest, CopiesCanBeResized) {
  at::Tensor copy = TensorCopies().Copy(at::ones({2}));
  copy.resize_({100});
  EXPECT_TRUE(copy.slice(0, 0, 2).equal(at::ones({2})));
}

TEST(TensorCopyTest, CopiesWhatHasNoPlainStorage) {
  const at::Tensor sparse = at::ones({2, 2}).to_sparse();
  EXPECT_TRUE(TensorCopies().Copy(sparse).is_sparse());
  const at::Tensor quantised = at::quantize_per_tensor(at::ones({2}), 0.5, 1, at::kQInt8);
  EXPECT_TRUE(SameTensor(TensorCopies().Copy(quantised), quantised));
  EXPECT_FALSE(TensorCopies().Copy(at::Tensor()).defined());
  EXPECT_TRUE(TensorCopies().Copy(c10::IValue()).isNone());
}

TEST(TensorCopyTest, ReachedBytesCountsTheLastElement) {
  EXPECT_EQ(ReachedBytes(Geometry::Of(at::zeros({4, 5}).select(1, 2))), (2 + 3 * 5 + 1) * sizeof(float));
  EXPECT_EQ(ReachedBytes(Geometry::Of(at::zeros({4, 0}))), 0);
}

}  // namespace
}  // namespace culprit::graph
