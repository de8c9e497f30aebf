// SPDX-License-Identifier: Apache-2.0
//
// The rules for the numbers of one output, in the order in which they are asked; the first that knows the
// answer decides.
//
//   1. equal: all elements have the same value => passes
//   2. bool tensors: ignored, intersection over union, or allclose on their bytes, as the options say
//   3. allclose: every element within the tolerance => passes
//      revision C: the tolerance scales with the reference, and elements that are not finite on one side are judged
//      by fp64; if fp64 confirms some of them, the rule is called kTruth
//   4. with options.cosine_similarity: passes from 0.99 on, fails below (NaN equals NaN in 3 then)
//   5. with an fp64 reference, or for float64 outputs, which are their own:
//      revisions B and C: NaN in the reference only, and fp64 and result agree within 0.04 => passes
//      otherwise the fp64 rule decides (fp64_rule.h)
//   6. integers pass with options.ignore_non_float; all else fails
//
// What rounding excuses is no rule of this list: noise.h judges it afterwards.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>

#include "compare/verdict/options.h"
#include "compare/verdict/verdict.h"

namespace culprit::compare {

/// Readable tensors of the same sizes (tensor_structure.h). An fp64 reference that is not of dtype float64
/// (complex128 for complex outputs) is not used.
Output JudgeNumbers(const std::string& path, const at::Tensor& reference, const at::Tensor& result,
                    const std::optional<at::Tensor>& fp64, const Options& options);

}  // namespace culprit::compare
