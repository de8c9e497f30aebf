// SPDX-License-Identifier: Apache-2.0
//
// Models throw what they like; a check goes on.
#pragma once

#include <c10/util/FunctionRef.h>

#include <exception>
#include <optional>
#include <string>

namespace culprit::check {

struct Thrown {
  /// As C++ names it: "c10::Error", "int".
  std::string type;
  /// Without a backtrace.
  std::string message;
  std::exception_ptr exception;
};

/// Runs the function; gives what it threw. A base::InternalError and a backend::ForeignRequest are no
/// business of a model's, and pass through.
std::optional<Thrown> CatchThrown(c10::function_ref<void()> function);

/// The message alone.
std::optional<std::string> MessageOfThrown(c10::function_ref<void()> function);

}  // namespace culprit::check
