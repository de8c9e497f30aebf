// SPDX-License-Identifier: Apache-2.0
//
// Models throw what they like; a check goes on.
#pragma once

#include <c10/util/FunctionRef.h>

#include <optional>
#include <string>

namespace culprit::check {

/// Runs the function; gives the message of what it threw, without a backtrace. A base::InternalError is no
/// business of a model's, and passes through.
std::optional<std::string> MessageOfThrown(c10::function_ref<void()> function);

}  // namespace culprit::check
