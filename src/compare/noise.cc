// SPDX-License-Identifier: Apache-2.0
#include "compare/noise.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "compare/summary.h"
#include "compare/tensor_structure.h"
#include "compare/tree.h"

namespace culprit::compare {
namespace {

using NumbersByPath = std::map<std::string, at::Tensor>;

void Collect(const std::string& path, const c10::IValue& value, int depth, NumbersByPath& numbers) {
  const Node node = OpenNode(value);
  if (depth > kMaxDepth) return;
  for (const Child& child : node.children) Collect(Join(path, child.step), child.value, depth + 1, numbers);
  if (node.kind != NodeKind::kLeaf) return;
  if (const std::optional<at::Tensor> tensor = NumbersOf(value)) numbers.emplace(path, *tensor);
}

NumbersByPath Collect(const c10::IValue& value) {
  NumbersByPath numbers;
  Collect("", value, 0, numbers);
  return numbers;
}

/// Of two tensors of the same path, if they can be compared at all.
std::optional<Summary> Distance(const NumbersByPath& references, const NumbersByPath& others,
                                const std::string& path, double tolerance) {
  const auto reference = references.find(path);
  const auto other = others.find(path);
  if (reference == references.end() || other == others.end()) return std::nullopt;
  if (!CompareStructure(path, reference->second, other->second, {}).numbers_correspond) return std::nullopt;
  const Operands operands(Dense(reference->second), Dense(other->second), std::nullopt);
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

bool IsNoise(const Output& output) {
  if (!output.noise) return false;
  const Noise& noise = *output.noise;
  if (c10::isIntegralType(output.dtype, /*includeBool=*/true))
    return static_cast<double>(output.mismatching) <= kNoiseFactor * static_cast<double>(noise.mismatching);
  if (output.odd_on_one_side > 0 && noise.odd_on_one_side == 0) return false;
  return output.rmse <= kNoiseFactor * noise.floor;
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
              const Options& options, Verdict& verdict) {
  const NumbersByPath references = Collect(reference);
  const NumbersByPath others = Collect(run);
  for (Output& output : verdict.outputs) {
    const std::optional<Summary> moved = Distance(references, others, output.path, options.tolerance);
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
    output.noise->odd_on_one_side = std::max<int64_t>(output.noise->odd_on_one_side, 1);
  }
}

bool MayBeNoise(const Verdict& verdict, double most) {
  return std::ranges::any_of(verdict.outputs, [&](const Output& output) {
    if (output.passes || IsNoise(output)) return false;
    return !output.noise || output.noise->factor <= most || output.odd_on_one_side > 0 ||
           c10::isIntegralType(output.dtype, /*includeBool=*/true);
  });
}

void ForgiveNoise(Verdict& verdict) {
  for (Output& output : verdict.outputs) {
    if (output.passes || !IsNoise(output)) continue;
    output.passes = true;
    output.rule = Rule::kNoise;
  }
}

}  // namespace culprit::compare
