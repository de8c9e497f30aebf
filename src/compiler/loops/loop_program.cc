// SPDX-License-Identifier: Apache-2.0
#include "compiler/loops/loop_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/internal_error.h"
#include "compiler/loops/type_rules.h"

namespace culprit::compiler::loops {
namespace {

std::string HowText(const LoopProgram& program, const Value& value) {
  std::string how;
  if (value.is_given()) return "given";
  if (value.node) {
    const graph::Node& node = program.graph->node(*value.node);
    how = fmt::format("{} {}", value.is_view ? "view" : "call", node.op->qualified_name());
    if (node.results.size() > 1) how += fmt::format(" result {}", value.result);
  }
  if (!value.loop) return how;
  if (!how.empty()) how += " or ";
  const Loop& loop = *value.loop;
  switch (loop.kind) {
    case LoopKind::kPointwise:
      return how + "each";
    case LoopKind::kReduction:
      return how + fmt::format("{} over [{}]", Describe(loop.combine).name, fmt::join(loop.reduced, ", "));
    case LoopKind::kScan:
      return how + fmt::format("{} along {}", Describe(loop.combine).name, loop.axis);
  }
  return how;
}

std::string ConditionsText(const LoopProgram& program, const Value& value) {
  std::string text;
  if (!value.loop) return text;
  for (const Precondition& each : value.loop->preconditions) text += ", if " + ToText(each, *program.graph);
  return text;
}

void VerifyPreconditions(const LoopProgram& program, size_t place) {
  for (const Precondition& each : program.values[place].loop->preconditions) {
    const ValueIndex indices = program.value_of[graph::Index(each.indices)];
    CULPRIT_CHECK(Index(indices) < place, "{} relies on what comes later", program.values[place].name);
    CULPRIT_CHECK(!program[indices].is_opaque && IsInteger(program[indices].dtype),
                  "{} relies on {}, which has no integers", program.values[place].name,
                  program[indices].name);
  }
}

void VerifyLoop(const LoopProgram& program, size_t place) {
  const Value& value = program.values[place];
  const Loop& loop = *value.loop;
  VerifyTypes(loop.body);
  CULPRIT_CHECK(IsComputable(value.dtype), "{}: loops cannot compute {}", value.name, NameOf(value.dtype));
  const Type type = loop.body.type(loop.result);
  const bool is_place = loop.kind == LoopKind::kReduction && FindsPlace(loop.combine);
  const bool is_rounded = loop.kind == LoopKind::kScan && type == Type::Double && value.dtype == at::kFloat;
  CULPRIT_CHECK(type == TypeInRegisters(value.dtype) || is_place || is_rounded, "{} is {} and computed as {}",
                value.name, NameOf(value.dtype), NameOf(type));
  CULPRIT_CHECK(loop.reduced.empty() || loop.kind == LoopKind::kReduction,
                "{}: reduced variables of no reduction", value.name);
  CULPRIT_CHECK(loop.kind != LoopKind::kScan || loop.axis < value.sizes.size(), "{}: scan along {}",
                value.name, loop.axis);
  const size_t variables = value.sizes.size() + loop.reduced.size();
  for (const Expression& expression : loop.body.expressions()) {
    CULPRIT_CHECK(expression.op != Op::kRow, "{}: a row in a program", value.name);
    const auto number = static_cast<size_t>(expression.integer);
    if (expression.op == Op::kIndex)
      CULPRIT_CHECK(number < variables, "{}: no loop variable {}", value.name, number);
    if (expression.op != Op::kLoad) continue;
    CULPRIT_CHECK(number < place, "{} loads what comes later", value.name);
    const Value& source = program.values[number];
    CULPRIT_CHECK(!source.is_opaque, "{} loads from {}, which has no memory", value.name, source.name);
    CULPRIT_CHECK(expression.operands.size() - (expression.masked ? 1 : 0) == source.sizes.size(),
                  "{} loads from {} with {} indices", value.name, source.name, expression.operands.size());
    CULPRIT_CHECK(expression.type == TypeInRegisters(source.dtype), "{} loads {} as {}", value.name,
                  source.name, NameOf(expression.type));
  }
}

}  // namespace

std::optional<ValueIndex> LoopProgram::Find(const std::string& handle) const {
  const size_t dot = std::min(handle.find('.'), handle.size());
  const auto merged = merged_into.find(handle.substr(0, dot));
  const std::string name = merged == merged_into.end() ? handle : merged->second + handle.substr(dot);
  const auto found = std::ranges::find(values, name, &Value::name);
  if (found == values.end()) return std::nullopt;
  return ValueIndex{static_cast<uint32_t>(found - values.begin())};
}

std::string ToText(const Precondition& precondition, const graph::Graph& graph) {
  return fmt::format("{} <= {} < {}", precondition.lowest, graph.value(precondition.indices).name,
                     precondition.end);
}

std::string ToText(const LoopProgram& program) {
  std::string text;
  for (const Value& value : program.values) {
    text +=
        fmt::format("{} = {}[{}] {}{}\n", value.name, value.is_opaque ? "opaque" : NameOf(value.dtype),
                    fmt::join(value.sizes, ", "), HowText(program, value), ConditionsText(program, value));
    if (!value.loop) continue;
    text += ToText(value.loop->body, [&](uint32_t source) { return program.values[source].name; });
    text += fmt::format("  => %{}\n", Index(value.loop->result));
  }
  return text;
}

void Verify(const LoopProgram& program) {
  for (size_t i = 0; i < program.values.size(); ++i) {
    if (!program.values[i].loop) continue;
    VerifyLoop(program, i);
    VerifyPreconditions(program, i);
  }
}

}  // namespace culprit::compiler::loops
