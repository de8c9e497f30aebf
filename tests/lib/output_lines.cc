// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/output_lines.h"

#include <ATen/core/Tensor.h>
#include <fmt/format.h>
#include <fmt/printf.h>
#include <fmt/ranges.h>

#include <string_view>

namespace culprit::tests {
namespace {

uint64_t Fnv1a(std::string_view bytes) {
  uint64_t hash = 14695981039346656037U;
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 1099511628211U;
  }
  return hash;
}

std::string ElementText(const at::Tensor& element) {
  if (element.is_complex()) {
    const auto value = element.item().toComplexDouble();
    return fmt::sprintf("(%.17g,%.17g)", value.real(), value.imag());
  }
  if (element.scalar_type() == at::kDouble) return fmt::sprintf("%.17g", element.item<double>());
  if (element.is_floating_point()) return fmt::sprintf("%.9g", element.item<double>());
  return std::to_string(element.item<int64_t>());
}

std::string TensorLine(const std::string& name, const at::Tensor& tensor) {
  if (tensor.is_sparse())
    return TensorLine(name + ".indices", tensor._indices()) + TensorLine(name + ".values", tensor._values());
  const at::Tensor plain = tensor.is_quantized() ? tensor.int_repr() : tensor.resolve_conj().resolve_neg();
  const at::Tensor flat = plain.contiguous().reshape({plain.numel()});
  const std::string_view bytes(static_cast<const char*>(flat.data_ptr()), flat.nbytes());
  std::string line = fmt::format("{}: {} [{}] {:016x}:", name, c10::toString(tensor.scalar_type()),
                                 fmt::join(tensor.sizes().vec(), ", "), Fnv1a(bytes));
  for (int64_t i = 0; i < 8 && i < flat.numel(); ++i) line += " " + ElementText(flat[i]);
  line += "\n";
  if (tensor.is_quantized()) line += TensorLine(name + ".dequantized", tensor.dequantize());
  return line;
}

std::string Lines(const std::string& name, const c10::IValue& value) {
  if (value.isTensor() && value.toTensor().defined()) return TensorLine(name, value.toTensor().detach());
  if (value.isInt()) return fmt::format("{}: int {}\n", name, value.toInt());
  if (value.isDouble()) return fmt::sprintf("%s: float %.17g\n", name, value.toDouble());
  if (value.isBool()) return fmt::format("{}: bool {:d}\n", name, value.toBool());
  if (!value.isList()) return fmt::format("{}: None\n", name);
  std::string text;
  for (size_t i = 0; i < value.toListRef().size(); ++i)
    text += Lines(fmt::format("{}.{}", name, i), value.toListRef()[i]);
  return text;
}

}  // namespace

std::string OutputLines(const std::vector<c10::IValue>& outputs) {
  std::string text;
  for (size_t i = 0; i < outputs.size(); ++i) text += Lines(fmt::format("output {}", i), outputs[i]);
  return text;
}

}  // namespace culprit::tests
