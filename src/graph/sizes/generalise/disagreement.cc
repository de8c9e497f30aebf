// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/generalise/disagreement.h"

#include <fmt/format.h>

#include <map>
#include <sstream>

namespace culprit::graph::sizes {
namespace {

using c10::IValue;

std::string TextOf(const IValue& value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

/// Numbers are computed; graphs that capture and traces make have no nodes for them.
bool ComputesNumber(const Graph& graph, const Node& node) {
  if (node.results.size() != 1) return false;
  const ValueKind kind = graph.value(node.results[0]).kind;
  return kind == ValueKind::kInt || kind == ValueKind::kFloat;
}

class Comparison {
 public:
  Comparison(const Graph& general, const std::vector<IValue>& inputs, const SizedGraph& actual)
      : general_(general), actual_(actual) {
    for (size_t i = 0; i < inputs.size() && i < general.placeholders().size(); ++i) {
      if (inputs[i].isInt()) numbers_.emplace(general.placeholders()[i].value, inputs[i]);
    }
  }

  std::optional<Disagreement> Run() {
    if (!MatchPlaceholders()) return Disagreement{.what = "it has other inputs"};
    if (!MatchConstants()) return Disagreement{.what = "a tensor is made of a size"};
    size_t next = 0;
    for (const Node& node : general_.nodes()) {
      if (ComputesNumber(general_, node)) {
        if (!Compute(node)) return Disagreement{.what = "a size cannot be computed"};
        continue;
      }
      if (next == actual_.graph.nodes().size()) return Disagreement{.what = "it has fewer operators"};
      if (auto different = MatchNode(node, NodeId(next++))) return different;
    }
    if (next < actual_.graph.nodes().size()) return Disagreement{NodeId(next), "it has more operators"};
    return MatchOutputs() ? std::nullopt : std::optional(Disagreement{.what = "it returns something else"});
  }

 private:
  void Match(ValueId general, ValueId actual) { values_.emplace(general, actual); }

  /// Those that are numbers may have been added to `general`.
  bool MatchPlaceholders() {
    const auto& placeholders = actual_.graph.placeholders();
    if (general_.placeholders().size() < placeholders.size()) return false;
    for (size_t i = 0; i < placeholders.size(); ++i)
      Match(general_.placeholders()[i].value, placeholders[i].value);
    return true;
  }

  bool MatchConstants() {
    const auto& constants = actual_.graph.constants();
    if (general_.constants().size() != constants.size()) return false;
    for (size_t i = 0; i < constants.size(); ++i) {
      if (!SameTensor(general_.constants()[i].tensor, constants[i].tensor)) return false;
      Match(general_.constants()[i].value, constants[i].value);
    }
    return true;
  }

  std::optional<IValue> SizeIn(const Node& node) const {
    const auto value = values_.find(node.arguments[0].value());
    if (value == values_.end()) return std::nullopt;
    const std::vector<int64_t>& sizes = actual_.sizes[Index(value->second)];
    const auto dimension = static_cast<size_t>(node.arguments[1].constant().toInt());
    return dimension < sizes.size() ? std::optional<IValue>(sizes[dimension]) : std::nullopt;
  }

  std::optional<IValue> NumberIn(const Argument& argument) const {
    if (argument.is_constant()) return argument.constant();
    const auto number = argument.is_value() ? numbers_.find(argument.value()) : numbers_.end();
    return number == numbers_.end() ? std::nullopt : std::optional(number->second);
  }

  bool Compute(const Node& node) {
    static const Operator& size = Operator::Get("aten::sym_size.int");
    std::optional<IValue> number;
    if (node.op == &size) {
      number = SizeIn(node);
    } else {
      torch::jit::Stack stack;
      for (const Argument& argument : node.arguments) {
        const std::optional<IValue> operand = NumberIn(argument);
        if (!operand) return false;
        stack.push_back(*operand);
      }
      try {
        node.op->Call(stack);
        number = stack.back();
      } catch (const std::exception&) {
        // Overflow, or a division by zero.
        return false;
      }
    }
    if (number) numbers_.emplace(node.results[0], *number);
    return number.has_value();
  }

  std::optional<Disagreement> MatchNode(const Node& node, NodeId id) {
    const Node& actual = actual_.graph.node(id);
    if (node.op != actual.op || node.results.size() != actual.results.size())
      return Disagreement{id, fmt::format("it is {} there", node.op->qualified_name())};
    for (size_t i = 0; i < node.arguments.size(); ++i) {
      if (!Matches(node.arguments[i], actual.arguments[i])) return Disagreement{id, different_};
    }
    for (size_t i = 0; i < node.results.size(); ++i) Match(node.results[i], actual.results[i]);
    return std::nullopt;
  }

  bool MatchOutputs() {
    const std::vector<Argument>& outputs = actual_.graph.outputs();
    if (general_.outputs().size() != outputs.size()) return false;
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (!Matches(general_.outputs()[i], outputs[i])) return false;
    }
    return true;
  }

  /// If not, `different_` says why.
  bool Matches(const Argument& general, const Argument& actual) {
    if (general.is_list() && actual.is_list() && general.list().size() == actual.list().size()) {
      for (size_t i = 0; i < general.list().size(); ++i) {
        if (!Matches(general.list()[i], actual.list()[i])) return false;
      }
      return true;
    }
    const std::optional<IValue> number = NumberIn(general);
    if (number && actual.is_constant()) {
      if (SameConstant(*number, actual.constant())) return true;
      different_ = fmt::format("{} where it is {}", TextOf(*number), TextOf(actual.constant()));
      return false;
    }
    different_ = "it has other arguments";
    if (!general.is_value() || !actual.is_value()) return false;
    const auto value = values_.find(general.value());
    return value != values_.end() && value->second == actual.value();
  }

  const Graph& general_;
  const SizedGraph& actual_;
  /// From `general` to `actual`.
  std::map<ValueId, ValueId> values_;
  /// Of `general`.
  std::map<ValueId, IValue> numbers_;
  std::string different_;
};

}  // namespace

std::optional<Disagreement> CompareAt(const Graph& general, const std::vector<IValue>& inputs,
                                      const SizedGraph& actual) {
  return Comparison(general, inputs, actual).Run();
}

}  // namespace culprit::graph::sizes
