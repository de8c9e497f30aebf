// SPDX-License-Identifier: Apache-2.0
#include "graph/text/expansion.h"

#include <fmt/format.h>

#include "base/internal_error.h"

namespace culprit::graph::text {

base::Result<Argument> Emitter::EmitOne(std::string_view op, std::vector<Argument> positional,
                                        std::vector<std::pair<std::string, Argument>> keyword) {
  const std::vector<ValueId> results =
      CULPRIT_TRY(Emit(op, {.positional = std::move(positional), .keyword = std::move(keyword)}));
  CULPRIT_CHECK(!results.empty(), "{} has no result", op);
  return Argument(results.front());
}

Argument Constant(c10::IValue value) {
  return Argument(std::move(value));
}

base::Result<std::vector<int64_t>> ConstantInts(const Argument& argument, std::string_view what) {
  std::vector<int64_t> ints;
  const auto fits = [](const Argument& element) {
    return element.is_constant() && element.constant().isInt();
  };
  if (argument.is_list()) {
    for (const Argument& element : argument.list()) {
      if (!fits(element)) break;
      ints.push_back(element.constant().toInt());
    }
  }
  if (argument.is_list() && ints.size() == argument.list().size()) return ints;
  return base::Diagnostic{{}, fmt::format("argument '{}' must be a list of constant ints here", what)};
}

base::Result<double> ConstantNumber(const Argument& argument, std::string_view what) {
  if (argument.is_constant() && argument.constant().isDouble()) return argument.constant().toDouble();
  if (argument.is_constant() && argument.constant().isInt()) {
    return static_cast<double>(argument.constant().toInt());
  }
  return base::Diagnostic{{}, fmt::format("argument '{}' must be a constant number here", what)};
}

base::Result<bool> ConstantBool(const Argument& argument, std::string_view what) {
  if (argument.is_constant() && argument.constant().isBool()) return argument.constant().toBool();
  return base::Diagnostic{{}, fmt::format("argument '{}' must be True or False here", what)};
}

}  // namespace culprit::graph::text
