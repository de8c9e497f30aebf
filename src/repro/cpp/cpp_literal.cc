// SPDX-License-Identifier: Apache-2.0
#include "repro/cpp/cpp_literal.h"

#include <c10/util/StringUtil.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>

#include "base/internal_error.h"
#include "graph/tensors/recognise_seeded.h"
#include "graph/text/values/tensor_printer.h"

namespace culprit::repro {
namespace {

using graph::SlotKind;

template <typename T>
std::string FloatText(T value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0 ? "INFINITY" : "-INFINITY";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

// Empty if the number stands for nothing of this kind.
std::string EnumText(int64_t number, SlotKind kind) {
  if (number < 0) return {};
  if (kind == SlotKind::kDtype && number < static_cast<int64_t>(at::ScalarType::Undefined))
    return CppDtype(static_cast<at::ScalarType>(number));
  if (kind == SlotKind::kLayout && number < static_cast<int64_t>(at::Layout::NumOptions))
    return "at::Layout::" + c10::str(static_cast<at::Layout>(number));
  if (kind == SlotKind::kMemoryFormat && number < static_cast<int64_t>(at::MemoryFormat::NumOptions))
    return "at::MemoryFormat::" + c10::str(static_cast<at::MemoryFormat>(number));
  return {};
}

template <typename T, typename Write>
std::string Elements(const at::Tensor& flat, const Write& write) {
  std::vector<std::string> texts;
  for (int64_t i = 0; i < flat.numel(); ++i) texts.push_back(write(flat.data_ptr<T>()[i]));
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

std::string CppDtype(at::ScalarType dtype) {
  return fmt::format("at::k{}", c10::toString(dtype));
}

std::string CppFloat(double value) {
  return FloatText(value);
}

std::string CppFloat(float value) {
  return FloatText(value) + (std::isfinite(value) ? "F" : "");
}

std::string CppInt(int64_t value) {
  if (value == std::numeric_limits<int64_t>::min()) return "std::numeric_limits<int64_t>::min()";
  return std::to_string(value);
}

std::string CppInts(const std::vector<int64_t>& values) {
  return fmt::format("{{{}}}", fmt::join(values, ", "));
}

std::string CppString(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      literal += {'\\', c};
    } else if (c < ' ' || c > '~' || c == '?') {
      // Three octal digits end by themselves, unlike hexadecimal ones. Question marks could be trigraphs.
      literal += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    } else {
      literal += c;
    }
  }
  literal += "\"";
  return text.find('\0') == std::string_view::npos ? literal
                                                   : fmt::format("std::string({}, {})", literal, text.size());
}

std::string CppConstant(const c10::IValue& constant, SlotKind kind) {
  if (constant.isNone()) return "None";
  if (constant.isBool()) return constant.toBool() ? "true" : "false";
  if (constant.isDouble()) return CppFloat(constant.toDouble());
  if (constant.isString()) return CppString(constant.toStringRef());
  if (constant.isDevice()) return fmt::format("c10::Device(\"{}\")", constant.toDevice().str());
  if (constant.isComplexDouble()) {
    const c10::complex<double> number = constant.toComplexDouble();
    return fmt::format("c10::complex<double>({}, {})", CppFloat(number.real()), CppFloat(number.imag()));
  }
  CULPRIT_CHECK(constant.isInt(), "a constant of type {}", constant.tagKind());
  const std::string name = EnumText(constant.toInt(), kind);
  return name.empty() ? CppInt(constant.toInt()) : name;
}

std::string CppNumbers(const at::Tensor& flat) {
  const auto with = [](std::string_view type, at::ScalarType dtype, const std::string& elements) {
    return fmt::format("Numbers<{}>({}, {{{}}})", type, CppDtype(dtype), elements);
  };
  if (graph::text::IsWrittenAsBits(flat))
    return CppNumbers(flat.view(graph::text::IntOfSameSize(flat.scalar_type())));
  const at::ScalarType dtype = flat.scalar_type();
  if (const std::optional<int> number = graph::RecogniseConstant(flat))
    return fmt::format("at::full({{{}}}, {}, {})", flat.numel(), *number, CppDtype(dtype));
  if (dtype == at::kDouble)
    return with("double", dtype, Elements<double>(flat, [](double x) { return CppFloat(x); }));
  if (c10::isFloatingType(dtype))
    return with("float", dtype, Elements<float>(flat.to(at::kFloat), [](float x) { return CppFloat(x); }));
  if (dtype == at::kBool)
    return with("bool", dtype,
                Elements<bool>(flat, [](bool x) { return std::string(x ? "true" : "false"); }));
  return with("int64_t", dtype, Elements<int64_t>(flat.to(at::kLong), CppInt));
}

}  // namespace culprit::repro
