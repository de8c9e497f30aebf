// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/generalise/learn_numbers.h"

#include <map>
#include <string_view>

namespace culprit::graph::sizes {
namespace {

std::optional<Operation> OperationOf(std::string_view name) {
  if (name == "python::add") return Operation::kAdd;
  if (name == "python::sub") return Operation::kSubtract;
  if (name == "python::mul") return Operation::kMultiply;
  if (name == "python::floordiv") return Operation::kFloorDivide;
  if (name == "python::mod") return Operation::kModulo;
  if (name == "python::min") return Operation::kMinimum;
  if (name == "python::max") return Operation::kMaximum;
  return std::nullopt;
}

class Learner {
 public:
  Learner(const Graph& graph, const std::vector<SymbolPlace>& places) {
    for (const SymbolPlace& place : places) {
      const ValueId value = graph.placeholders()[place.placeholder].value;
      const Expression symbol = Expression::Symbol(place.symbol);
      if (place.dimension) {
        sizes_.emplace(std::pair(value, static_cast<int64_t>(*place.dimension)), symbol);
      } else {
        known_.emplace(value, symbol);
      }
    }
  }

  /// Nothing if it is no number, or depends on more than the sizes that are symbols.
  std::optional<Expression> Add(const Node& node) {
    std::optional<Expression> expression = Make(node);
    if (expression) known_.emplace(node.results[0], *expression);
    return expression;
  }

 private:
  std::optional<Expression> Make(const Node& node) const {
    if (node.op->qualified_name() == "aten::sym_size.int") {
      if (!node.arguments[0].is_value() || !node.arguments[1].is_constant()) return std::nullopt;
      const auto size = sizes_.find({node.arguments[0].value(), node.arguments[1].constant().toInt()});
      return size == sizes_.end() ? std::nullopt : std::optional(size->second);
    }
    const std::optional<Operation> operation = OperationOf(node.op->name());
    if (!operation || node.arguments.size() != 2) return std::nullopt;
    const std::optional<Expression> a = Find(node.arguments[0]);
    const std::optional<Expression> b = Find(node.arguments[1]);
    return a && b ? std::optional(Expression::Of(*operation, *a, *b)) : std::nullopt;
  }

  std::optional<Expression> Find(const Argument& argument) const {
    if (argument.is_constant() && argument.constant().isInt())
      return Expression::Constant(argument.constant().toInt());
    if (!argument.is_value()) return std::nullopt;
    const auto known = known_.find(argument.value());
    return known == known_.end() ? std::nullopt : std::optional(known->second);
  }

  std::map<std::pair<ValueId, int64_t>, Expression> sizes_;
  std::map<ValueId, Expression> known_;
};

}  // namespace

void LearnNumbers(const Graph& graph, const std::vector<SymbolPlace>& places, Numbers& numbers) {
  Learner learner(graph, places);
  for (const Node& node : graph.nodes()) {
    const std::optional<Expression> expression = learner.Add(node);
    const std::optional<Samples> samples = expression ? numbers.SamplesOf(*expression) : std::nullopt;
    if (samples) numbers.Know(*samples, *expression);
  }
}

}  // namespace culprit::graph::sizes
