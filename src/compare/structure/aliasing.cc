// SPDX-License-Identifier: Apache-2.0
#include "compare/structure/aliasing.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>
#include <utility>

namespace culprit::compare {
namespace {

/// Indices of two tensors, the smaller first.
using Sharing = std::set<std::pair<size_t, size_t>>;

struct Stretch {
  size_t tensor;
  int64_t begin;
  int64_t end;
};

int64_t ReachedElements(const at::Tensor& tensor) {
  int64_t last = 0;
  for (int64_t i = 0; i < tensor.dim(); ++i) last += (tensor.size(i) - 1) * tensor.stride(i);
  return last + 1;
}

bool HasMemory(const at::Tensor& tensor) {
  return tensor.defined() && tensor.layout() == at::kStrided && tensor.has_storage() && tensor.numel() > 0;
}

Sharing FindSharing(const std::vector<TensorPair>& pairs, at::Tensor TensorPair::*side) {
  std::unordered_map<const c10::StorageImpl*, std::vector<Stretch>> by_storage;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const at::Tensor& tensor = pairs[i].*side;
    if (!HasMemory(tensor)) continue;
    const auto bytes = static_cast<int64_t>(tensor.element_size());
    const int64_t begin = tensor.storage_offset() * bytes;
    by_storage[tensor.storage().unsafeGetStorageImpl()].push_back(
        {i, begin, begin + ReachedElements(tensor) * bytes});
  }
  Sharing sharing;
  for (const auto& [storage, stretches] : by_storage) {
    for (const Stretch& a : stretches) {
      for (const Stretch& b : stretches) {
        if (a.tensor < b.tensor && a.begin < b.end && b.begin < a.end) sharing.emplace(a.tensor, b.tensor);
      }
    }
  }
  return sharing;
}

}  // namespace

std::vector<Mismatch> CompareAliasing(const std::vector<TensorPair>& pairs) {
  const Sharing reference = FindSharing(pairs, &TensorPair::reference);
  const Sharing result = FindSharing(pairs, &TensorPair::result);
  Sharing differing;
  std::set_symmetric_difference(reference.begin(), reference.end(), result.begin(), result.end(),
                                std::inserter(differing, differing.end()));
  std::vector<Mismatch> mismatches;
  for (const auto& pair : differing) {
    const bool in_reference = reference.contains(pair);
    mismatches.push_back(
        {MismatchKind::kAliasing, pairs[pair.second].path,
         fmt::format("shares memory with {} in the {}, but not in the {}", pairs[pair.first].path,
                     in_reference ? "reference" : "result", in_reference ? "result" : "reference")});
  }
  return mismatches;
}

}  // namespace culprit::compare
