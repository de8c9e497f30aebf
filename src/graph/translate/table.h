// SPDX-License-Identifier: Apache-2.0
//
// The table of translations: what becomes of the operators that scripts of PyTorch 2.x call and that libtorch
// lacks, since PyTorch registers them from Python (prims::*), or has for CUDA only.
//
//   rms = torch.ops.prims.convert_element_type.default(x, torch.float32)
//   => rms = torch.ops.aten._to_copy.default(x, dtype = torch.float32)
//
// Most rows are text in the dialect of the scripts themselves. The body is straight-line: a statement per
// line, leading blanks ignored, the last line `return a` or `return (a, b)`.
//
//   name = aten.op.overload(...)      short for torch.ops.aten...; only operators that libtorch has
//   a, b = aten.op.overload(...)      the results of an operator that has several
//   n = m * 2                         arithmetic on ints; with constants on both sides it is a constant
//   stride[0]                         an element of a list
//   dtype                             a parameter stands for its argument: a value, a constant or a list
//
// An empty body drops the call, which then must have no result that is used. Bodies are not expanded again. A
// body computes all results of its operator; what of it stays unused is dead code.
//
// A call that libtorch accepts as it is written is not translated, so that what Culprit prints reads back
// unchanged; operators without a CPU kernel are, in scripts that are mapped to the CPU. Otherwise the first
// row with the operator's name whose condition holds is taken. `when` is empty or a conjunction of `parameter
// == constant`, `parameter != constant`, `parameter is None`, `parameter is not None`; numbers compare as in
// Python (1 == 1.0), and a value equals no constant.
//
// What straight-line text cannot say (it depends on the length of a list, or on several options at once) is a
// FunctionTranslation.
#pragma once

#include <span>
#include <string_view>

#include "graph/translate/expansion.h"

namespace culprit::graph::translate {

struct Translation {
  /// "prims::iota", "aten::mm.dtype"; the default overload has no suffix.
  std::string_view op;
  /// Names and defaults as in PyTorch's schema: "a, dtype", "input, *, eps=1e-05".
  std::string_view parameters;
  std::string_view when;
  std::string_view body;
};

struct FunctionTranslation {
  std::string_view op;
  std::string_view parameters;
  Expansion expand;
  /// What it becomes, in a few words, for lists of operators.
  std::string_view becomes;
};

/// The rows written as text, in the order in which they are tried.
std::span<const Translation> AllTranslations();

/// At most one row per operator, and none that has a row in AllTranslations().
std::span<const FunctionTranslation> FunctionTranslations();

/// Operators that libtorch has, but without a kernel for the CPU. Taken for scripts that are mapped to the
/// CPU, even though libtorch accepts the call. An operator has rows or a function, as above.
std::span<const Translation> CudaOnlyTranslations();
std::span<const FunctionTranslation> CudaOnlyFunctions();

/// Collectives, which need other processes. Always taken, even though libtorch accepts the call.
std::span<const Translation> CollectiveTranslations();
std::span<const FunctionTranslation> CollectiveFunctions();

}  // namespace culprit::graph::translate
