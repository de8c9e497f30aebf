// SPDX-License-Identifier: Apache-2.0
#include "compare/noise.h"

#include <c10/util/accumulate.h>

#include <algorithm>
#include <cmath>

#include "compare/compare.h"
#include "compare/elements/element_errors.h"
#include "compare/elements/summary.h"
#include "compare/structure/numbers_by_path.h"
#include "compare/structure/tensor_structure.h"

namespace culprit::compare {
namespace {

/// Of two tensors of the same path, if they can be compared at all. Notes what has moved of what is off.
std::optional<Summary> Distance(const NumbersByPath& references, const NumbersByPath& others,
                                const std::string& path, double tolerance, const UndefinedElements& undefined,
                                std::vector<OffElement>& off) {
  const auto reference = references.find(path);
  const auto other = others.find(path);
  if (reference == references.end() || other == others.end()) return std::nullopt;
  if (!CompareStructure(path, reference->second, other->second, {}).numbers_correspond) return std::nullopt;
  const ElementOperands operands(Dense(undefined.SetAside(path, reference->second)),
                                 Dense(undefined.SetAside(path, other->second)), std::nullopt);
  NoteMoved(operands, off);
  return Summarize(operands, {tolerance, /*equal_nan=*/true, /*scale=*/1, /*by_truth=*/true});
}

double Factor(double error, double floor) {
  if (error == 0) return 0;
  return floor == 0 ? INFINITY : error / floor;
}

std::optional<double>& Member(Noise& noise, NoiseSource source) {
  switch (source) {
    case NoiseSource::kRepeated:
      return noise.repeated;
    case NoiseSource::kNudged:
      return noise.nudged;
  }
  return noise.repeated;
}

bool IsInteger(const Output& output) {
  return c10::isIntegralType(output.dtype, /*includeBool=*/true);
}

/// Whether noise is where the errors are: a kink in one element explains nothing in another.
bool IsInTheSamePlaces(const Output& output, double factor) {
  constexpr double kOfOneElement = 2;
  double squares_off = 0;
  double squares_moved = 0;
  size_t explained = 0;
  for (const OffElement& element : output.off) {
    squares_off += element.error * element.error;
    squares_moved += element.moved * element.moved;
    explained += element.error <= kOfOneElement * factor * element.moved ? 1 : 0;
  }
  return 4 * explained >= 3 * output.off.size() && squares_off <= factor * factor * squares_moved;
}

/// Whether a run has nearly as many that differ, and those that differ in no run are few: many numbers at an edge
/// excuse no others.
bool IsNoiseOfIntegers(const Output& output, double factor) {
  const auto mismatching = static_cast<double>(output.mismatching);
  const auto in_a_run = static_cast<double>(output.noise->mismatching);
  const auto unmoved = static_cast<double>(std::ranges::count(output.off, 0, &OffElement::moved));
  const double part = output.off.empty() ? 0 : unmoved / static_cast<double>(output.off.size());
  return mismatching <= factor * in_a_run &&
         part * mismatching <= std::max(factor, factor / kNoiseFactor * in_a_run);
}

/// Infinities are where numbers end, and which of many end is chance; a NaN beside them excuses only some.
bool IsOddInARun(const Output& output, double factor) {
  const auto in_a_run = static_cast<double>(output.noise->odd_on_one_side);
  const auto more_nans = static_cast<double>(output.result.nan - output.reference.nan);
  return in_a_run > 0 && more_nans <= factor * in_a_run;
}

bool IsNoise(const Output& output, double factor = kNoiseFactor) {
  if (!output.noise) return false;
  const Noise& noise = *output.noise;
  if (IsInteger(output)) return IsNoiseOfIntegers(output, factor);
  if (output.odd_on_one_side > 0 && !IsOddInARun(output, factor)) return false;
  return output.rmse <= factor * noise.floor && IsInTheSamePlaces(output, factor);
}

int64_t ElementsOf(const Output& output) {
  return c10::multiply_integers(output.sizes);
}

/// A wrong kernel is mostly wrong all over.
bool IsLikeAKink(const Output& output) {
  constexpr double kSmall = 0.05;
  constexpr int64_t kFew = 16;
  const int64_t elements = ElementsOf(output);
  if (output.mismatching <= std::max(kFew, elements / 100) &&
      (IsInteger(output) || 2 * output.mismatching <= elements))
    return true;
  return !IsInteger(output) && output.rmse <= kSmall * output.size;
}

bool IsUnexplained(const Output& output) {
  return !output.passes && !IsNoise(output);
}

/// Of what depends on numbers.
bool CanBeMoved(const Mismatch& mismatch) {
  return mismatch.kind == MismatchKind::kShape || mismatch.kind == MismatchKind::kValue;
}

/// Marks the mismatches that the run has, too.
void AddMismatches(const c10::IValue& reference, const c10::IValue& run, const Options& options,
                   Verdict& verdict) {
  if (std::ranges::none_of(verdict.mismatches, CanBeMoved)) return;
  const Verdict moved = Compare(reference, run, std::nullopt, options);
  for (Mismatch& mismatch : verdict.mismatches) {
    mismatch.is_noise |=
        CanBeMoved(mismatch) && std::ranges::any_of(moved.mismatches, [&](const Mismatch& other) {
          return other.kind == mismatch.kind && other.path == mismatch.path;
        });
  }
}

}  // namespace

void BeginNoise(Verdict& verdict) {
  for (Output& output : verdict.outputs) {
    if (!output.rmse_reference_fp64) continue;
    output.noise = Noise{.fp64 = output.rmse_reference_fp64, .floor = *output.rmse_reference_fp64};
    output.noise->factor = Factor(output.rmse, output.noise->floor);
  }
}

void AddNoise(const c10::IValue& reference, NoiseSource source, const c10::IValue& run,
              const Options& options, Verdict& verdict, const UndefinedElements& undefined) {
  AddMismatches(reference, run, options, verdict);
  const NumbersByPath references = CollectNumbers(reference);
  const NumbersByPath others = CollectNumbers(run);
  for (Output& output : verdict.outputs) {
    const std::optional<Summary> moved =
        Distance(references, others, output.path, options.tolerance, undefined, output.off);
    if (!moved) continue;
    if (!output.noise) output.noise.emplace();
    Noise& noise = *output.noise;
    std::optional<double>& member = Member(noise, source);
    member = std::max(member.value_or(0), moved->rmse_between());
    noise.floor = std::max(noise.floor, *member);
    noise.factor = Factor(output.rmse, noise.floor);
    noise.mismatching = std::max(noise.mismatching, moved->mismatching);
    noise.odd_on_one_side = std::max(noise.odd_on_one_side, moved->nan_on_one_side + moved->inf_on_one_side);
  }
}

void ForgiveOverflow(Verdict& verdict) {
  for (Output& output : verdict.outputs) {
    if (!output.noise) output.noise.emplace();
    output.noise->odd_on_one_side = ElementsOf(output);
  }
}

bool MayBeNoise(const Verdict& verdict, double most) {
  return MayBeKink(verdict) || std::ranges::any_of(verdict.outputs, [&](const Output& output) {
           if (!IsUnexplained(output)) return false;
           return !output.noise || output.noise->factor <= most || output.odd_on_one_side > 0;
         });
}

bool MayBeKink(const Verdict& verdict) {
  return std::ranges::any_of(
             verdict.mismatches,
             [](const Mismatch& mismatch) { return CanBeMoved(mismatch) && !mismatch.is_noise; }) ||
         std::ranges::any_of(verdict.outputs, [](const Output& output) {
           return IsUnexplained(output) && IsLikeAKink(output);
         });
}

bool IsNearNoise(const Verdict& verdict) {
  return verdict.mismatches.empty() && std::ranges::all_of(verdict.outputs, [](const Output& output) {
           return output.passes || IsNoise(output, kNearNoiseFactor);
         });
}

void ForgiveNoise(Verdict& verdict) {
  std::erase_if(verdict.mismatches, [](const Mismatch& mismatch) { return mismatch.is_noise; });
  for (Output& output : verdict.outputs) {
    if (output.passes || !IsNoise(output)) continue;
    output.passes = true;
    output.rule = Rule::kNoise;
  }
}

}  // namespace culprit::compare
