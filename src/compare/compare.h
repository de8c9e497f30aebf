// SPDX-License-Identifier: Apache-2.0
//
// Do two runs agree? The rules are those of PyTorch's `same`, mended: docs/comparison.md has the list.
//
//   const Verdict verdict = Compare(eager_outputs, compiled_outputs, fp64_outputs, {.tolerance = 1e-3});
//   verdict.passes()
//
// Structure first: what differs in type, length or shape is a mismatch, and its numbers are not looked at.
// Then every tensor and floating-point number gets an output with its numbers and the rule that decided
// (tensor_rules.h). Nothing stops the walk: the verdict is about all outputs.
#pragma once

#include <ATen/core/ivalue.h>

#include <optional>

#include "compare/undefined_elements.h"
#include "compare/verdict/options.h"
#include "compare/verdict/verdict.h"

namespace culprit::compare {

/// `fp64` holds what the reference computes in float64, in the same structure; parts that differ in structure
/// are mismatches of kind kFp64. Without it float64 outputs are their own fp64 reference, as in PyTorch.
/// Extra memory: 48 KB per thread, unless tensors are sparse or quantised, have different dtypes that are
/// allowed to differ, or the reference is NaN or undefined in places. Undefined elements count as equal.
Verdict Compare(const c10::IValue& reference, const c10::IValue& result,
                const std::optional<c10::IValue>& fp64, const Options& options,
                const UndefinedElements& undefined = {});

}  // namespace culprit::compare
