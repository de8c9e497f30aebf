// SPDX-License-Identifier: Apache-2.0
#include "graph/text/syntax/literal.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/internal_error.h"
#include "base/text.h"
#include "graph/text/syntax/string_literal.h"

namespace culprit::graph::text {
namespace {

template <typename T>
struct Named {
  T value;
  std::string_view name;
};

// The first name of a value is the one that is written.
constexpr std::array<Named<at::ScalarType>, 55> kDtypes = {{
    {at::kByte, "torch.uint8"},
    {at::kChar, "torch.int8"},
    {at::kShort, "torch.int16"},
    {at::kShort, "torch.short"},
    {at::kInt, "torch.int32"},
    {at::kInt, "torch.int"},
    {at::kLong, "torch.int64"},
    {at::kLong, "torch.long"},
    {at::kHalf, "torch.float16"},
    {at::kHalf, "torch.half"},
    {at::kFloat, "torch.float32"},
    {at::kFloat, "torch.float"},
    {at::kDouble, "torch.float64"},
    {at::kDouble, "torch.double"},
    {at::kComplexHalf, "torch.complex32"},
    {at::kComplexHalf, "torch.chalf"},
    {at::kComplexFloat, "torch.complex64"},
    {at::kComplexFloat, "torch.cfloat"},
    {at::kComplexDouble, "torch.complex128"},
    {at::kComplexDouble, "torch.cdouble"},
    {at::kBool, "torch.bool"},
    {at::kQInt8, "torch.qint8"},
    {at::kQUInt8, "torch.quint8"},
    {at::kQInt32, "torch.qint32"},
    {at::kBFloat16, "torch.bfloat16"},
    {at::kQUInt4x2, "torch.quint4x2"},
    {at::kQUInt2x4, "torch.quint2x4"},
    {at::ScalarType::UInt16, "torch.uint16"},
    {at::ScalarType::UInt32, "torch.uint32"},
    {at::ScalarType::UInt64, "torch.uint64"},
    {at::ScalarType::Float8_e5m2, "torch.float8_e5m2"},
    {at::ScalarType::Float8_e4m3fn, "torch.float8_e4m3fn"},
    {at::ScalarType::Float8_e5m2fnuz, "torch.float8_e5m2fnuz"},
    {at::ScalarType::Float8_e4m3fnuz, "torch.float8_e4m3fnuz"},
    {at::ScalarType::Float8_e8m0fnu, "torch.float8_e8m0fnu"},
    {at::ScalarType::Float4_e2m1fn_x2, "torch.float4_e2m1fn_x2"},
    {at::ScalarType::UInt1, "torch.uint1"},
    {at::ScalarType::UInt2, "torch.uint2"},
    {at::ScalarType::UInt3, "torch.uint3"},
    {at::ScalarType::UInt4, "torch.uint4"},
    {at::ScalarType::UInt5, "torch.uint5"},
    {at::ScalarType::UInt6, "torch.uint6"},
    {at::ScalarType::UInt7, "torch.uint7"},
    {at::ScalarType::Int1, "torch.int1"},
    {at::ScalarType::Int2, "torch.int2"},
    {at::ScalarType::Int3, "torch.int3"},
    {at::ScalarType::Int4, "torch.int4"},
    {at::ScalarType::Int5, "torch.int5"},
    {at::ScalarType::Int6, "torch.int6"},
    {at::ScalarType::Int7, "torch.int7"},
    {at::ScalarType::Bits1x8, "torch.bits1x8"},
    {at::ScalarType::Bits2x4, "torch.bits2x4"},
    {at::ScalarType::Bits4x2, "torch.bits4x2"},
    {at::ScalarType::Bits8, "torch.bits8"},
    {at::ScalarType::Bits16, "torch.bits16"},
}};

constexpr std::array<Named<at::Layout>, 7> kLayouts = {{
    {at::kStrided, "torch.strided"},
    {at::kSparse, "torch.sparse_coo"},
    {at::kSparseCsr, "torch.sparse_csr"},
    {at::kSparseCsc, "torch.sparse_csc"},
    {at::kSparseBsr, "torch.sparse_bsr"},
    {at::kSparseBsc, "torch.sparse_bsc"},
    {at::kMkldnn, "torch._mkldnn"},
}};

constexpr std::array<Named<at::MemoryFormat>, 4> kMemoryFormats = {{
    {at::MemoryFormat::Contiguous, "torch.contiguous_format"},
    {at::MemoryFormat::Preserve, "torch.preserve_format"},
    {at::MemoryFormat::ChannelsLast, "torch.channels_last"},
    {at::MemoryFormat::ChannelsLast3d, "torch.channels_last_3d"},
}};

template <typename T, size_t n>
std::string_view FindName(const std::array<Named<T>, n>& table, T value) {
  for (const auto& row : table) {
    if (row.value == value) return row.name;
  }
  return {};
}

template <typename T, size_t n>
std::optional<T> FindValue(const std::array<Named<T>, n>& table, std::string_view name) {
  for (const auto& row : table) {
    if (row.name == name) return row.value;
  }
  return std::nullopt;
}

std::string WithoutUnderscores(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (c != '_') digits += c;
  }
  return digits;
}

}  // namespace

std::string_view NameOf(at::ScalarType dtype) {
  return FindName(kDtypes, dtype);
}
std::string_view NameOf(at::Layout layout) {
  return FindName(kLayouts, layout);
}
std::string_view NameOf(at::MemoryFormat format) {
  return FindName(kMemoryFormats, format);
}
std::optional<at::ScalarType> DtypeFromName(std::string_view name) {
  return FindValue(kDtypes, name);
}

std::string UnknownDtype(std::string_view name) {
  std::vector<std::string_view> known;
  known.reserve(std::size(kDtypes));
  for (const auto& row : kDtypes) known.push_back(row.name);
  return fmt::format("unknown dtype '{}'{}", base::Printable(name), base::DidYouMean(name, known));
}

std::optional<at::Layout> LayoutFromName(std::string_view name) {
  return FindValue(kLayouts, name);
}
std::optional<at::MemoryFormat> MemoryFormatFromName(std::string_view name) {
  return FindValue(kMemoryFormats, name);
}

std::optional<at::Device> DeviceFromText(std::string_view text) {
  if (text.empty() || text.size() > 40) return std::nullopt;
  try {
    return at::Device(std::string(text));
  } catch (const std::exception&) {  // not only c10::Error: an index beyond an int is std::out_of_range
    return std::nullopt;
  }
}

std::optional<int64_t> IntFromText(std::string_view text, bool negative) {
  std::string digits = WithoutUnderscores(text);
  int base = 10;
  if (digits.size() > 2 && digits[0] == '0') {
    const char letter = static_cast<char>(digits[1] | 0x20);
    base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
    if (base != 10) digits.erase(0, 2);
  }
  if (negative) digits.insert(0, "-");
  int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<double> FloatFromText(std::string_view text) {
  const std::string digits = WithoutUnderscores(text);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end != digits.data() + digits.size()) return std::nullopt;
  // from_chars does not say whether the number is too large or too small.
  if (error == std::errc::result_out_of_range) return std::strtod(digits.c_str(), nullptr);
  if (error != std::errc()) return std::nullopt;
  return value;
}

std::string FloatToText(double value) {
  if (std::isnan(value)) return "float('nan')";
  if (std::isinf(value)) return value > 0 ? "float('inf')" : "-float('inf')";
  std::string text = fmt::format("{}", value);
  const bool looks_like_int = text.find_first_of(".e") == std::string::npos;
  return looks_like_int ? text + ".0" : text;
}

std::string ComplexToText(c10::complex<double> value) {
  return fmt::format("complex({}, {})", FloatToText(value.real()), FloatToText(value.imag()));
}

std::string ConstantToText(const c10::IValue& constant) {
  if (constant.isNone()) return "None";
  if (constant.isBool()) return constant.toBool() ? "True" : "False";
  if (constant.isInt()) return std::to_string(constant.toInt());
  if (constant.isDouble()) return FloatToText(constant.toDouble());
  if (constant.isComplexDouble()) return ComplexToText(constant.toComplexDouble());
  if (constant.isString()) return StringToText(constant.toStringRef());
  CULPRIT_CHECK(constant.isDevice(), "a {} is no constant of a graph", constant.tagKind());
  return fmt::format("torch.device('{}')", constant.toDevice().str());
}

}  // namespace culprit::graph::text
