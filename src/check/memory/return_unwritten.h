// SPDX-License-Identifier: Apache-2.0
//
// Frees the copies of inputs that a run has left alone: what they hold now is what the originals hold.
#pragma once

#include <ATen/core/ivalue.h>

#include <vector>

#include "check/model/run_end.h"

namespace culprit::check {

/// Puts the originals in the place of the inputs that are unwritten, unless they are on an accelerator, whose
/// memory nobody has looked at, or something else in the results lies in their memory.
void ReturnUnwritten(const std::vector<c10::IValue>& originals, Results& results);

}  // namespace culprit::check
