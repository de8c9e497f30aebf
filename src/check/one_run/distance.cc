// SPDX-License-Identifier: Apache-2.0
#include "check/one_run/distance.h"

#include <cmath>
#include <limits>

#include "base/internal_error.h"

namespace culprit::check {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Distance BetweenNumbers(double output, double reference) {
  if (output == reference || (std::isnan(output) && std::isnan(reference))) return {};
  const double difference = std::abs(output - reference);
  if (!std::isfinite(difference)) return {kInfinity, kInfinity};
  return {difference, difference / std::abs(reference)};
}

bool IsComparable(const c10::IValue& value) {
  if (!value.isTensor() || !value.toTensor().defined()) return false;
  constexpr int64_t kMostSparse = int64_t{1} << 28;
  const at::Tensor& tensor = value.toTensor();
  return tensor.numel() > 0 && (tensor.layout() == at::kStrided || tensor.numel() <= kMostSparse);
}

at::Tensor Widened(const at::Tensor& tensor) {
  at::Tensor dense = tensor.detach();
  if (dense.is_quantized()) dense = dense.dequantize();
  if (dense.layout() != at::kStrided) dense = dense.to_dense();
  return dense.to(tensor.is_complex() ? at::kComplexDouble : at::kDouble);
}

Distance BetweenTensors(const at::Tensor& output, const at::Tensor& reference) {
  if (output.sizes() != reference.sizes()) return {kInfinity, kInfinity};
  const at::Tensor x = Widened(output);
  const at::Tensor y = Widened(reference);
  const at::Tensor agree = x.eq(y).logical_or(x.isnan().logical_and(y.isnan()));
  const auto largest = [&](const at::Tensor& differences) {
    return differences.nan_to_num(kInfinity, kInfinity).masked_fill(agree, 0).max().item<double>();
  };
  const at::Tensor difference = x.sub(y).abs();
  return {largest(difference), largest(difference.div(y.abs()))};
}

}  // namespace

std::optional<Distance> DistanceBetween(const c10::IValue& output, const c10::IValue& reference) {
  if (IsComparable(output) && IsComparable(reference))
    return BetweenTensors(output.toTensor(), reference.toTensor());
  const bool are_real = output.isScalar() && reference.isScalar() && !output.isComplexDouble();
  if (are_real) return BetweenNumbers(output.toScalar().toDouble(), reference.toScalar().toDouble());
  return std::nullopt;
}

Distances DistancesBetween(const std::vector<c10::IValue>& outputs,
                           const std::vector<c10::IValue>& references) {
  CULPRIT_CHECK(outputs.size() == references.size(), "{} outputs, {} references", outputs.size(),
                references.size());
  Distances distances;
  for (size_t i = 0; i < outputs.size(); ++i) distances.push_back(DistanceBetween(outputs[i], references[i]));
  return distances;
}

}  // namespace culprit::check
