// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/random_graph/attributes.h"

#include <limits>
#include <string_view>

namespace culprit::tests {
namespace {

using graph::Argument;
using graph::Slot;
using graph::SlotKind;

Argument RandomDtypeArgument(GraphMaker& maker, const Slot& slot) {
  if (slot.optional && maker.Chance(60)) return None();
  return Constant(static_cast<int64_t>(maker.Choice(
      {at::kFloat, at::kFloat, at::kDouble, at::kLong, at::kBFloat16, at::kBool, at::kComplexFloat})));
}

Argument RandomMemoryFormat(GraphMaker& maker, const at::Tensor& about) {
  const auto format = about.dim() == 4 && maker.Chance(50)
                          ? at::MemoryFormat::ChannelsLast
                          : maker.Choice({at::MemoryFormat::Contiguous, at::MemoryFormat::Preserve});
  return maker.Chance(25) ? None() : Constant(static_cast<int64_t>(format));
}

std::optional<Argument> RandomString(GraphMaker& maker, std::string_view name) {
  const auto one_of = [&](std::initializer_list<const char*> options) {
    return Constant(std::string(maker.Choice(options)));
  };
  if (name == "rounding_mode") return maker.Chance(30) ? None() : one_of({"floor", "trunc"});
  if (name == "approximate") return one_of({"none", "tanh"});
  if (name == "reduce") return one_of({"sum", "prod", "mean", "amax", "amin"});
  if (name == "indexing") return one_of({"ij", "xy"});
  return std::nullopt;
}

bool IsDimension(std::string_view name) {
  return name.starts_with("dim") || name.starts_with("axis") || name == "start_dim" || name == "source" ||
         name == "destination";
}

std::optional<Argument> RandomInt(GraphMaker& maker, std::string_view name, const at::Tensor& about) {
  const int64_t rank = std::max<int64_t>(about.dim(), 1);
  if (IsDimension(name)) return Constant(maker.Between(-rank, rank - 1));
  if (name == "end_dim") return Constant<int64_t>(-1);
  if (name == "reduction") return Constant(maker.Between(0, 2));
  if (name == "correction") return Constant(maker.Between(0, 1));
  if (name == "diagonal" || name == "offset") return Constant(maker.Between(-2, 2));
  if (name == "k" || name == "decimals" || name == "chunks" || name == "sections" || name == "n") {
    return Constant(maker.Between(1, 3));
  }
  return std::nullopt;
}

std::optional<Argument> RandomIntList(GraphMaker& maker, std::string_view name, const Slot& slot,
                                      const at::Tensor& about) {
  if (!IsDimension(name) || slot.element->kind != SlotKind::kInt) return std::nullopt;
  if (slot.optional && maker.Chance(15)) return None();
  Sizes dims;
  for (int64_t dim = 0; dim < about.dim(); ++dim) {
    if (maker.Chance(50)) dims.push_back(maker.Chance(30) ? dim - about.dim() : dim);
  }
  if (dims.empty() && about.dim() > 0) dims.push_back(-1);
  return Argument::Ints(dims);
}

std::optional<Argument> RandomFloat(GraphMaker& maker, std::string_view name) {
  if (name == "eps") return Constant(maker.Choice({1e-05, 1e-12, 0.001}));
  if (name == "p" || name == "momentum") return Constant(maker.Choice({0.0, 0.1, 0.5, 0.30000000000000004}));
  if (name == "beta" || name == "delta") return Constant(maker.Choice({0.5, 1.0, 2.5}));
  return maker.Chance(40) ? Constant(SpecialFloat(maker))
                          : Constant(static_cast<double>(maker.Between(-9, 9)) / 4);
}

}  // namespace

double SpecialFloat(GraphMaker& maker) {
  using Limits = std::numeric_limits<double>;
  return maker.Choice({Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), -0.0, 0.0,
                       Limits::denorm_min(), -Limits::denorm_min(), Limits::max(), Limits::lowest(), 1e-05,
                       1e-310, 0.1, 1.0 / 3, 1e16, 123456789.125, -3.4028234663852886e+38});
}

Argument RandomNumber(GraphMaker& maker, const at::Tensor& about) {
  if (maker.Chance(10)) {
    if (const auto computed = maker.ComputedNumber()) return *computed;
  }
  if (about.is_complex() && maker.Chance(60)) {
    return Constant(c10::complex<double>(maker.Choice({0.0, -0.0, 1.5}), maker.Choice({-2.0, 1.0, 1e-05})));
  }
  const bool integral = c10::isIntegralType(about.scalar_type(), /*includeBool=*/true);
  if (maker.Chance(integral ? 80 : 25)) return Constant(maker.Between(1, 5));
  return maker.Chance(25) ? Constant(SpecialFloat(maker))
                          : Constant(static_cast<double>(maker.Between(-20, 20)) / 8);
}

std::optional<Argument> RandomAttribute(GraphMaker& maker, const c10::Argument& formal, const Slot& slot,
                                        const at::Tensor& about) {
  switch (slot.kind) {
    case SlotKind::kNumber:
      // Some kernels multiply uninitialised memory with a beta of zero and get NaN now and then.
      if (formal.name() == "beta") return Constant(maker.Choice({0.5, 1.0, -2.0, 1e-05}));
      return slot.optional && maker.Chance(40) ? None() : RandomNumber(maker, about);
    case SlotKind::kBool:
      // Memory can be pinned only where there is an accelerator.
      return formal.name() == "pin_memory" ? Constant(false) : Constant(maker.Chance(50));
    case SlotKind::kInt:
      return slot.optional && maker.Chance(15) ? None() : RandomInt(maker, formal.name(), about);
    case SlotKind::kFloat:
      return slot.optional && maker.Chance(50) ? None() : RandomFloat(maker, formal.name());
    case SlotKind::kString:
      return RandomString(maker, formal.name());
    case SlotKind::kDevice:
      return maker.Chance(50) ? None() : Constant(c10::Device(c10::kCPU));
    case SlotKind::kDtype:
      return RandomDtypeArgument(maker, slot);
    case SlotKind::kLayout:
      return maker.Chance(50) ? None() : Constant(static_cast<int64_t>(c10::kStrided));
    case SlotKind::kMemoryFormat:
      return RandomMemoryFormat(maker, about);
    case SlotKind::kList:
      return RandomIntList(maker, formal.name(), slot, about);
    default:
      return slot.optional ? std::optional(None()) : std::nullopt;
  }
}

}  // namespace culprit::tests
