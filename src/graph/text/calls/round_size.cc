// SPDX-License-Identifier: Apache-2.0
#include "graph/text/calls/round_size.h"

namespace culprit::graph::text {
namespace {

using base::Result;

bool IsInt(const Argument& number, const Graph& graph) {
  if (number.is_constant()) return number.constant().isInt();
  return number.is_value() && graph.value(number.value()).kind == ValueKind::kInt;
}

}  // namespace

Result<Binding> RoundSize(const Argument& number, CallBuilder& calls) {
  if (IsInt(number, calls.graph())) return Binding::Single(number);
  const auto apply = [&](std::string_view builtin,
                         const std::vector<Argument>& operands) -> Result<Argument> {
    return CULPRIT_TRY(calls.CallBuiltin(builtin, operands)).items.front();
  };
  const Argument half(c10::IValue(0.5)), two(c10::IValue(int64_t{2}));
  const Argument low =
      CULPRIT_TRY(apply("python::ceil", {CULPRIT_TRY(apply("python::sub", {number, half}))}));
  const Argument high =
      CULPRIT_TRY(apply("python::floor", {CULPRIT_TRY(apply("python::add", {number, half}))}));
  const Argument distance = CULPRIT_TRY(apply("python::sub", {high, low}));
  const Argument is_odd = CULPRIT_TRY(apply("python::mod", {low, two}));
  const Argument step = CULPRIT_TRY(apply("python::mul", {distance, is_odd}));
  return Binding::Single(CULPRIT_TRY(apply("python::add", {low, step})));
}

}  // namespace culprit::graph::text
