// SPDX-License-Identifier: Apache-2.0
//
// The parser behind model/inputs/input_text.h: a recursive descent over characters, which makes values as it
// goes.
#pragma once

#include <ATen/core/ivalue.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "graph/text/syntax/source.h"
#include "model/inputs/size_mark.h"
#include "model/inputs/tensor_text.h"

namespace culprit::model {

/// What a text may refer to, and where its tensors come from. Errors of these have no place; the parser adds
/// it.
struct InputSources {
  std::function<base::Result<c10::IValue>(const TensorText& text)> tensor;
  std::function<base::Result<c10::IValue>(const std::string& path)> file;
  std::function<base::Result<c10::IValue>(int64_t index)> earlier;
};

class InputParser {
 public:
  InputParser(const graph::text::Source& source, size_t begin, size_t end, const InputSources& sources)
      : source_(source), text_(source.text().substr(0, end)), at_(begin), sources_(sources) {}

  /// "name=", if the text begins so.
  std::string Keyword();
  /// One value, and nothing behind it.
  base::Result<c10::IValue> Whole();
  /// Those of the value, once it is read.
  std::vector<SizeMark> TakeMarks() { return std::move(marks_); }

 private:
  base::Diagnostic Error(size_t offset, std::string message) const {
    return source_.Error(offset, std::move(message));
  }
  /// "expected ']', not 'x'".
  base::Diagnostic Expected(std::string_view what) const;

  void SkipBlanks();
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool TakeIf(char c);
  bool TakeIf(std::string_view word);
  base::Status Expect(char c);
  std::string_view TakeName();

  base::Result<c10::IValue> Value();
  base::Result<c10::IValue> NamedValue();
  base::Result<c10::IValue> PartOf(const std::string& index);
  base::Result<std::vector<c10::IValue>> Elements(char close);
  base::Result<c10::IValue> Tuple();
  base::Result<c10::IValue> Dict();
  base::Result<std::string> String();
  base::Result<c10::IValue> Number();
  base::Result<int64_t> Int(std::string_view what);
  base::Result<at::Scalar> Scalar();
  base::Result<c10::IValue> File(size_t begin);
  base::Result<c10::IValue> Earlier(size_t begin);

  base::Result<c10::IValue> Tensor(size_t begin, at::ScalarType dtype);
  base::Status Sizes(TensorText& tensor);
  /// "8", "?8", "?" or "=8".
  base::Result<int64_t> Size(size_t dimension);
  base::Status Contents(TensorText& tensor);
  base::Status Options(TensorText& tensor);

  /// The value, or the error with the place `begin`.
  base::Result<c10::IValue> Placed(size_t begin, base::Result<c10::IValue> value) const;

  const graph::text::Source& source_;
  // Up to the end of the part that is read.
  std::string_view text_;
  size_t at_;
  const InputSources& sources_;
  std::vector<SizeMark> marks_;
  /// Which part of the value is being read.
  std::string part_;
  size_t depth_ = 0;
  size_t values_ = 0;
};

}  // namespace culprit::model
