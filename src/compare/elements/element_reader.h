// SPDX-License-Identifier: Apache-2.0
//
// Reads a tensor piece by piece as a flat sequence of doubles, whatever its dtype and strides are, so that
// the rules need one implementation and no converted copy of a whole tensor.
//
//   tensor                     read as
//   bool                       the bytes: a true that is not stored as 1 is a difference worth seeing
//   integers, floats           their value (64-bit ones beyond 2^53 are rounded; Int64At is exact)
//   complex                    two doubles per element: real part, imaginary part
//   conj and neg bits          applied
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace culprit::compare {

/// Whether tensors of this dtype can be read. Quantised ones have to be dequantised first.
bool IsReadable(c10::ScalarType dtype);

class ElementReader {
 public:
  /// A strided tensor in main memory, of a readable dtype.
  explicit ElementReader(at::Tensor tensor);

  const at::Tensor& tensor() const { return tensor_; }
  /// Doubles per element: 1 or, for complex dtypes, 2.
  int parts() const { return parts_; }

  /// All elements in one run of memory, ready to be used as they are if T is the dtype; otherwise null.
  template <typename T>
  const T* Contiguous() const {
    const bool is_direct = dims_.size() == 1 && dims_[0].stride == 1 && !tensor_.is_neg() &&
                           tensor_.scalar_type() == c10::CppTypeToScalarType<T>::value;
    return is_direct ? static_cast<const T*>(data_) : nullptr;
  }

  /// Elements [begin, begin + count) in row-major order.
  void Read(int64_t begin, int64_t count, double* out) const;

  /// For dtypes int64 and uint64; the latter's bits.
  int64_t Int64At(int64_t element) const;

 private:
  struct Dim {
    int64_t size;
    int64_t stride;
  };
  using Convert = void (*)(const char* from, int64_t stride, int64_t count, double* out);
  friend bool IsReadable(c10::ScalarType dtype);
  static Convert ConverterOf(c10::ScalarType dtype);

  int64_t OffsetOf(int64_t element) const;
  void ApplyBits(int64_t count, double* out) const;

  at::Tensor tensor_;
  const void* data_;
  Convert convert_;
  int64_t element_bytes_;
  int parts_;
  /// Neighbours that are one run of memory are merged; at least one.
  std::vector<Dim> dims_;
};

}  // namespace culprit::compare
