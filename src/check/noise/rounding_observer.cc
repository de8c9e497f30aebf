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

bool MayOverflow(const NudgedNumbers& seen, at::ScalarType dtype) {
  // Sums of halves are floats, but a half itself is infinite soon.
  if (dtype == at::kHalf) return seen.largest > 65504.0 / 16;
  return seen.sum_of_sizes > (dtype == at::kDouble ? std::numeric_limits<double>::max()
                                                   : double{std::numeric_limits<float>::max()});
}

/// A product of all elements is infinite, or 0, in one order only.
bool MayProductOverflow(const at::Tensor& factors) {
  const at::NoGradGuard no_grad;
  if (!c10::isFloatingType(factors.scalar_type()) || !factors.device().is_cpu()) return false;
  const bool is_double = factors.scalar_type() == at::kDouble;
  const at::Tensor exponents = factors.to(at::kDouble).abs().log2().nan_to_num(0, 0, 0);
  const double most = is_double ? 1023 : 127, least = is_double ? -1074 : -149;
  return exponents.clamp_min(0).sum().item<double>() > most ||
         exponents.clamp_max(0).sum().item<double>() < least;
}

bool CanBeMoved(const at::Tensor& tensor) {
  const bool has_memory = graph::IsPlain(tensor) && tensor.device().is_cpu();
  return has_memory &&
         (c10::isFloatingType(tensor.scalar_type()) || c10::isComplexType(tensor.scalar_type()));
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
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (graph::WritesInto(node, i)) continue;
    graph::MapTensors(arguments[i], [&](const at::Tensor& tensor) {
      if (!tensor.defined()) return tensor;
      if (!largest_.defined() || tensor.numel() > largest_.numel()) largest_ = tensor;
      if (multiplies_all) rounding_.may_overflow |= MayProductOverflow(tensor);
      if (graph::IsPlain(tensor)) known_.insert(tensor.storage().unsafeGetStorageImpl());
      return tensor;
    });
  }
}

void RoundingObserver::After(graph::NodeId id, const torch::jit::Stack& results) {
  ++steps_;
  if (const Movement movement = MovementOf(id); movement != Movement::kNone) {
    Move(results[0].toTensor(), /*keep_integers=*/movement == Movement::kFractions);
    return;
  }
  const Exactness exactness = ExactnessOf(graph_.nodes()[graph::Index(id)].op->name());
  if (exactness == Exactness::kAlways) return;
  for (const c10::IValue& result : results) {
    graph::MapTensors(result, [&](const at::Tensor& tensor) {
      Round(tensor, /*keep_integers=*/exactness == Exactness::kWholeNumbers);
      return tensor;
    });
  }
}

void RoundingObserver::Round(const at::Tensor& result, bool keep_integers) {
  if (!CanBeMoved(result)) return;
  if (!known_.insert(result.storage().unsafeGetStorageImpl()).second) return;
  const at::ScalarType dtype = c10::toRealValueType(result.scalar_type());
  const int64_t terms = largest_.defined() ? largest_.numel() / std::max<int64_t>(result.numel(), 1) : 1;
  if (exact_ || (keep_integers && terms > 1 && HasFractions(largest_))) keep_integers = false;
  Nudge nudge{.pattern = Pattern(), .keep_integers = keep_integers, .units = UnitsOfSum(terms, dtype)};
  const auto move = [&](const at::Tensor& piece) {
    const NudgedNumbers seen = NudgeElements(piece, nudge);
    nudge.pattern += 0xD1B54A32D192ED03u;
    rounding_.may_overflow |= MayOverflow(seen, dtype);
    rounding_.moved += seen.count;
  };
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

Movement RoundingObserver::MovementOf(graph::NodeId id) const {
  return movements_.empty() ? Movement::kNone : movements_[graph::Index(id)];
}

void RoundingObserver::Move(const at::Tensor& copy, bool keep_integers) {
  if (!graph::IsPlain(copy) || copy.is_meta()) return;
  const Nudge nudge{.pattern = Pattern(), .keep_integers = keep_integers};
  if (copy.device().is_cpu()) {
    rounding_.moved += NudgeElements(copy, nudge).count;
    return;
  }
  const at::NoGradGuard no_grad;
  const at::Tensor on_cpu = copy.detach().cpu();
  rounding_.moved += NudgeElements(on_cpu, nudge).count;
  graph::TensorOn(copy.storage(), graph::Geometry::Of(copy)).copy_(on_cpu);
}

}  // namespace culprit::check
