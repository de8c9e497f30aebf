// SPDX-License-Identifier: Apache-2.0
//
// What counts as agreement. The names and defaults are those of PyTorch's `same` where it has them;
// docs/comparison.md goes through them one by one.
#pragma once

namespace culprit::compare {

/// A and B are two generations of PyTorch's rules: 2.5 (of 2024) and 2.14 (of 2026). They differ in the
/// multipliers of the fp64 rule (multiplier.h) and in what saves a reference that is NaN. C is B, mended: the
/// tolerance scales with the reference, so that small numbers are judged too, and where the reference is not
/// finite, fp64 is asked whether the result is right.
enum class Revision { kA, kB, kC };

struct Options {
  /// Elements agree if |reference - result| <= tolerance * scale + tolerance * |result|. With 0 they must be
  /// equal. The scale is 1, or in revision C the RMS of the reference if that is smaller.
  double tolerance = 1e-4;
  /// NaN agrees with NaN.
  bool equal_nan = false;
  /// Tensors must have the same dtype; otherwise the reference is cast to the dtype of the result.
  bool exact_dtype = true;
  /// Integers, bools, strings, None and devices always agree, and so do tensors of integers and bools that
  /// have the right shape. Never applies to floating point, whatever the fp64 reference is.
  bool ignore_non_float = false;
  /// A tensor that is not close elementwise passes if its angle to the reference is small, and only then.
  bool cosine_similarity = false;
  /// More room in the fp64 rule for tensors of up to 500 elements.
  bool larger_multiplier_for_small = false;
  /// The largest multiplier for every tensor (not in revision A).
  bool force_max_multiplier = false;
  /// Masks are compared by intersection over union.
  bool iou_for_bool = false;
  double iou_threshold = 0.99;
  Revision revision = Revision::kC;

  /// What PyTorch's `same` never looks at.
  bool compare_requires_grad = true;
  /// Which outputs share memory with which others.
  bool compare_aliasing = true;
  /// Sizes of the steps between elements, in dimensions that have more than one. A compiler may choose other
  /// ones for good reasons, so this is off.
  bool compare_strides = false;

  /// Details (verdict.h) for outputs that pass as well, at the cost of a second, slower pass.
  bool always_detail = false;
};

}  // namespace culprit::compare
