// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "graph/tensors/rebuild_tensors.h"

namespace culprit::graph {
namespace {

using base::Diagnostic;
using base::Done;
using base::Status;

// libtorch itself iterates over no more.
constexpr size_t kMostDimensions = 64;

Status CheckSizes(const std::vector<int64_t>& sizes) {
  if (sizes.size() > kMostDimensions) {
    return Diagnostic{{},
                      fmt::format("a tensor of {} dimensions, more than {}", sizes.size(), kMostDimensions)};
  }
  int64_t elements = 1;
  for (const int64_t size : sizes) {
    if (size < 0 || __builtin_mul_overflow(elements, std::max<int64_t>(size, 1), &elements)) {
      return Diagnostic{{}, fmt::format("no tensor has the sizes ({})", fmt::join(sizes, ", "))};
    }
  }
  return Done{};
}

class Checker {
 public:
  explicit Checker(const TensorGroup& group) : storages_(group.storages) {}

  Status operator()(const TensorSpec& tensor) const {
    if (c10::isQIntType(tensor.dtype) || tensor.dtype == at::ScalarType::Undefined) {
      return Diagnostic{{}, fmt::format("a plain tensor of dtype {}", c10::toString(tensor.dtype))};
    }
    return CheckGeometry(tensor);
  }

  Status operator()(const QuantisedPerTensor& record) const { return CheckQuantised(record.tensor); }

  Status operator()(const QuantisedPerChannel& record) const {
    CULPRIT_TRY(CheckQuantised(record.tensor));
    const auto dimensions = static_cast<int64_t>(record.tensor.sizes.size());
    if (record.axis < 0 || record.axis >= dimensions) {
      return Diagnostic{
          {}, fmt::format("channels along axis {} of a tensor of {} dimensions", record.axis, dimensions)};
    }
    for (const TensorSpec* part : {&record.scales, &record.zero_points}) {
      CULPRIT_TRY((*this)(*part));
      const std::vector<int64_t> expected = {record.tensor.sizes[record.axis]};
      if (part->sizes != expected) {
        return Diagnostic{{},
                          fmt::format("scales or zero points of sizes ({}) for {} channels",
                                      fmt::join(part->sizes, ", "), expected[0])};
      }
    }
    return Done{};
  }

  // What the indices hold is checked when they are read.
  Status operator()(const SparseCoo& record) const {
    CULPRIT_TRY(CheckSizes(record.sizes));
    CULPRIT_TRY((*this)(record.indices));
    return (*this)(record.values);
  }

 private:
  Status CheckQuantised(const TensorSpec& tensor) const {
    if (tensor.dtype != at::kQInt8 && tensor.dtype != at::kQUInt8 && tensor.dtype != at::kQInt32) {
      return Diagnostic{{}, fmt::format("a quantised tensor of dtype {}", c10::toString(tensor.dtype))};
    }
    return CheckGeometry(tensor);
  }

  Status CheckGeometry(const TensorSpec& tensor) const {
    CULPRIT_TRY(CheckSizes(tensor.sizes));
    if (tensor.storage >= storages_.size()) {
      return Diagnostic{{}, fmt::format("a tensor on storage {} of {}", tensor.storage, storages_.size())};
    }
    if (tensor.strides.size() != tensor.sizes.size()) {
      return Diagnostic{
          {},
          fmt::format("a tensor with {} sizes and {} strides", tensor.sizes.size(), tensor.strides.size())};
    }
    const auto negative = [](int64_t stride) { return stride < 0; };
    if (tensor.offset < 0 || std::any_of(tensor.strides.begin(), tensor.strides.end(), negative)) {
      return Diagnostic{{}, "a tensor with a negative offset or stride"};
    }
    const int64_t bytes = storages_[tensor.storage].bytes;
    const std::optional<int64_t> reach = ReachOf(tensor);
    if (bytes < 0 || !reach || *reach > bytes) {
      return Diagnostic{
          {},
          fmt::format("a tensor of sizes ({}), strides ({}) and offset {} does not fit its "
                      "storage of {} bytes",
                      fmt::join(tensor.sizes, ", "), fmt::join(tensor.strides, ", "), tensor.offset, bytes)};
    }
    return Done{};
  }

  const std::vector<StorageSpec>& storages_;
};

}  // namespace

Status CheckGroup(const TensorGroup& group) {
  for (const TensorRecord& record : group.tensors) CULPRIT_TRY(std::visit(Checker(group), record));
  return Done{};
}

}  // namespace culprit::graph
