// SPDX-License-Identifier: Apache-2.0
//
// Lowered graphs against eager: the same graph, run by the interpreter, and lowered and evaluated element by
// element.
//
//   CompareLowered("x, y\nz = add.Tensor(x, y)\nreturn (z,)", {Numbers("f32[2,3] t"), Numbers("f32[3]")})
#pragma once

#include <ATen/core/ivalue.h>

#include <string>
#include <vector>

#include "compiler/lower/lower.h"

namespace culprit::tests {

/// Tensors as text: a dtype and sizes, and how it lies: t (the last two dimensions swapped), step (every
/// second element of the last dimension of a larger tensor), expand (the first dimension shows one row again
/// and again), cl (channels last). What stands behind that says which numbers: special ones besides random
/// ones (NaN, infinities, zeros of both signs, halves), positive ones, or those below a bound: "i64[4] below
/// 3".
at::Tensor Numbers(const std::string& text);

/// In words; empty if there is none. Numbers may differ by rounding of their dtype, strides of a view as they
/// like.
std::string DifferenceOf(const at::Tensor& eager, const at::Tensor& lowered, bool is_view);

struct Lowered {
  /// Eager fails on these inputs, so there is nothing to compare.
  bool eager_throws = false;
  /// How many outputs have loops.
  size_t loops = 0;
  /// The first difference, in words; empty if there is none.
  std::string difference;
};

/// Texts are as in tests/lib/short_graph.h.
compiler::loops::LoopProgram LowerText(const std::string& text, const std::vector<c10::IValue>& inputs,
                                       const compiler::lower::LowerOptions& options = {});
Lowered CompareLowered(const std::string& text, const std::vector<c10::IValue>& inputs,
                       const compiler::lower::LowerOptions& options = {});

/// Fails if something differs, or if an output has no loop.
void ExpectLowered(const std::string& text, const std::vector<std::string>& inputs,
                   const compiler::lower::LowerOptions& options = {});
/// Fails if an output has a loop.
void ExpectCall(const std::string& text, const std::vector<std::string>& inputs);

/// The graph "a, b, ...\nr = call\nreturn (r,)".
std::string OneCall(const std::string& call, size_t inputs, size_t results = 1);

}  // namespace culprit::tests
