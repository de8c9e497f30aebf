// SPDX-License-Identifier: Apache-2.0
//
// Outputs that lie in a constant of the model. A compiler that folds `zeros(4)` returns the same memory from
// every call. Only a program that writes into its results could see that, so it is no failure.
//
// A compiler that keeps one buffer for its results returns the same memory, too, and its second call writes
// over the results of the first: that is a failure. A further call tells the two apart, since it writes into
// the buffer and leaves the constant alone.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "check/model/run_end.h"

namespace culprit::check {

/// Calls the model once more, and drops what it returns.
using FurtherCall = std::function<void()>;

/// Gives each output that lies in a constant a storage of its own on the same memory, so that whoever
/// compares aliasing sees no sharing. Outputs that lie in one of the `frozen` inputs (by position) are
/// treated alike: the compiler has taken these inputs for constants. Without a further call, all memory that
/// several calls return is taken for a constant.
void SetConstantsApart(std::vector<Results>& calls, const std::set<size_t>& frozen,
                       const FurtherCall& call_again = nullptr);

}  // namespace culprit::check
