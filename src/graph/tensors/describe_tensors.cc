// SPDX-License-Identifier: Apache-2.0
#include "graph/tensors/describe_tensors.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <unordered_map>

#include "graph/tensors/tensor_copy.h"
#include "graph/tensors/torch_error.h"

namespace culprit::graph {
namespace {

using base::Diagnostic;
using base::Result;

Diagnostic CannotBeStored(std::string_view what) {
  return {{}, fmt::format("{} cannot be stored", what)};
}

class Describer {
 public:
  Result<TensorRecord> Describe(const at::Tensor& tensor) {
    if (!tensor.defined()) return CannotBeStored("an undefined tensor");
    if (tensor.layout() == at::kSparse) return DescribeSparse(tensor);
    if (tensor.layout() != at::kStrided) {
      return CannotBeStored(fmt::format("a tensor of layout {}", fmt::streamed(tensor.layout())));
    }
    if (tensor.is_quantized()) return DescribeQuantised(tensor);
    return TensorRecord(CULPRIT_TRY(DescribePlain(tensor)));
  }

  DescribedTensors& described() { return described_; }

 private:
  Result<TensorSpec> DescribePlain(const at::Tensor& tensor) {
    if (!tensor.has_storage()) return CannotBeStored("a tensor without a storage");
    Geometry geometry = Geometry::Of(tensor);
    return TensorSpec{.storage = CULPRIT_TRY(StorageOf(tensor)),
                      .sizes = std::move(geometry.sizes),
                      .strides = std::move(geometry.strides),
                      .offset = geometry.offset,
                      .dtype = geometry.dtype,
                      .requires_grad = tensor.requires_grad(),
                      .is_leaf = tensor.is_leaf(),
                      .is_conjugated = geometry.conjugated,
                      .is_negated = geometry.negated};
  }

  Result<TensorRecord> DescribeQuantised(const at::Tensor& tensor) {
    if (tensor.scalar_type() == at::kQUInt4x2 || tensor.scalar_type() == at::kQUInt2x4) {
      return CannotBeStored(fmt::format("a tensor of dtype {}", c10::toString(tensor.scalar_type())));
    }
    switch (tensor.qscheme()) {
      case at::kPerTensorAffine:
        return TensorRecord(
            QuantisedPerTensor{CULPRIT_TRY(DescribePlain(tensor)), tensor.q_scale(), tensor.q_zero_point()});
      case at::kPerChannelAffine:
      case at::kPerChannelAffineFloatQParams:
        return TensorRecord(
            QuantisedPerChannel{.tensor = CULPRIT_TRY(DescribePlain(tensor)),
                                .scales = CULPRIT_TRY(DescribePlain(tensor.q_per_channel_scales())),
                                .zero_points = CULPRIT_TRY(DescribePlain(tensor.q_per_channel_zero_points())),
                                .axis = tensor.q_per_channel_axis()});
      default:
        return CannotBeStored(
            fmt::format("a tensor with the quantisation {}", c10::toString(tensor.qscheme())));
    }
  }

  Result<TensorRecord> DescribeSparse(const at::Tensor& tensor) {
    const at::Tensor detached = tensor.detach();
    return TensorRecord(SparseCoo{.indices = CULPRIT_TRY(DescribePlain(detached._indices())),
                                  .values = CULPRIT_TRY(DescribePlain(detached._values())),
                                  .sizes = tensor.sizes().vec(),
                                  .is_coalesced = tensor.is_coalesced(),
                                  .requires_grad = tensor.requires_grad(),
                                  .is_leaf = tensor.is_leaf()});
  }

  Result<size_t> StorageOf(const at::Tensor& tensor) {
    const c10::Storage& storage = tensor.storage();
    const size_t index = described_.contents.size();
    const auto [place, is_new] = indices_.try_emplace(storage.unsafeGetStorageImpl(), index);
    if (!is_new) return place->second;
    if (!storage.device().is_meta() && storage.data() == nullptr && storage.nbytes() > 0) {
      return CannotBeStored("a tensor whose storage has no memory");
    }
    described_.group.storages.push_back({.bytes = static_cast<int64_t>(storage.nbytes()),
                                         .device = storage.device(),
                                         .dtype_hint = tensor.scalar_type()});
    described_.contents.push_back(OnCpu(storage));
    kept_.push_back(storage);
    return index;
  }

  static c10::Storage OnCpu(const c10::Storage& storage) {
    if (storage.device().is_cpu() || storage.device().is_meta()) return storage;
    const auto bytes = static_cast<int64_t>(storage.nbytes());
    return TensorOn(storage, {{bytes}, {1}, 0, at::kByte}).cpu().storage();
  }

  DescribedTensors described_;
  // The addresses below stay taken as long as the storages are held.
  std::vector<c10::Storage> kept_;
  std::unordered_map<const c10::StorageImpl*, size_t> indices_;
};

}  // namespace

Result<DescribedTensors> DescribeTensors(const std::vector<at::Tensor>& tensors) {
  Describer describer;
  try {
    for (const at::Tensor& tensor : tensors) {
      TensorRecord record = CULPRIT_TRY(describer.Describe(tensor));
      describer.described().group.tensors.push_back(std::move(record));
    }
  } catch (const std::exception& error) {
    return Diagnostic{{}, fmt::format("a tensor cannot be stored: {}", TorchMessage(error))};
  }
  return std::move(describer.described());
}

}  // namespace culprit::graph
