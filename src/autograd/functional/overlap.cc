// SPDX-License-Identifier: Apache-2.0
#include "autograd/functional/overlap.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

namespace culprit::autograd {
namespace {

struct Dimension {
  int64_t stride = 0;
  int64_t size = 0;
};

std::vector<Dimension> DimensionsOf(const at::Tensor& tensor) {
  std::vector<Dimension> dimensions;
  for (int64_t d = 0; d < tensor.dim(); ++d) dimensions.push_back({tensor.stride(d), tensor.size(d)});
  return dimensions;
}

/// From the last place of the smaller dimensions to the first one behind it.
bool MayCollide(std::vector<Dimension> dimensions) {
  std::ranges::sort(dimensions, {}, &Dimension::stride);
  int64_t reach = 0;
  for (const Dimension& dimension : dimensions) {
    if (dimension.size <= 1) continue;
    if (dimension.stride <= reach) return true;
    reach += dimension.stride * (dimension.size - 1);
  }
  return false;
}

int64_t LastPlaceOf(const at::Tensor& tensor) {
  int64_t last = tensor.storage_offset();
  for (int64_t d = 0; d < tensor.dim(); ++d) last += tensor.stride(d) * (tensor.size(d) - 1);
  return last;
}

}  // namespace

bool MayOverlapItself(const at::Tensor& tensor) {
  return tensor.numel() > 0 && MayCollide(DimensionsOf(tensor));
}

bool LieInOnePlace(const at::Tensor& a, const at::Tensor& b) {
  return a.storage().is_alias_of(b.storage()) && a.numel() > 0 && a.storage_offset() == b.storage_offset() &&
         a.sizes() == b.sizes() && a.strides() == b.strides() && a.itemsize() == b.itemsize();
}

bool MayOverlap(const at::Tensor& written, const at::Tensor& read) {
  if (!written.storage().is_alias_of(read.storage()) || written.numel() == 0 || read.numel() == 0)
    return false;
  // Places are counted in elements.
  if (written.itemsize() != read.itemsize()) return true;
  const int64_t distance = std::abs(written.storage_offset() - read.storage_offset());
  if (LieInOnePlace(written, read)) return false;
  if (LastPlaceOf(written) < read.storage_offset() || LastPlaceOf(read) < written.storage_offset())
    return false;
  if (written.strides() != read.strides() || distance == 0) return true;
  // Both are parts of one tensor that has a dimension more.
  std::vector<Dimension> both = DimensionsOf(written);
  for (size_t d = 0; d < both.size(); ++d)
    both[d].size = std::max(both[d].size, read.size(static_cast<int64_t>(d)));
  both.push_back({distance, 2});
  return MayCollide(std::move(both));
}

}  // namespace culprit::autograd
