// SPDX-License-Identifier: Apache-2.0
#include "check/noise/coarse_rounding.h"

#include <set>

#include "graph/tensors/map_tensors.h"

namespace culprit::check {
namespace {

// The coarsest first.
constexpr Rounding kRoundings[] = {
    {at::kBFloat16, 4 * 0x1p-7},
    {at::kHalf, 4 * 0x1p-10},
};

using Dtypes = std::set<at::ScalarType>;

void AddDtypes(const c10::IValue& value, Dtypes& dtypes) {
  graph::MapTensors(value, [&](const at::Tensor& tensor) {
    if (tensor.defined()) dtypes.insert(c10::toRealValueType(tensor.scalar_type()));
    return tensor;
  });
}

void AddDtypes(const graph::Node& node, Dtypes& dtypes) {
  for (size_t i = 0; i < node.arguments.size(); ++i) {
    const graph::Argument& argument = node.arguments[i];
    const bool names_dtype = !node.op->is_builtin() && node.op->slots()[i].kind == graph::SlotKind::kDtype;
    if (names_dtype && argument.is_constant() && argument.constant().isInt())
      dtypes.insert(c10::toRealValueType(static_cast<at::ScalarType>(argument.constant().toInt())));
  }
}

}  // namespace

std::optional<Rounding> CoarseRounding(const graph::Graph& graph, const std::vector<c10::IValue>& inputs,
                                       const repro::RunSettings& settings) {
  Dtypes dtypes = {settings.default_dtype};
  if (settings.autocast) dtypes.insert(settings.autocast->dtype);
  for (const c10::IValue& input : inputs) AddDtypes(input, dtypes);
  for (const graph::TensorConstant& constant : graph.constants()) AddDtypes(constant.tensor, dtypes);
  for (const graph::Node& node : graph.nodes()) AddDtypes(node, dtypes);
  for (const Rounding& rounding : kRoundings) {
    if (dtypes.contains(rounding.dtype)) return rounding;
  }
  return std::nullopt;
}

}  // namespace culprit::check
