// SPDX-License-Identifier: Apache-2.0
#include "graph/tensors/rebuild_tensors.h"

#include <ATen/ops/_coalesced.h>
#include <ATen/ops/_validate_sparse_coo_tensor_args.h>
#include <ATen/ops/sparse_coo_tensor.h>
#include <ATen/quantized/QTensorImpl.h>
#include <ATen/quantized/Quantizer.h>
#include <fmt/format.h>

#include "graph/tensors/gradness.h"
#include "graph/tensors/tensor_copy.h"
#include "graph/tensors/torch_error.h"

namespace culprit::graph {
namespace {

using base::Diagnostic;
using base::Result;

// Each column of the indices comes behind the one before, as operators on coalesced tensors rely on.
bool Ascend(const at::Tensor& indices) {
  const auto index = indices.accessor<int64_t, 2>();
  for (int64_t column = 1; column < index.size(1); ++column) {
    int64_t row = 0;
    while (row < index.size(0) && index[row][column] == index[row][column - 1]) ++row;
    if (row == index.size(0) || index[row][column] < index[row][column - 1]) return false;
  }
  return true;
}

class Rebuilder {
 public:
  explicit Rebuilder(const std::vector<c10::Storage>& storages) : storages_(storages) {}

  Result<at::Tensor> operator()(const TensorSpec& spec) const {
    return WithGradness(Plain(spec), spec.requires_grad, spec.is_leaf);
  }

  Result<at::Tensor> operator()(const QuantisedPerTensor& record) const {
    const at::ScalarType dtype = record.tensor.dtype;
    return Quantised(record.tensor,
                     at::make_per_tensor_affine_quantizer(record.scale, record.zero_point, dtype));
  }

  Result<at::Tensor> operator()(const QuantisedPerChannel& record) const {
    return Quantised(record.tensor,
                     at::make_per_channel_affine_quantizer(Plain(record.scales), Plain(record.zero_points),
                                                           record.axis, record.tensor.dtype));
  }

  Result<at::Tensor> operator()(const SparseCoo& record) const {
    const at::Tensor indices = Plain(record.indices), values = Plain(record.values);
    // Nobody else looks whether all indices lie within the sizes.
    at::_validate_sparse_coo_tensor_args(indices, values, record.sizes);
    at::Tensor tensor = at::sparse_coo_tensor(indices, values, record.sizes);
    if (record.is_coalesced && !Ascend(indices)) {
      return Diagnostic{{}, "a sparse tensor is called coalesced, but its indices do not ascend"};
    }
    tensor._coalesced_(record.is_coalesced);
    return WithGradness(tensor, record.requires_grad, record.is_leaf);
  }

 private:
  at::Tensor Plain(const TensorSpec& spec) const {
    return TensorOn(storages_[spec.storage],
                    {spec.sizes, spec.strides, spec.offset, spec.dtype, spec.is_conjugated, spec.is_negated});
  }

  // Tensor::set_() would forget the quantiser.
  at::Tensor Quantised(const TensorSpec& spec, at::QuantizerPtr quantiser) const {
    c10::Storage storage = storages_[spec.storage];
    const auto backend = storage.device().is_meta() ? c10::DispatchKey::Meta : c10::DispatchKey::QuantizedCPU;
    at::Tensor tensor =
        at::detail::make_tensor<at::QTensorImpl>(std::move(storage), c10::DispatchKeySet(backend),
                                                 c10::scalarTypeToTypeMeta(spec.dtype), std::move(quantiser));
    tensor.unsafeGetTensorImpl()->set_storage_offset(spec.offset);
    tensor.unsafeGetTensorImpl()->set_sizes_and_strides(spec.sizes, spec.strides);
    return tensor;
  }

  const std::vector<c10::Storage>& storages_;
};

}  // namespace

Result<std::vector<at::Tensor>> RebuildTensors(const TensorGroup& group,
                                               const std::vector<c10::Storage>& contents) {
  CULPRIT_TRY(CheckGroup(group));
  CULPRIT_CHECK(contents.size() == group.storages.size(), "{} storages for {}", contents.size(),
                group.storages.size());
  for (size_t i = 0; i < contents.size(); ++i) {
    CULPRIT_CHECK(static_cast<int64_t>(contents[i].nbytes()) == group.storages[i].bytes,
                  "storage {} has {} bytes instead of {}", i, contents[i].nbytes(), group.storages[i].bytes);
  }
  std::vector<at::Tensor> tensors;
  try {
    for (const TensorRecord& record : group.tensors) {
      tensors.push_back(CULPRIT_TRY(std::visit(Rebuilder(contents), record)));
    }
  } catch (const std::exception& error) {
    return Diagnostic{{}, fmt::format("a tensor cannot be rebuilt: {}", TorchMessage(error))};
  }
  return tensors;
}

}  // namespace culprit::graph
