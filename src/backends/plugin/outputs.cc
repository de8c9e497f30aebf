// SPDX-License-Identifier: Apache-2.0
#include "backends/plugin/outputs.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace culprit::backends::plugin {
namespace {

// PyTorch's own kernels take no more.
constexpr int32_t kMostDimensions = 64;

template <typename... Args>
[[noreturn]] void Refuse(fmt::format_string<Args...> format, Args&&... args) {
  throw std::runtime_error(fmt::format(format, std::forward<Args>(args)...));
}

at::ScalarType CheckedDtype(int32_t dtype) {
  const bool is_number = dtype >= CULPRIT_UINT8 && dtype <= CULPRIT_BOOL;
  if (!is_number && dtype != CULPRIT_BFLOAT16) Refuse("{} is no dtype of an output", dtype);
  return static_cast<at::ScalarType>(dtype);
}

c10::IValue IntList(const CulpritArgument& list) {
  c10::List<int64_t> ints;
  for (uint32_t i = 0; i < list.length; ++i) {
    if (list.as.list[i].kind != CULPRIT_INT) Refuse("a list that is an output may hold integers only");
    ints.push_back(list.as.list[i].as.integer);
  }
  return ints;
}

c10::IValue ValueOf(const CulpritArgument& argument) {
  switch (argument.kind) {
    case CULPRIT_NONE:
      return {};
    case CULPRIT_INT:
    case CULPRIT_DTYPE:
    case CULPRIT_LAYOUT:
    case CULPRIT_MEMORY_FORMAT:
      return argument.as.integer;
    case CULPRIT_BOOLEAN:
      return argument.as.integer != 0;
    case CULPRIT_FLOAT:
      return argument.as.number;
    case CULPRIT_COMPLEX:
      return c10::complex<double>(argument.as.complex_number[0], argument.as.complex_number[1]);
    case CULPRIT_STRING:
      return std::string(argument.as.string, argument.length);
    case CULPRIT_LIST:
      return IntList(argument);
    default:
      Refuse("an argument of kind {} cannot be set as an output", argument.kind);
  }
}

}  // namespace

at::IntArrayRef CheckedShape(int32_t ndim, const int64_t* sizes) {
  if (ndim < 0 || ndim > kMostDimensions) Refuse("{} is no number of dimensions", ndim);
  const at::IntArrayRef shape(sizes, static_cast<size_t>(ndim));
  const auto negative = std::ranges::find_if(shape, [](int64_t size) { return size < 0; });
  if (negative != shape.end()) Refuse("{} is no size or stride", *negative);
  return shape;
}

std::optional<c10::IValue>& Outputs::Unmade(uint32_t output) {
  if (output >= made_.size()) Refuse("there is no output {}; the graph has {}", output, made_.size());
  if (made_[output]) Refuse("output {} is made twice", output);
  return made_[output];
}

void* Outputs::Allocate(uint32_t output, int32_t dtype, int32_t ndim, const int64_t* sizes,
                        const int64_t* strides) {
  std::optional<c10::IValue>& place = Unmade(output);
  const at::TensorOptions options = at::dtype(CheckedDtype(dtype)).device(at::kCPU);
  const at::IntArrayRef shape = CheckedShape(ndim, sizes);
  const at::Tensor tensor = strides == nullptr
                                ? at::empty(shape, options)
                                : at::empty_strided(shape, CheckedShape(ndim, strides), options);
  place = tensor;
  return tensor.numel() == 0 ? &nothing_ : tensor.data_ptr();
}

const at::Tensor& Outputs::Source(int32_t of, uint32_t index) const {
  const c10::IValue* source = nullptr;
  if (of == CULPRIT_SHARE_INPUT && index < inputs_.size()) source = &inputs_[index];
  if (of == CULPRIT_SHARE_OUTPUT && index < made_.size() && made_[index]) source = &*made_[index];
  if (source == nullptr || !source->isTensor())
    Refuse("there is no tensor to share as {} {}", of == CULPRIT_SHARE_INPUT ? "input" : "output", index);
  return source->toTensor();
}

void Outputs::ShareWhole(uint32_t output, int32_t of, uint32_t index) {
  std::optional<c10::IValue>& place = Unmade(output);
  place = Source(of, index);
}

void Outputs::Share(uint32_t output, int32_t of, uint32_t index, at::IntArrayRef sizes,
                    at::IntArrayRef strides, int64_t offset) {
  std::optional<c10::IValue>& place = Unmade(output);
  const at::Tensor& source = Source(of, index);
  place = source.as_strided(sizes, strides, source.storage_offset() + offset);
}

void Outputs::Set(uint32_t output, const CulpritArgument& value) {
  Unmade(output) = ValueOf(value);
}

backend::Values Outputs::Take() && {
  backend::Values values;
  for (size_t i = 0; i < made_.size(); ++i) {
    if (!made_[i]) Refuse("output {} of {} was never made", i, made_.size());
    values.push_back(*std::move(made_[i]));
  }
  return values;
}

}  // namespace culprit::backends::plugin
