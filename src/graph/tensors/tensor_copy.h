// SPDX-License-Identifier: Apache-2.0
//
// Exact copies of tensors: same strides, offset, memory format and bits, addresses that are aligned alike,
// and tensors that share memory share it in the copies too. at::Tensor::clone() promises none of that.
//
//   base = [0 1 2 3], view = base[1:3]   =>   copies in which writing the base is still seen in the view
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <unordered_map>
#include <vector>

namespace culprit::graph {

/// Whether the tensor is nothing but sizes, strides and an offset over a storage. Sparse, quantised and other
/// tensors are not; they are copied one by one, with clone().
bool IsPlain(const at::Tensor& tensor);

/// How a plain tensor lies on its storage.
struct Geometry {
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
  int64_t offset = 0;
  at::ScalarType dtype = at::kFloat;
  bool conjugated = false;
  bool negated = false;

  static Geometry Of(const at::Tensor& tensor);
  bool operator==(const Geometry&) const = default;
};

/// How many bytes of a storage the geometry reaches; 0 for a tensor without elements.
size_t ReachedBytes(const Geometry& geometry);

/// The tensor that lies so on this storage; it shares the memory, and knows nothing of autograd.
at::Tensor TensorOn(const c10::Storage& storage, const Geometry& geometry);

/// Kernels take other paths for aligned memory, so a copy in main memory has the same address modulo this: a
/// line of the cache, the widest vector.
constexpr size_t kKeptAlignment = 64;

c10::Storage CopyStorage(const c10::Storage& storage);

/// Copies any number of values; keeps track of which storages were copied already.
class TensorCopies {
 public:
  at::Tensor Copy(const at::Tensor& tensor);
  /// Copies the tensors in the value, wherever they are (graph/tensors/map_tensors.h), and the state of
  /// generators.
  c10::IValue Copy(const c10::IValue& value);

 private:
  std::unordered_map<const c10::StorageImpl*, c10::Storage> copies_;
};

std::vector<c10::IValue> CopyAll(const std::vector<c10::IValue>& values);

}  // namespace culprit::graph
