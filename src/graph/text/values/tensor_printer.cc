// SPDX-License-Identifier: Apache-2.0
#include "graph/text/values/tensor_printer.h"

#include <ATen/ops/full_like.h>
#include <ATen/ops/view_as_real.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstring>

#include "graph/tensors/dtypes.h"
#include "graph/tensors/input_spec.h"
#include "graph/tensors/recognise_seeded.h"
#include "graph/text/syntax/literal.h"
#include "graph/text/values/seeded_numbers.h"
#include "graph/text/values/stored_bytes.h"

namespace culprit::graph::text {
namespace {

std::string Tuple(const std::vector<int64_t>& values) {
  return fmt::format("({}{})", fmt::join(values, ", "), values.size() == 1 ? "," : "");
}

// A float32 is read as a double first, so the shortest text for it as a float is used only if that gives it
// back.
std::string Float32ToText(float value) {
  if (!std::isfinite(value)) return FloatToText(value);
  const std::string shortest = fmt::format("{}", value);
  const std::optional<double> read = FloatFromText(shortest.starts_with('-') ? shortest.substr(1) : shortest);
  const bool exact = read && static_cast<float>(*read) == std::abs(value);
  if (!exact) return FloatToText(value);
  return shortest.find_first_of(".e") == std::string::npos ? shortest + ".0" : shortest;
}

// The elements that the tensor's storage holds from its first to its last one, as a contiguous vector.
at::Tensor ReachedElements(const at::Tensor& tensor) {
  const int64_t count = graph::ReachedElements(tensor.sizes(), tensor.strides(), /*offset=*/0).value();
  return tensor.as_strided({count}, {1}, tensor.storage_offset());
}

std::string Elements(const at::Tensor& flat) {
  fmt::memory_buffer out;
  const auto append = [&](const std::string& text) {
    fmt::format_to(std::back_inserter(out), "{}{}", out.size() > 0 ? ", " : "", text);
  };
  const int64_t count = flat.numel();
  if (flat.is_complex()) {
    const at::Tensor values = flat.to(at::kComplexDouble);
    for (int64_t i = 0; i < count; ++i) append(ComplexToText(values.data_ptr<c10::complex<double>>()[i]));
  } else if (flat.scalar_type() == at::kDouble) {
    for (int64_t i = 0; i < count; ++i) append(FloatToText(flat.data_ptr<double>()[i]));
  } else if (flat.is_floating_point()) {
    const at::Tensor values = flat.to(at::kFloat);
    for (int64_t i = 0; i < count; ++i) append(Float32ToText(values.data_ptr<float>()[i]));
  } else if (flat.scalar_type() == at::kBool) {
    for (int64_t i = 0; i < count; ++i) append(flat.data_ptr<bool>()[i] ? "True" : "False");
  } else {
    const at::Tensor values = flat.to(at::kLong);
    for (int64_t i = 0; i < count; ++i) append(std::to_string(values.data_ptr<int64_t>()[i]));
  }
  return fmt::to_string(out);
}

// An expression for a vector, and whether it has no dimension at all.
struct DataText {
  std::string text;
  bool is_scalar = false;
};

DataText DataToText(const at::Tensor& flat, const TensorConstant& constant, const StorageContents& contents) {
  const at::ScalarType dtype = flat.scalar_type();
  const std::string device = constant.device.is_cpu() ? "" : fmt::format(".to('{}')", constant.device.str());
  if (const auto* stored = std::get_if<StoredBytes>(&contents)) {
    const std::string text = StoredToText(*stored, static_cast<int64_t>(flat.nbytes()));
    return {fmt::format("{}.view({}){}", text, NameOf(dtype), device)};
  }
  if (const auto* seeded = std::get_if<SeededNumbers>(&contents)) {
    const std::string view = seeded->dtype == dtype ? "" : fmt::format(".view({})", NameOf(dtype));
    return {SeededToText(*seeded) + view + device};
  }
  const std::string suffix =
      constant.device.is_cpu() ? ")" : fmt::format(", device='{}')", constant.device.str());
  if (const std::optional<int> number = RecogniseConstant(flat)) {
    return {fmt::format("torch.{}({}, dtype={}{}", *number == 0 ? "zeros" : "ones", flat.numel(),
                        NameOf(dtype), suffix)};
  }
  const bool as_bits = IsWrittenAsBits(flat);
  const at::ScalarType written_dtype = as_bits ? IntOfSameSize(dtype) : dtype;
  const std::string elements = Elements(as_bits ? flat.view(written_dtype) : flat);
  const bool scalar = constant.tensor.dim() == 0 && !as_bits;
  std::string text = fmt::format("torch.tensor({}, dtype={}",
                                 scalar ? elements : fmt::format("[{}]", elements), NameOf(written_dtype));
  text += suffix;
  if (as_bits) text += fmt::format(".view({})", NameOf(dtype));
  return {std::move(text), scalar};
}

}  // namespace

bool IsWrittenAsBits(const at::Tensor& flat) {
  if (!HoldsNumbers(flat.scalar_type())) return true;
  // No literal is larger than an int64.
  if (flat.scalar_type() == at::kUInt64) return flat.view(at::kLong).lt(0).any().item<bool>();
  if (!flat.is_floating_point() && !flat.is_complex()) return false;
  const at::Tensor real = flat.is_complex() ? at::view_as_real(flat).reshape({-1}) : flat;
  const at::Tensor nans = real.masked_select(real.isnan());
  if (nans.numel() == 0) return false;
  const at::Tensor usual = at::full_like(nans, std::numeric_limits<double>::quiet_NaN());
  return std::memcmp(nans.data_ptr(), usual.data_ptr(), nans.nbytes()) != 0;
}

at::ScalarType IntOfSameSize(at::ScalarType dtype) {
  switch (c10::elementSize(dtype)) {
    case 1:
      return at::kByte;
    case 2:
      return at::kShort;
    case 4:
      return at::kInt;
    default:
      return at::kLong;
  }
}

base::Result<std::string> TensorToText(const TensorConstant& constant, const StorageContents& contents) {
  const at::Tensor tensor = constant.tensor.detach().resolve_conj().resolve_neg();
  if (tensor.layout() != at::kStrided || tensor.is_quantized() || !tensor.device().is_cpu()) {
    return base::Diagnostic{
        {}, "a constant that is sparse, quantised or not on the CPU cannot be written as text"};
  }
  const std::vector<int64_t> sizes = tensor.sizes().vec();
  at::Tensor flat = ReachedElements(tensor).contiguous();
  if (std::holds_alternative<InlineNumbers>(contents)) {
    const auto bytes = static_cast<int64_t>(flat.nbytes());
    flat = CULPRIT_TRY(MakeContents(contents, bytes, nullptr)).view(flat.scalar_type());
  }
  auto [text, is_scalar] = DataToText(flat, constant, contents);
  const bool is_vector = sizes == std::vector{flat.numel()};
  if (tensor.strides().vec() != ContiguousStrides(sizes)) {
    text += fmt::format(".as_strided({}, {})", Tuple(sizes), Tuple(tensor.strides().vec()));
  } else if (!is_scalar && !is_vector) {
    text += fmt::format(".reshape({})", Tuple(sizes));
  }
  return std::move(text);
}

}  // namespace culprit::graph::text
