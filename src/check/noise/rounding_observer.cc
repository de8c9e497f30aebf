// SPDX-License-Identifier: Apache-2.0
#include "check/noise/rounding_observer.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>

#include "check/noise/exactness.h"
#include "check/noise/nudge.h"
#include "check/noise/operator_family.h"
#include "graph/tensors/map_tensors.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::check {
namespace {

double LargestOf(at::ScalarType dtype) {
  return dtype == at::kDouble ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max();
}

bool IsRealOnCpu(const at::Tensor& tensor) {
  return graph::IsPlain(tensor) && tensor.device().is_cpu() && c10::isFloatingType(tensor.scalar_type());
}

/// A sum of all elements is infinite in some order. Sums of halves are floats, but a half itself is infinite soon.
bool MaySumOverflow(const at::Tensor& terms) {
  const at::NoGradGuard no_grad;
  if (!IsRealOnCpu(terms) || terms.numel() == 0 || c10::isFloat8Type(terms.scalar_type())) return false;
  const bool is_half = terms.scalar_type() == at::kHalf;
  const double limit = is_half ? 65504.0 / 16 : LargestOf(terms.scalar_type());
  const auto [least, most] = terms.aminmax();
  const double largest = std::max(std::abs(least.item<double>()), std::abs(most.item<double>()));
  if (largest < (is_half ? limit : limit / static_cast<double>(terms.numel()))) return false;
  const at::Tensor sizes = terms.to(at::kDouble).abs_().nan_to_num_(0, 0, 0);
  return (is_half ? sizes.max() : sizes.sum()).item<double>() > limit;
}

/// A product of all elements is infinite, or 0, in one order only.
bool MayProductOverflow(const at::Tensor& factors) {
  const at::NoGradGuard no_grad;
  if (!IsRealOnCpu(factors)) return false;
  const bool is_double = factors.scalar_type() == at::kDouble;
  const at::Tensor exponents = factors.to(at::kDouble).abs().log2().nan_to_num(0, 0, 0);
  const double most = is_double ? 1023 : 127, least = is_double ? -1074 : -149;
  return exponents.clamp_min(0).sum().item<double>() > most ||
         exponents.clamp_max(0).sum().item<double>() < least;
}

bool HoldsRounded(const at::Tensor& tensor) {
  return graph::IsPlain(tensor) &&
         (c10::isFloatingType(tensor.scalar_type()) || c10::isComplexType(tensor.scalar_type()));
}

bool CanBeMoved(const at::Tensor& tensor) {
  return HoldsRounded(tensor) && tensor.device().is_cpu();
}

/// Sums of whole numbers are exact, but a sum that is a whole number need not be one of these. Whole numbers
/// that were moved are none that have a fraction.
bool HasFractions(const at::Tensor& tensor) {
  const at::NoGradGuard no_grad;
  if (!CanBeMoved(tensor) || tensor.is_complex()) return false;
  constexpr double kMoved = 1e-5;
  return tensor.sub(tensor.round()).abs().gt(tensor.abs().mul(kMoved)).any().item<bool>();
}

/// By how many units in the last place a sum of so many numbers may be off, however it is computed. Sums of
/// short numbers are computed in Float and rounded once.
int UnitsOfSum(int64_t terms, at::ScalarType dtype) {
  const bool is_short = dtype != at::kFloat && dtype != at::kDouble;
  return is_short || terms < 2 ? 1 : 1 + static_cast<int>(std::log2(static_cast<double>(terms))) / 4;
}

at::Tensor Moved(const at::Tensor& gradient, const Nudge& nudge) {
  if (!gradient.defined() || !CanBeMoved(gradient)) return gradient;
  at::Tensor moved = gradient.clone();
  NudgeStorage(moved.storage(), c10::toRealValueType(moved.scalar_type()), nudge);
  return moved;
}

}  // namespace

void RoundingObserver::Before(graph::NodeId id, const torch::jit::Stack& arguments) {
  known_.clear();
  largest_ = at::Tensor();
  const graph::Node& node = graph_.nodes()[graph::Index(id)];
  exact_ = ExactElements::Of(node, arguments);
  const std::string_view family = FamilyOf(node.op->name());
  const bool multiplies_all = family == "prod" || family == "cumprod";
  adds_up_ = AddsUp(node);
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (graph::WritesInto(node, i)) continue;
    graph::MapTensors(arguments[i], [&](const at::Tensor& tensor) {
      if (!tensor.defined()) return tensor;
      if (!largest_.defined() || tensor.numel() > largest_.numel()) largest_ = tensor;
      if (multiplies_all) rounding_.may_overflow |= MayProductOverflow(tensor);
      if (adds_up_) rounding_.may_overflow = rounding_.may_overflow || MaySumOverflow(tensor);
      if (graph::IsPlain(tensor)) known_.insert(tensor.storage().unsafeGetStorageImpl());
      return tensor;
    });
  }
}

void RoundingObserver::After(graph::NodeId id, const torch::jit::Stack& results) {
  ++steps_;
  if (const MovedCopy copy = CopyAt(id); copy.movement != Movement::kNone) {
    const at::Tensor moved = results[0].toTensor();
    if (!copy.only_complex || moved.is_complex())
      Move(moved, /*keep_integers=*/copy.movement == Movement::kFractions);
    return;
  }
  const graph::Node& node = graph_.nodes()[graph::Index(id)];
  if (IsExact(node)) return;
  const bool keep_integers = ExactnessOf(node.op->name()) == Exactness::kWholeNumbers;
  for (const c10::IValue& result : results) {
    graph::MapTensors(result, [&](const at::Tensor& tensor) {
      Round(tensor, keep_integers);
      return tensor;
    });
  }
}

/// Of these arguments.
bool RoundingObserver::IsExact(const graph::Node& node) const {
  if (ExactnessOf(node.op->name()) != Exactness::kAlways) return false;
  const bool is_complex = largest_.defined() && largest_.is_complex();
  return !is_complex || !RoundsComplex(node.op->name());
}

void RoundingObserver::Round(const at::Tensor& result, bool keep_integers) {
  if (!HoldsRounded(result)) return;
  if (!known_.insert(result.storage().unsafeGetStorageImpl()).second) return;
  if (!CanBeMoved(result)) return Move(result, keep_integers);
  const at::ScalarType dtype = c10::toRealValueType(result.scalar_type());
  const int64_t terms = largest_.defined() ? largest_.numel() / std::max<int64_t>(result.numel(), 1) : 1;
  if (exact_ || (keep_integers && terms > 1 && HasFractions(largest_))) keep_integers = false;
  Nudge nudge{.pattern = Pattern(), .keep_integers = keep_integers, .units = UnitsOfSum(terms, dtype)};
  const auto move = [&](const at::Tensor& piece) {
    rounding_.moved += NudgeElements(piece, nudge);
    nudge.pattern += 0xD1B54A32D192ED03u;
  };
  if (adds_up_) rounding_.may_overflow = rounding_.may_overflow || MaySumOverflow(result);
  exact_ ? exact_->Keep(result, move) : move(result);
  // The backward pass rounds, too.
  if (result.requires_grad()) {
    result.register_hook(
        [pattern = Pattern()](const at::Tensor& gradient) { return Moved(gradient, {.pattern = ~pattern}); });
  }
}

uint64_t RoundingObserver::Pattern() const {
  return rounding_.pattern * 0x9E3779B97F4A7C15u + steps_;
}

MovedCopy RoundingObserver::CopyAt(graph::NodeId id) const {
  return copies_.empty() ? MovedCopy() : copies_[graph::Index(id)];
}

void RoundingObserver::Move(const at::Tensor& copy, bool keep_integers) {
  if (!graph::IsPlain(copy) || copy.is_meta()) return;
  const Nudge nudge{.pattern = Pattern(), .keep_integers = keep_integers};
  if (copy.device().is_cpu()) {
    rounding_.moved += NudgeElements(copy, nudge);
    return;
  }
  const at::NoGradGuard no_grad;
  const at::Tensor on_cpu = copy.detach().cpu();
  rounding_.moved += NudgeElements(on_cpu, nudge);
  graph::TensorOn(copy.storage(), graph::Geometry::Of(copy)).copy_(on_cpu);
}

}  // namespace culprit::check
