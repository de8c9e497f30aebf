// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <initializer_list>

#include "base/text.h"
#include "graph/tensors/rebuild_tensors.h"
#include "store/content_hash.h"
#include "store/group_text.h"

namespace culprit::store {
namespace {

using base::Diagnostic;
using base::Done;
using base::Result;
using base::Status;
using graph::TensorSpec;

constexpr std::string_view kFirstLine = "culprit tensors 1";

/// Up to the separator, which is taken away too; all of the text if there is none.
std::string_view TakeUntil(std::string_view& text, char separator) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

std::optional<at::ScalarType> DtypeFromString(std::string_view name) {
  for (int8_t i = 0; i < static_cast<int8_t>(at::ScalarType::Undefined); ++i) {
    const auto dtype = static_cast<at::ScalarType>(i);
    if (name == c10::toString(dtype)) return dtype;
  }
  return std::nullopt;
}

struct FlagTarget {
  bool* flag = nullptr;
  std::string_view name;
};

/// The words of one line, left to right.
class Line {
 public:
  Line(const std::string& path, uint32_t number, std::string_view text)
      : path_(path), number_(number), whole_(text), rest_(text) {}

  Diagnostic Error(std::string_view message) const {
    const std::string_view shown = whole_.substr(0, 200);
    return {{path_, number_}, fmt::format("{} in '{}'", message, base::Printable(shown))};
  }

  std::string_view Word() { return TakeUntil(rest_, ' '); }

  /// "-" stands for nothing.
  bool SkipDash() {
    if (rest_.substr(0, rest_.find(' ')) != "-") return false;
    Word();
    return true;
  }

  template <typename Number>
  Result<Number> NumberFrom(std::string_view text) const {
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) {
      return Error(fmt::format("'{}' is no number", base::Printable(text.substr(0, 50))));
    }
    return number;
  }

  /// What stands behind "key=".
  Result<std::string_view> Field(std::string_view key) {
    const std::string_view word = Word();
    if (!word.starts_with(key) || word.substr(key.size(), 1) != "=") {
      return Error(fmt::format("expected {}=", key));
    }
    return word.substr(key.size() + 1);
  }

  template <typename Number>
  Result<Number> NumberField(std::string_view key) {
    return NumberFrom<Number>(CULPRIT_TRY(Field(key)));
  }

  Result<std::vector<int64_t>> NumbersField(std::string_view key) {
    std::string_view text = CULPRIT_TRY(Field(key));
    std::vector<int64_t> numbers;
    while (!text.empty()) numbers.push_back(CULPRIT_TRY(NumberFrom<int64_t>(TakeUntil(text, ','))));
    return numbers;
  }

  Status FlagsField(std::initializer_list<FlagTarget> known) {
    std::string_view text = CULPRIT_TRY(Field("flags"));
    while (!text.empty()) {
      const std::string_view name = TakeUntil(text, ',');
      const auto* target =
          std::find_if(known.begin(), known.end(), [&](const FlagTarget& flag) { return flag.name == name; });
      if (target == known.end()) return Error(fmt::format("unknown flag '{}'", base::Printable(name)));
      *target->flag = true;
    }
    return Done{};
  }

  Result<at::ScalarType> Dtype() {
    const std::string_view name = Word();
    if (const auto dtype = DtypeFromString(name)) return *dtype;
    return Error(fmt::format("unknown dtype '{}'", base::Printable(name)));
  }

 private:
  const std::string& path_;
  uint32_t number_;
  std::string_view whole_;
  std::string_view rest_;
};

class Parser {
 public:
  Parser(const std::string& path, std::string_view text) : path_(path), text_(text) {}

  Result<graph::TensorGroup> Parse() {
    if (TakeUntil(text_, '\n') != kFirstLine) {
      return Diagnostic{{path_, 1}, fmt::format("the first line is not '{}'", kFirstLine)};
    }
    ++number_;
    while (!text_.empty()) {
      Line line = NextLine();
      const std::string_view word = line.Word();
      if (word == "storage") {
        CULPRIT_TRY(ParseStorage(line));
      } else {
        group_.tensors.push_back(CULPRIT_TRY(ParseRecord(word, line)));
      }
    }
    return std::move(group_);
  }

 private:
  Line NextLine() { return {path_, ++number_, TakeUntil(text_, '\n')}; }

  Status ParseStorage(Line& line) {
    graph::StorageSpec storage;
    if (!line.SkipDash()) {
      storage.hash = line.Word();
      if (!ContentHash::FromString(*storage.hash)) return line.Error("a hash has 32 digits");
    }
    storage.bytes = CULPRIT_TRY(line.NumberFrom<int64_t>(line.Word()));
    if (storage.bytes < 0) return line.Error("a storage of less than no bytes");
    const std::string_view device = line.Word();
    try {
      storage.device = at::Device(std::string(device));
    } catch (const std::exception&) {
      return line.Error(fmt::format("unknown device '{}'", base::Printable(device)));
    }
    if (!line.SkipDash()) storage.dtype_hint = CULPRIT_TRY(line.Dtype());
    group_.storages.push_back(std::move(storage));
    return Done{};
  }

  Result<graph::TensorRecord> ParseRecord(std::string_view word, Line& line) {
    if (word == "plain") return graph::TensorRecord(CULPRIT_TRY(ParseTensor(line)));
    if (word == "per_tensor") {
      graph::QuantisedPerTensor record;
      record.scale = CULPRIT_TRY(line.NumberField<double>("scale"));
      record.zero_point = CULPRIT_TRY(line.NumberField<int64_t>("zero_point"));
      record.tensor = CULPRIT_TRY(ParsePart());
      return graph::TensorRecord(std::move(record));
    }
    if (word == "per_channel") {
      graph::QuantisedPerChannel record;
      record.axis = CULPRIT_TRY(line.NumberField<int64_t>("axis"));
      record.tensor = CULPRIT_TRY(ParsePart());
      record.scales = CULPRIT_TRY(ParsePart());
      record.zero_points = CULPRIT_TRY(ParsePart());
      return graph::TensorRecord(std::move(record));
    }
    if (word == "sparse") {
      graph::SparseCoo record;
      record.sizes = CULPRIT_TRY(line.NumbersField("sizes"));
      CULPRIT_TRY(line.FlagsField({{&record.is_coalesced, "coalesced"},
                                   {&record.requires_grad, "requires_grad"},
                                   {&record.is_leaf, "leaf"}}));
      record.indices = CULPRIT_TRY(ParsePart());
      record.values = CULPRIT_TRY(ParsePart());
      return graph::TensorRecord(std::move(record));
    }
    return line.Error(fmt::format("unknown word '{}'", base::Printable(word.substr(0, 50))));
  }

  Result<TensorSpec> ParsePart() {
    Line line = NextLine();
    if (line.Word() != "part") return line.Error("expected a part");
    return ParseTensor(line);
  }

  static Result<TensorSpec> ParseTensor(Line& line) {
    TensorSpec tensor;
    tensor.dtype = CULPRIT_TRY(line.Dtype());
    tensor.storage = CULPRIT_TRY(line.NumberField<size_t>("storage"));
    tensor.offset = CULPRIT_TRY(line.NumberField<int64_t>("offset"));
    tensor.sizes = CULPRIT_TRY(line.NumbersField("sizes"));
    tensor.strides = CULPRIT_TRY(line.NumbersField("strides"));
    CULPRIT_TRY(line.FlagsField({{&tensor.requires_grad, "requires_grad"},
                                 {&tensor.is_leaf, "leaf"},
                                 {&tensor.is_conjugated, "conjugated"},
                                 {&tensor.is_negated, "negated"}}));
    return tensor;
  }

  const std::string& path_;
  std::string_view text_;
  uint32_t number_ = 0;
  graph::TensorGroup group_;
};

/// The text before the last line, if that holds its hash.
Result<std::string_view> WithoutLastLine(const std::string& path, std::string_view text) {
  constexpr size_t kLastLine = std::string_view("end \n").size() + ContentHash::kDigits;
  const std::string_view before = text.substr(0, text.size() - std::min(kLastLine, text.size()));
  const std::string hash = ContentHash::Of(std::as_bytes(std::span(before))).ToString();
  if (text.substr(before.size()) != fmt::format("end {}\n", hash)) {
    return Diagnostic{{path}, "is incomplete or was altered: its last line does not fit what stands before"};
  }
  return before;
}

}  // namespace

Result<graph::TensorGroup> ParseGroup(const std::string& path, std::string_view text) {
  const std::string_view lines = CULPRIT_TRY(WithoutLastLine(path, text));
  graph::TensorGroup group = CULPRIT_TRY(Parser(path, lines).Parse());
  if (PrintGroup(group) != text) return Diagnostic{{path}, "is not written as Culprit writes it"};
  if (base::Status valid = graph::CheckGroup(group); !valid.ok()) {
    Diagnostic error = std::move(valid).error();
    error.place.file = path;
    return error;
  }
  return group;
}

}  // namespace culprit::store
