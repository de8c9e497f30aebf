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

NumbersByPath Collect(const std::optional<c10::IValue>& value) {
  NumbersByPath numbers;
  if (value) Collect("", *value, 0, numbers);
  return numbers;
}

/// RMSE of two tensors of the same path, if they can be compared at all.
std::optional<double> Distance(const NumbersByPath& references, const NumbersByPath& others,
                               const std::string& path) {
  const auto reference = references.find(path);
  const auto other = others.find(path);
  if (reference == references.end() || other == others.end()) return std::nullopt;
  if (!CompareStructure(path, reference->second, other->second, {}).numbers_correspond) return std::nullopt;
  const Operands operands(Dense(reference->second), Dense(other->second), std::nullopt);
  return Summarize(operands, {0, /*equal_nan=*/true}).rmse_between();
}

double Factor(double error, double floor) {
  if (error == 0) return 0;
  return floor == 0 ? INFINITY : error / floor;
}

}  // namespace

void MeasureNoise(const c10::IValue& reference, const NoiseRuns& runs, Verdict& verdict) {
  const NumbersByPath references = Collect(reference);
  const NumbersByPath repeated = Collect(runs.repeated);
  const NumbersByPath nudged = Collect(runs.nudged);
  for (Output& output : verdict.outputs) {
    Noise noise;
    noise.repeated = Distance(references, repeated, output.path);
    noise.nudged = Distance(references, nudged, output.path);
    noise.fp64 = output.rmse_reference_fp64;
    if (!noise.repeated && !noise.nudged && !noise.fp64) continue;
    noise.floor = std::max({noise.repeated.value_or(0), noise.nudged.value_or(0), noise.fp64.value_or(0)});
    noise.factor = Factor(output.rmse, noise.floor);
    output.noise = noise;
  }
}

}  // namespace culprit::compare
