// SPDX-License-Identifier: Apache-2.0
#include "model/inputs/input_parser.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <limits>
#include <sstream>

#include "base/text.h"
#include "base/utf8.h"
#include "graph/text/syntax/literal.h"
#include "graph/text/syntax/string_literal.h"
#include "model/inputs/input_text.h"

namespace culprit::model {

using base::Diagnostic;
using base::Done;
using base::Result;
using base::Status;
using c10::IValue;

namespace {

bool BeginsName(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool IsInName(char c) {
  return BeginsName(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// The type of all values, or Any if they have several or there are none.
c10::TypePtr SharedType(const std::vector<IValue>& values) {
  if (values.empty()) return c10::AnyType::get();
  c10::TypePtr type = values[0].type();
  // The type of a tensor in TorchScript is Tensor, whatever its sizes.
  if (values[0].isTensor()) type = c10::TensorType::get();
  for (const IValue& value : values) {
    const bool same = value.isTensor() ? type == c10::TensorType::get() : *value.type() == *type;
    if (!same) return c10::AnyType::get();
  }
  return type;
}

IValue MakeList(const std::vector<IValue>& values) {
  c10::impl::GenericList list(SharedType(values));
  for (const IValue& value : values) list.push_back(value);
  return list;
}

std::string KeyText(const IValue& key) {
  if (key.isString()) return fmt::format("'{}'", key.toStringRef());
  std::ostringstream text;
  text << key;
  return text.str();
}

int64_t FromEnd(int64_t index, int64_t size) {
  return index < 0 ? index + size : index;
}

/// value[index] as Python has it; a tensor that shares memory.
Result<IValue> Indexed(const IValue& value, int64_t index) {
  if (!value.isTensor() && !value.isList()) return Diagnostic{{}, "only tensors and lists have parts"};
  if (value.isTensor() && value.toTensor().dim() == 0)
    return Diagnostic{{}, "a tensor without dimensions has no parts"};
  const int64_t size =
      value.isTensor() ? value.toTensor().size(0) : static_cast<int64_t>(value.toListRef().size());
  const int64_t at = FromEnd(index, size);
  if (at < 0 || at >= size) return Diagnostic{{}, fmt::format("there is no part {} of {}", index, size)};
  if (value.isTensor()) return IValue(value.toTensor().select(0, at));
  return value.toListRef()[at];
}

Result<IValue> Sliced(const IValue& value, int64_t begin, int64_t end) {
  if (!value.isTensor() || value.toTensor().dim() == 0)
    return Diagnostic{{}, "only tensors with dimensions have slices"};
  return IValue(value.toTensor().slice(0, begin, end));
}

}  // namespace

Diagnostic InputParser::Expected(std::string_view what) const {
  const std::string_view rest = text_.substr(std::min(at_, text_.size()));
  if (rest.empty()) return Error(at_, fmt::format("expected {}, but the text ends", what));
  const size_t length = std::max<size_t>(base::Utf8Length(rest), 1);
  return Error(at_, fmt::format("expected {}, not '{}'", what, base::Printable(rest.substr(0, length))));
}

void InputParser::SkipBlanks() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
}

bool InputParser::TakeIf(char c) {
  SkipBlanks();
  if (Peek() != c || at_ >= text_.size()) return false;
  ++at_;
  return true;
}

bool InputParser::TakeIf(std::string_view word) {
  SkipBlanks();
  if (!text_.substr(at_).starts_with(word)) return false;
  at_ += word.size();
  return true;
}

Status InputParser::Expect(char c) {
  if (TakeIf(c)) return Done{};
  return Expected(fmt::format("'{}'", c));
}

std::string_view InputParser::TakeName() {
  const size_t begin = at_;
  while (at_ < text_.size() && IsInName(text_[at_])) ++at_;
  return text_.substr(begin, at_ - begin);
}

std::string InputParser::Keyword() {
  SkipBlanks();
  const size_t begin = at_;
  if (BeginsName(Peek())) {
    const std::string_view name = TakeName();
    if (TakeIf('=')) return std::string(name);
  }
  at_ = begin;
  return {};
}

Result<IValue> InputParser::Whole() {
  IValue value = CULPRIT_TRY(Value());
  SkipBlanks();
  if (at_ == text_.size()) return value;
  Diagnostic error = Expected("the end of the text");
  error.help = "each argument is given by itself: --inputs VALUE --inputs VALUE";
  return error;
}

Result<IValue> InputParser::Value() {
  SkipBlanks();
  if (++values_ > kMostInputValues) return Error(at_, fmt::format("more than {} values", kMostInputValues));
  if (depth_ == kDeepestInput)
    return Error(at_, fmt::format("more than {} levels of brackets", kDeepestInput));
  const char c = Peek();
  if (at_ >= text_.size()) return Expected("a value");
  if (BeginsName(c)) return NamedValue();
  if (c == '\'' || c == '"') return IValue(CULPRIT_TRY(String()));
  if (c == '(') return Tuple();
  if (c == '{') return Dict();
  if (c == '?') return IValue(CULPRIT_TRY(Size(0)));
  if (c != '[') return Number();
  ++at_;
  return MakeList(CULPRIT_TRY(Elements(']')));
}

Result<IValue> InputParser::NamedValue() {
  const size_t begin = at_;
  const std::string_view name = TakeName();
  if (name == "None") return IValue();
  if (name == "True" || name == "False") return IValue(name == "True");
  if (name == "inf") return IValue(std::numeric_limits<double>::infinity());
  if (name == "nan") return IValue(std::numeric_limits<double>::quiet_NaN());
  if (name == "file" && Peek() == ':') return File(begin);
  if (name == "same" && Peek() == ':') return Earlier(begin);
  const std::optional<at::ScalarType> dtype = DtypeFromShortName(name);
  if (dtype) return Tensor(begin, *dtype);
  Diagnostic error = Error(begin, fmt::format("'{}' is no value", base::Printable(name)));
  error.help = fmt::format("a tensor is written as f32[2,3], with one of the dtypes {}; a string is 'quoted'",
                           ShortDtypeNames());
  return error;
}

Result<IValue> InputParser::PartOf(const std::string& index) {
  const size_t length = part_.size();
  part_ += index;
  Result<IValue> value = Value();
  part_.resize(length);
  return value;
}

Result<std::vector<IValue>> InputParser::Elements(char close) {
  ++depth_;
  std::vector<IValue> elements;
  while (!TakeIf(close)) {
    if (!elements.empty()) {
      CULPRIT_TRY(Expect(','));
      if (TakeIf(close)) break;
    }
    elements.push_back(CULPRIT_TRY(PartOf(fmt::format("[{}]", elements.size()))));
  }
  --depth_;
  return elements;
}

Result<IValue> InputParser::Tuple() {
  ++at_;
  const size_t begin = at_;
  const size_t marks = marks_.size();
  std::vector<IValue> elements = CULPRIT_TRY(Elements(')'));
  // (1) is 1, as in Python.
  const bool has_comma = text_.substr(begin, at_ - begin).find(',') != std::string_view::npos;
  if (elements.size() == 1 && !has_comma) {
    for (size_t i = marks; i < marks_.size(); ++i)
      marks_[i].part.erase(part_.size(), std::string("[0]").size());
    return elements[0];
  }
  return IValue(c10::ivalue::Tuple::create(std::move(elements)));
}

Result<IValue> InputParser::Dict() {
  ++at_;
  ++depth_;
  std::vector<IValue> keys, values;
  while (!TakeIf('}')) {
    if (!keys.empty()) {
      CULPRIT_TRY(Expect(','));
      if (TakeIf('}')) break;
    }
    SkipBlanks();
    const size_t begin = at_;
    keys.push_back(CULPRIT_TRY(Value()));
    const IValue& key = keys.back();
    if (!key.isString() && !key.isInt() && !key.isDouble() && !key.isBool())
      return Error(begin, "a key is a string or a number");
    if (key.tagKind() != keys[0].tagKind()) return Error(begin, "all keys of a dict are of one type");
    CULPRIT_TRY(Expect(':'));
    values.push_back(CULPRIT_TRY(PartOf(fmt::format("[{}]", KeyText(key)))));
  }
  --depth_;
  const c10::TypePtr key_type = keys.empty() ? c10::TypePtr(c10::StringType::get()) : SharedType(keys);
  c10::impl::GenericDict dict(key_type, SharedType(values));
  for (size_t i = 0; i < keys.size(); ++i) dict.insert_or_assign(keys[i], values[i]);
  return IValue(dict);
}

Result<std::string> InputParser::String() {
  const size_t begin = at_;
  const char quote = text_[at_++];
  while (at_ < text_.size() && text_[at_] != quote) at_ += text_[at_] == '\\' ? 2 : 1;
  if (at_ >= text_.size()) return Error(begin, "the string has no end");
  ++at_;
  const auto string = graph::text::StringFromText(text_.substr(begin, at_ - begin));
  if (!string) return Error(begin, "the string has an escape that cannot be read");
  return *string;
}

Result<IValue> InputParser::Number() {
  const size_t begin = at_;
  const bool negative = TakeIf('-');
  if (negative && TakeIf("inf")) return IValue(-std::numeric_limits<double>::infinity());
  const size_t digits = at_;
  while (at_ < text_.size() && (IsInName(text_[at_]) || text_[at_] == '.')) {
    const bool exponent = text_[at_] == 'e' || text_[at_] == 'E';
    ++at_;
    if (exponent && (Peek() == '-' || Peek() == '+')) ++at_;
  }
  const std::string_view word = text_.substr(digits, at_ - digits);
  if (word.empty()) {
    at_ = begin;
    return Expected("a value");
  }
  if (const auto number = graph::text::IntFromText(word, negative)) return IValue(*number);
  const bool all_digits = word.find_first_not_of("0123456789_") == std::string_view::npos;
  if (all_digits) return Error(begin, fmt::format("'{}' does not fit 64 bits", base::Printable(word)));
  if (const auto number = graph::text::FloatFromText(word)) return IValue(negative ? -*number : *number);
  return Error(begin, fmt::format("'{}' is no number", base::Printable(word)));
}

Result<int64_t> InputParser::Int(std::string_view what) {
  SkipBlanks();
  const size_t begin = at_;
  const IValue number = CULPRIT_TRY(Number());
  if (!number.isInt()) return Error(begin, fmt::format("{} is an integer", what));
  return number.toInt();
}

Result<at::Scalar> InputParser::Scalar() {
  SkipBlanks();
  const size_t begin = at_;
  const IValue value = CULPRIT_TRY(Value());
  if (value.isBool()) return at::Scalar(value.toBool());
  if (!value.isScalar()) return Error(begin, "an element of a tensor is a number");
  return value.toScalar();
}

Result<IValue> InputParser::Placed(size_t begin, Result<IValue> value) const {
  if (value.ok()) return value;
  Diagnostic error = Error(begin, value.error().message);
  if (!value.error().place.file.empty())
    error.message = fmt::format("{}: {}", base::Printable(value.error().place.file), error.message);
  error.help = value.error().help;
  error.notes = value.error().notes;
  return error;
}

Result<IValue> InputParser::File(size_t begin) {
  ++at_;
  std::string path;
  if (Peek() == '\'' || Peek() == '"') {
    path = CULPRIT_TRY(String());
  } else {
    const size_t end = std::min(text_.find_first_of(depth_ > 0 ? " ,])}" : " ", at_), text_.size());
    path = text_.substr(at_, end - at_);
    at_ = end;
  }
  if (path.empty()) return Expected("a path");
  return Placed(begin, sources_.file(path));
}

Result<IValue> InputParser::Earlier(size_t begin) {
  ++at_;
  IValue value = CULPRIT_TRY(Placed(begin, sources_.earlier(CULPRIT_TRY(Int("the number of an argument")))));
  if (!TakeIf('[')) return value;
  const int64_t first = CULPRIT_TRY(Int("an index"));
  if (!TakeIf(':')) {
    CULPRIT_TRY(Expect(']'));
    return Placed(begin, Indexed(value, first));
  }
  const int64_t last = CULPRIT_TRY(Int("an index"));
  CULPRIT_TRY(Expect(']'));
  return Placed(begin, Sliced(value, first, last));
}

}  // namespace culprit::model
