// SPDX-License-Identifier: Apache-2.0
#include "graph/inputs/index_places.h"

#include <ATen/WrapDimUtils.h>
#include <c10/util/accumulate.h>

namespace culprit::graph::inputs {
namespace {

using Kind = InputRange::Kind;

struct Index {
  /// Nothing if it is a constant of the call.
  std::optional<ValueId> value;
  at::Tensor tensor;
  /// The first dimension that it takes.
  int64_t dim = 0;
  bool is_mask() const { return tensor.scalar_type() == at::kBool || tensor.scalar_type() == at::kByte; }
  int64_t dims() const { return is_mask() ? tensor.dim() : 1; }
};

class Places {
 public:
  explicit Places(const CallArguments& call) : self_(call.tensor("self")) {
    if (call.has("values")) values_ = call.tensor("values");
    is_unordered_write_ = values_.defined() && !call["accumulate"].toBool();
    const Argument& written = call.written("indices");
    const auto tensors = call["indices"].toListRef();
    int64_t dim = 0;
    for (size_t i = 0; i < tensors.size() && dim < self_.dim(); ++i) {
      if (!tensors[i].isTensor() || !tensors[i].toTensor().defined()) {
        ++dim;
        continue;
      }
      Index index{.tensor = tensors[i].toTensor(), .dim = dim};
      if (written.is_list() && written.list()[i].is_value()) index.value = written.list()[i].value();
      dim += index.dims();
      if (dim <= self_.dim()) indices_.push_back(std::move(index));
    }
  }

  std::vector<WantedRange> Wanted() {
    const std::optional<int64_t> trues = Trues();
    for (const Index& index : indices_) {
      if (!index.is_mask()) {
        Want(index, {Kind::kBelow, self_.size(index.dim)});
      } else if (trues) {
        Want(index, {Kind::kTrues, *trues});
      }
    }
    if (is_unordered_write_) KeepApart();
    return std::move(wanted_);
  }

 private:
  void Want(const Index& index, const InputRange& range) {
    if (index.value) wanted_.push_back({*index.value, range});
  }

  // How many elements a mask selects is how many rows the written values have, or how many places the
  // indices beside it name. One row goes everywhere.
  std::optional<int64_t> Trues() const {
    for (const Index& index : indices_) {
      const bool names_places = !index.is_mask() && index.tensor.dim() > 0 && index.tensor.size(-1) != 1;
      if (names_places) return index.tensor.size(-1);
    }
    const int64_t behind = DimsBehindPlaces();
    if (!values_.defined() || values_.dim() <= behind) return std::nullopt;
    const int64_t rows = values_.size(values_.dim() - 1 - behind);
    return rows == 1 ? std::nullopt : std::optional(rows);
  }

  // The dimensions of the result behind those of the places: libtorch puts places in front where the indexed
  // dimensions do not stand together.
  int64_t DimsBehindPlaces() const {
    int64_t taken = 0;
    for (const Index& index : indices_) taken += index.dims();
    if (indices_.empty()) return self_.dim();
    const int64_t end = indices_.back().dim + indices_.back().dims();
    const bool together = end - indices_.front().dim == taken;
    return self_.dim() - (together ? end : taken);
  }

  // One index that names no place twice is enough if it covers all places. Where none has room for that,
  // they count like the digits of one number.
  void KeepApart() {
    int64_t places = 1;
    for (const Index& index : indices_) places = std::max(places, index.tensor.numel());
    int64_t every = 1;
    for (auto index = indices_.rbegin(); index != indices_.rend(); ++index) {
      if (index->is_mask()) continue;
      const int64_t size = self_.size(index->dim);
      const bool is_digit = index->tensor.numel() == places && places > size;
      Want(*index, {Kind::kBelow, size, is_digit ? every : 1});
      if (is_digit) every *= std::max<int64_t>(size, 1);
    }
  }

  at::Tensor self_, values_;
  bool is_unordered_write_ = false;
  std::vector<Index> indices_;
  std::vector<WantedRange> wanted_;
};

}  // namespace

std::vector<WantedRange> WantedOfIndices(const CallArguments& call) {
  return Places(call).Wanted();
}

InputRange DistinctAlong(const at::Tensor& index, int64_t dim, int64_t size) {
  if (index.dim() == 0) return {Kind::kBelow, size, 1};
  const auto behind = index.sizes().slice(at::maybe_wrap_dim(dim, index.dim()) + 1);
  return {Kind::kBelow, size, std::max<int64_t>(c10::multiply_integers(behind), 1)};
}

}  // namespace culprit::graph::inputs
