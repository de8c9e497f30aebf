// SPDX-License-Identifier: Apache-2.0
#include "graph/text/inputs/annotated_inputs.h"

#include "graph/text/syntax/call_view.h"
#include "graph/text/syntax/statement.h"
#include "graph/text/values/size_expression.h"

namespace culprit::graph::text {
namespace {

using base::Result;

struct Abbreviation {
  std::string_view name;
  at::ScalarType dtype;
};

constexpr Abbreviation kDtypes[] = {
    {"u8", at::kByte},
    {"i8", at::kChar},
    {"i16", at::kShort},
    {"i32", at::kInt},
    {"i64", at::kLong},
    {"f16", at::kHalf},
    {"f32", at::kFloat},
    {"f64", at::kDouble},
    {"c32", at::kComplexHalf},
    {"c64", at::kComplexFloat},
    {"c128", at::kComplexDouble},
    {"b8", at::kBool},
    {"bf16", at::kBFloat16},
    {"u16", at::kUInt16},
    {"u32", at::kUInt32},
    {"u64", at::kUInt64},
    {"f8e5m2", at::kFloat8_e5m2},
    {"f8e4m3fn", at::kFloat8_e4m3fn},
    {"f8e5m2fnuz", at::kFloat8_e5m2fnuz},
    {"f8e4m3fnuz", at::kFloat8_e4m3fnuz},
    {"f8e8m0fnu", at::kFloat8_e8m0fnu},
};

std::optional<at::ScalarType> DtypeFromAbbreviation(std::string_view name) {
  for (const Abbreviation& row : kDtypes) {
    if (row.name == name) return row.dtype;
  }
  return std::nullopt;
}

/// Takes "[2, s0]" from the front of the text.
std::optional<std::vector<int64_t>> TakeSizes(std::string_view& text, const Symbols& symbols) {
  const size_t end = text.find(']');
  if (!text.starts_with('[') || end == std::string_view::npos) return std::nullopt;
  std::string_view list = text.substr(1, end - 1);
  text.remove_prefix(end + 1);
  std::vector<int64_t> sizes;
  while (!list.empty()) {
    const size_t comma = std::min(list.find(", "), list.size());
    const std::optional<int64_t> size = SizeFromText(list.substr(0, comma), symbols);
    if (!size || *size < 0) return std::nullopt;
    sizes.push_back(*size);
    list.remove_prefix(std::min(comma + 2, list.size()));
  }
  return sizes;
}

class AnnotationReader {
 public:
  AnnotationReader(const Source& source, const Symbols& symbols) : source_(source), symbols_(symbols) {}

  /// False if the annotation does not describe an input.
  bool Add(const Parameter& parameter) {
    std::string_view text = parameter.annotation;
    if (text.starts_with("Sym(") && text.ends_with(")")) {
      text = text.substr(4, text.size() - 5);
      const std::optional<int64_t> value = SizeFromText(text, symbols_);
      if (value) specs_.inputs.emplace_back(IntSpec{*value, ""});
      return value.has_value();
    }
    return AddTensor(text, parameter.offset);
  }

  InputSpecs& specs() { return specs_; }

 private:
  bool AddTensor(std::string_view text, size_t offset) {
    const size_t bracket = std::min(text.find('['), text.size());
    const std::optional<at::ScalarType> dtype = DtypeFromAbbreviation(text.substr(0, bracket));
    text.remove_prefix(bracket);
    std::optional<std::vector<int64_t>> sizes = TakeSizes(text, symbols_);
    if (!dtype || !sizes) return false;
    TensorSpec tensor{
        .storage = specs_.storages.size(), .sizes = *std::move(sizes), .dtype = *dtype, .is_leaf = true};
    tensor.strides = ContiguousStrides(tensor.sizes);
    if (text.starts_with('[')) {
      std::optional<std::vector<int64_t>> strides = TakeSizes(text, symbols_);
      if (!strides || strides->size() != tensor.sizes.size()) return false;
      tensor.strides = *std::move(strides);
    }
    const Result<at::Device> device = DeviceAt(source_, offset, text.empty() ? "cpu" : text);
    const std::optional<int64_t> reach = ReachOf(tensor);
    if (!device.ok() || !reach) return false;
    specs_.storages.push_back({.bytes = *reach, .device = *device, .dtype_hint = *dtype});
    specs_.inputs.emplace_back(std::move(tensor));
    return true;
  }

  const Source& source_;
  const Symbols& symbols_;
  InputSpecs specs_;
};

}  // namespace

Result<std::optional<InputSpecs>> AnnotatedInputs(const Source& source, const ScriptOutline& outline) {
  ExpressionArena arena;
  TokenStream tokens = CULPRIT_TRY(TokenStream::Open(source, outline.forward));
  const FunctionHeader header = CULPRIT_TRY(ParseFunctionHeader(tokens, arena));
  AnnotationReader reader(source, outline.symbols);
  for (const Parameter& parameter : header.parameters) {
    if (parameter.name != "self" && !reader.Add(parameter)) return std::optional<InputSpecs>();
  }
  return std::optional(std::move(reader.specs()));
}

}  // namespace culprit::graph::text
