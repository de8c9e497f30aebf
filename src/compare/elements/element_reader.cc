// SPDX-License-Identifier: Apache-2.0
#include "compare/elements/element_reader.h"

#include <c10/core/ScalarType.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex.h>

#include "base/internal_error.h"

namespace culprit::compare {
namespace {

template <typename T>
void ConvertReal(const char* from, int64_t stride, int64_t count, double* out) {
  const T* values = reinterpret_cast<const T*>(from);
  if (stride == 1) {
    for (int64_t i = 0; i < count; ++i) out[i] = static_cast<double>(values[i]);
  } else {
    for (int64_t i = 0; i < count; ++i) out[i] = static_cast<double>(values[i * stride]);
  }
}

template <typename T>
void ConvertComplex(const char* from, int64_t stride, int64_t count, double* out) {
  const T* parts = reinterpret_cast<const T*>(from);
  for (int64_t i = 0; i < count; ++i) {
    out[2 * i] = static_cast<double>(parts[2 * i * stride]);
    out[2 * i + 1] = static_cast<double>(parts[2 * i * stride + 1]);
  }
}

}  // namespace

ElementReader::Convert ElementReader::ConverterOf(c10::ScalarType dtype) {
  switch (dtype) {
    case c10::ScalarType::Bool:
    case c10::ScalarType::Byte:
      return ConvertReal<uint8_t>;
    case c10::ScalarType::Char:
      return ConvertReal<int8_t>;
    case c10::ScalarType::Short:
      return ConvertReal<int16_t>;
    case c10::ScalarType::Int:
      return ConvertReal<int32_t>;
    case c10::ScalarType::Long:
      return ConvertReal<int64_t>;
    case c10::ScalarType::UInt16:
      return ConvertReal<uint16_t>;
    case c10::ScalarType::UInt32:
      return ConvertReal<uint32_t>;
    case c10::ScalarType::UInt64:
      return ConvertReal<uint64_t>;
    case c10::ScalarType::Float8_e5m2:
      return ConvertReal<c10::Float8_e5m2>;
    case c10::ScalarType::Float8_e4m3fn:
      return ConvertReal<c10::Float8_e4m3fn>;
    case c10::ScalarType::Float8_e5m2fnuz:
      return ConvertReal<c10::Float8_e5m2fnuz>;
    case c10::ScalarType::Float8_e4m3fnuz:
      return ConvertReal<c10::Float8_e4m3fnuz>;
    case c10::ScalarType::Float8_e8m0fnu:
      return ConvertReal<c10::Float8_e8m0fnu>;
    case c10::ScalarType::Half:
      return ConvertReal<c10::Half>;
    case c10::ScalarType::BFloat16:
      return ConvertReal<c10::BFloat16>;
    case c10::ScalarType::Float:
      return ConvertReal<float>;
    case c10::ScalarType::Double:
      return ConvertReal<double>;
    case c10::ScalarType::ComplexHalf:
      return ConvertComplex<c10::Half>;
    case c10::ScalarType::ComplexFloat:
      return ConvertComplex<float>;
    case c10::ScalarType::ComplexDouble:
      return ConvertComplex<double>;
    default:
      return nullptr;
  }
}

bool IsReadable(c10::ScalarType dtype) {
  return ElementReader::ConverterOf(dtype) != nullptr;
}

ElementReader::ElementReader(at::Tensor tensor)
    : tensor_(std::move(tensor)),
      data_(tensor_.data_ptr()),
      convert_(ConverterOf(tensor_.scalar_type())),
      element_bytes_(static_cast<int64_t>(tensor_.element_size())),
      parts_(tensor_.is_complex() ? 2 : 1) {
  CULPRIT_CHECK(convert_ != nullptr, "dtype {}", c10::toString(tensor_.scalar_type()));
  for (int64_t i = 0; i < tensor_.dim(); ++i) {
    const Dim dim{tensor_.size(i), tensor_.stride(i)};
    if (dim.size == 1) continue;
    if (!dims_.empty() && dims_.back().stride == dim.size * dim.stride) {
      dims_.back() = {dims_.back().size * dim.size, dim.stride};
    } else {
      dims_.push_back(dim);
    }
  }
  if (dims_.empty()) dims_.push_back({1, 1});
}

int64_t ElementReader::OffsetOf(int64_t element) const {
  int64_t offset = 0;
  for (size_t i = dims_.size(); i-- > 0;) {
    offset += element % dims_[i].size * dims_[i].stride;
    element /= dims_[i].size;
  }
  return offset;
}

void ElementReader::Read(int64_t begin, int64_t count, double* out) const {
  const Dim& inner = dims_.back();
  double* next = out;
  for (int64_t left = count; left > 0;) {
    const int64_t run = std::min(left, inner.size - begin % inner.size);
    convert_(static_cast<const char*>(data_) + OffsetOf(begin) * element_bytes_, inner.stride, run, next);
    begin += run;
    left -= run;
    next += run * parts_;
  }
  ApplyBits(count, out);
}

void ElementReader::ApplyBits(int64_t count, double* out) const {
  if (tensor_.is_neg()) {
    for (int64_t i = 0; i < count * parts_; ++i) out[i] = -out[i];
  }
  if (tensor_.is_conj()) {
    for (int64_t i = 1; i < count * parts_; i += 2) out[i] = -out[i];
  }
}

int64_t ElementReader::Int64At(int64_t element) const {
  return static_cast<const int64_t*>(data_)[OffsetOf(element)];
}

}  // namespace culprit::compare
