// SPDX-License-Identifier: Apache-2.0
//
// Result<T>: a value, or the diagnostic that says why there is none. For everything that input can cause.
//
//   Result<Graph> ReadGraph(...) {
//     const std::string text = CULPRIT_TRY(ReadFile(path));
//     if (text.empty()) return Diagnostic{{path}, "the file is empty"};
//     return Parse(text);
//   }
#pragma once

#include <utility>
#include <variant>

#include "base/diagnostic.h"
#include "base/internal_error.h"

namespace culprit::base {

template <typename T>
class [[nodiscard]] Result {
 public:
  // Both are meant to be implicit.
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}           // NOLINT
  Result(Diagnostic error) : content_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  bool ok() const { return content_.index() == 0; }

  const T& value() const& { return Checked(), std::get<0>(content_); }
  T& value() & { return Checked(), std::get<0>(content_); }
  T&& value() && { return Checked(), std::get<0>(std::move(content_)); }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  const Diagnostic& error() const& { return std::get<1>(content_); }
  Diagnostic&& error() && { return std::get<1>(std::move(content_)); }

 private:
  void Checked() const { CULPRIT_CHECK(ok(), "value() of a failed result: {}", error().Render()); }

  std::variant<T, Diagnostic> content_;
};

/// A result without a value.
struct Done {};
using Status = Result<Done>;

}  // namespace culprit::base

/// The value of a Result, or returns its error from the calling function.
#define CULPRIT_TRY(expression)                                                 \
  ({                                                                            \
    auto culprit_try_result = (expression);                                     \
    if (!culprit_try_result.ok()) return std::move(culprit_try_result).error(); \
    *std::move(culprit_try_result);                                             \
  })
