// SPDX-License-Identifier: Apache-2.0
//
// A slow compiler is not a compiler that hangs. Where nobody has set a time limit, a query that reaches ours
// is asked once more with several times the limit:
//
//   reaches that, too     it hangs: the finding is the time limit
//   passes                it passes, with a warning that says how long it may take
//   fails otherwise       invalid, with what to type, since every later question would reach the limit
#pragma once

#include "check/question/question.h"
#include "isolate/query/limits.h"

namespace culprit::check {

/// How many times the usual limit the second query has.
inline constexpr int kPatience = 5;

/// `limits` with more time; nothing if they hold exactly, since then a user has set them.
std::optional<isolate::Limits> WithPatience(const isolate::Limits& limits);

/// Asks with `ask`, and after a time-out with `ask_longer`, which has the limits of WithPatience. What the
/// second query shows is remembered for the same graph: it is not asked twice.
AskOnce AskPatiently(AskOnce ask, AskOnce ask_longer, const isolate::Limits& limits);

}  // namespace culprit::check
