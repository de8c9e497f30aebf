// SPDX-License-Identifier: Apache-2.0
#include "graph/fake/data_dependent.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace culprit::graph::fake {
namespace {

/// Sorted. All overloads, since they differ in arguments that do not matter here.
constexpr std::string_view kAlwaysDependent[] = {
    "aten::_assert_async",
    "aten::_functional_assert_async",
    "aten::_local_scalar_dense",
    "aten::_nested_tensor_from_mask",
    "aten::_nested_tensor_from_mask_left_aligned",
    "aten::_pack_padded_sequence",
    "aten::_pad_packed_sequence",
    "aten::_to_sparse",
    "aten::_to_sparse_bsc",
    "aten::_to_sparse_bsr",
    "aten::_to_sparse_csc",
    "aten::_to_sparse_csr",
    "aten::_unique",
    "aten::_unique2",
    "aten::_validate_compressed_sparse_indices",
    "aten::allclose",
    "aten::bincount",
    "aten::equal",
    "aten::is_nonzero",
    "aten::item",
    "aten::linalg_lstsq",
    "aten::masked_select",
    "aten::nonzero",
    "aten::nonzero_numpy",
    "aten::to_sparse",
    "aten::to_sparse_bsc",
    "aten::to_sparse_bsr",
    "aten::to_sparse_csc",
    "aten::to_sparse_csr",
    "aten::unique_consecutive",
    "aten::unique_dim",
    "aten::unique_dim_consecutive",
    "torchvision::nms",
};
static_assert(std::is_sorted(std::begin(kAlwaysDependent), std::end(kAlwaysDependent)));

bool IsMask(const c10::IValue& index) {
  if (!index.isTensor() || !index.toTensor().defined()) return false;
  const at::ScalarType dtype = index.toTensor().scalar_type();
  return dtype == at::kBool || dtype == at::kByte;
}

/// index(self, indices): a mask selects as many elements as it has ones.
bool HasMask(c10::ArrayRef<c10::IValue> arguments) {
  const auto indices = arguments[1].toListRef();
  return std::any_of(indices.begin(), indices.end(), IsMask);
}

/// repeat_interleave(repeats, output_size=None)
bool LacksOutputSize(c10::ArrayRef<c10::IValue> arguments) {
  return arguments[1].isNone();
}

struct Conditional {
  std::string_view name;
  bool (*depends)(c10::ArrayRef<c10::IValue> arguments);
};

constexpr Conditional kConditional[] = {
    {"aten::_ctc_loss.Tensor", [](c10::ArrayRef<c10::IValue>) { return true; }},
    {"aten::index.Tensor", HasMask},
    {"aten::index.Tensor_out", HasMask},
    {"aten::repeat_interleave.Tensor", LacksOutputSize},
};

const Conditional* FindConditional(const c10::OperatorHandle& op) {
  const std::string name = c10::toString(op.operator_name());
  const auto* row = std::find_if(std::begin(kConditional), std::end(kConditional),
                                 [&](const Conditional& candidate) { return candidate.name == name; });
  return row == std::end(kConditional) ? nullptr : row;
}

}  // namespace

DataDependent::DataDependent(const c10::OperatorHandle& op)
    : op_(c10::toString(op.operator_name())),
      message_(fmt::format("the result of {} depends on the numbers in its tensors", op_)) {}

DataDependence DependenceOf(const c10::OperatorHandle& op) {
  const std::string_view name = op.operator_name().name;
  if (std::binary_search(std::begin(kAlwaysDependent), std::end(kAlwaysDependent), name)) {
    return DataDependence::kAlways;
  }
  return FindConditional(op) != nullptr ? DataDependence::kOnArguments : DataDependence::kNever;
}

bool DependsWith(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments) {
  return FindConditional(op)->depends(arguments);
}

}  // namespace culprit::graph::fake
