// SPDX-License-Identifier: Apache-2.0
//
// What a comparison found out, as data; tables and JSON are made from it elsewhere.
//
// A verdict has two parts. Mismatches are differences of structure: another type, length, key, dtype, shape;
// each is a failure. Outputs are the tensors and floating-point numbers whose structure agrees, each with its
// numbers and the rule that decided. Names of the three runs: `reference` (eager), `result` (compiled),
// `fp64` (the reference computed in float64).
//
// Paths are written as Python would reach the value: "[1]['logits'][0]", "loss"; the root is "".
#pragma once

#include <c10/core/ScalarType.h>
#include <c10/util/complex.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::compare {

enum class MismatchKind {
  kType,
  kLength,
  kKeys,
  kValue,
  kDtype,
  kShape,
  kLayout,
  /// The numbers are compared all the same.
  kDevice,
  kStrides,
  kQuantizer,
  kRequiresGrad,
  kAliasing,
  /// There are no numbers: a fake or meta tensor.
  kNoData,
  /// The fp64 run has another structure than the reference, so it cannot be what it is meant to be.
  kFp64,
  /// A kind of value that cannot be compared (a future, a stream ...).
  kUnsupported,
};
std::string_view NameOf(MismatchKind kind);

struct Mismatch {
  MismatchKind kind = MismatchKind::kValue;
  std::string path;
  /// One sentence with the values of both sides: "3 elements in the reference, 2 in the result".
  std::string message;
  /// The reference differs from itself so, too, if it is moved by rounding (noise.h).
  bool is_noise = false;
};

/// What decided on an output, passing or not.
enum class Rule {
  /// All elements are equal.
  kEqual,
  /// All elements are within the tolerance; without an fp64 reference also what fails.
  kAllClose,
  /// E_result <= multiplier * E_reference + tolerance * scale / 10.
  kFp64,
  /// Elements that are within the tolerance, and others that are not finite in the reference or the result,
  /// where fp64 says that the result is right.
  kTruth,
  /// The reference is NaN in places, fp64 and the result are not, and these two agree within 0.04.
  kNanRescue,
  /// The cosine similarity is at least 0.99.
  kCosine,
  /// Intersection over union of two masks.
  kIou,
  /// A difference of integers or bools that options.ignore_non_float forgives.
  kIgnored,
  /// A difference that is no larger than the noise (noise.h).
  kNoise,
};
std::string_view NameOf(Rule rule);

/// Elements that are no numbers, by run.
struct NonFinite {
  int64_t nan = 0;
  int64_t inf = 0;

  void Add(const NonFinite& other) {
    nan += other.nan;
    inf += other.inf;
  }
};

/// The element that is furthest off.
struct WorstElement {
  std::vector<int64_t> index;
  c10::complex<double> reference;
  c10::complex<double> result;
  std::optional<c10::complex<double>> fp64;
};

/// How many elements are how far off, in decades of the tolerance they need, |reference - result| /
/// (scale + |result|). decades[i] counts from 10^(kFirst + i) up to ten times that; the first also counts
/// what is smaller, the last what is larger.
struct Histogram {
  static constexpr int kFirst = -16;
  static constexpr int kLast = 3;
  int64_t equal = 0;
  std::array<int64_t, kLast - kFirst + 1> decades = {};
  /// One side is NaN or infinite, and the other is not the same.
  int64_t not_finite = 0;
};

/// Computed for outputs that fail, and for all if the options say so.
struct Detail {
  /// |reference - result| / |reference|; 0 / 0 is 0.
  double max_rel = 0;
  /// How many representable numbers lie between the two, at most; for integers their difference. Elements
  /// that are NaN on one side are left out.
  uint64_t max_ulp = 0;
  /// Nothing if all elements are equal.
  std::optional<WorstElement> worst;
  Histogram histogram;
};

/// How large the error is beside errors that mean nothing. All are RMSEs against the reference.
struct Noise {
  /// The reference run once more.
  std::optional<double> repeated;
  std::optional<double> fp64;
  /// The reference with inputs, and results of its operators where it lets us, moved by one unit in the last
  /// place; the largest of several runs.
  std::optional<double> nudged;
  /// The largest of them.
  double floor = 0;
  /// RMSE of the result divided by the floor: 0 if both are 0, infinite if only the floor is.
  double factor = 0;
  /// In one of these runs at most: elements outside of the tolerance, and elements that are NaN or infinite
  /// there and not in the reference, or the other way round.
  int64_t mismatching = 0;
  int64_t odd_on_one_side = 0;
};

/// An element that is outside of the tolerance.
struct OffElement {
  /// Its number, in the order in which elements lie in the memory of the reference.
  int64_t place = 0;
  double error = 0;
  /// The furthest that a run of the noise is from the reference there.
  double moved = 0;
};

struct Output {
  std::string path;
  c10::ScalarType dtype = c10::ScalarType::Undefined;
  std::vector<int64_t> sizes;
  bool passes = false;
  Rule rule = Rule::kAllClose;

  /// Largest |reference - result|; infinite if an element is not finite on one side only.
  double max_abs = 0;
  /// Of result against reference. Elements that are NaN on a side, and infinities that agree, are left out of
  /// this one and of the two below.
  double rmse = 0;
  /// The RMS of the reference itself.
  double size = 0;
  /// E_reference and E_result, if there is an fp64 reference of this output.
  std::optional<double> rmse_reference_fp64;
  std::optional<double> rmse_result_fp64;
  /// Of the fp64 rule, if it was asked.
  std::optional<double> multiplier;
  /// Of the rules of these names.
  std::optional<double> cosine;
  std::optional<double> iou;

  /// Elements outside of the tolerance.
  int64_t mismatching = 0;
  /// Elements that are not finite in the reference or the result, and right as fp64 says (revision C).
  int64_t confirmed = 0;
  /// Elements that are NaN or infinite in one of reference and result only, or other infinities.
  int64_t odd_on_one_side = 0;
  NonFinite reference;
  NonFinite result;
  NonFinite fp64;
  /// With which the output passes, all other options unchanged; infinite if with none. Known where the detail
  /// is, and nothing where a rule without tolerance decides.
  std::optional<double> smallest_tolerance;
  std::optional<Detail> detail;
  /// Of an output that fails (element_errors.h).
  std::vector<OffElement> off = {};
  /// Of noise.h.
  std::optional<Noise> noise;
};

struct Verdict {
  std::vector<Mismatch> mismatches;
  std::vector<Output> outputs;

  bool passes() const;
};

}  // namespace culprit::compare
