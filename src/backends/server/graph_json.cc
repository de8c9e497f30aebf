// SPDX-License-Identifier: Apache-2.0
#include "backends/server/graph_json.h"

#include <fmt/format.h>

#include "backend/refusal.h"
#include "graph/ir/needed_arguments.h"
#include "graph/ir/placeholder_word.h"
#include "graph/text/syntax/literal.h"

namespace culprit::backends::server {
namespace {

using graph::Argument;
using graph::Slot;
using graph::SlotKind;
using nlohmann::json;

/// Exact, and Python and C read it back: "0.1", "inf", "nan".
std::string NumberText(double number) {
  return fmt::format("{}", number);
}

/// "torch.float32" => "float32".
std::string WithoutModule(std::string_view name) {
  return std::string(name.substr(name.find('.') + 1));
}

json IntToJson(const Slot& slot, int64_t number) {
  const auto small = static_cast<int8_t>(number);
  if (slot.kind == SlotKind::kDtype)
    return {{"dtype", WithoutModule(graph::text::NameOf(static_cast<at::ScalarType>(small)))}};
  if (slot.kind == SlotKind::kLayout)
    return {{"layout", WithoutModule(graph::text::NameOf(static_cast<at::Layout>(small)))}};
  if (slot.kind == SlotKind::kMemoryFormat)
    return {{"memory_format", WithoutModule(graph::text::NameOf(static_cast<at::MemoryFormat>(small)))}};
  return number;
}

class GraphWriter {
 public:
  explicit GraphWriter(const graph::Graph& graph) : graph_(graph) {}

  json Write(const std::function<json(size_t)>& constant) const {
    json placeholders = json::array(), constants = json::array(), nodes = json::array();
    for (const graph::Placeholder& placeholder : graph_.placeholders()) {
      placeholders.push_back({{"name", Name(placeholder.value)},
                              {"kind", graph::ToString(placeholder.kind)},
                              {"symbols", placeholder.symbols}});
    }
    for (size_t i = 0; i < graph_.constants().size(); ++i)
      constants.push_back({{"name", Name(graph_.constants()[i].value)}, {"tensor", constant(i)}});
    for (const graph::Node& node : graph_.nodes()) nodes.push_back(NodeToJson(node));
    json outputs = json::array();
    for (const Argument& output : graph_.outputs()) outputs.push_back(ArgumentToJson(Slot{}, output));
    return {{"name", graph_.name()},
            {"placeholders", placeholders},
            {"constants", constants},
            {"nodes", nodes},
            {"outputs", outputs}};
  }

 private:
  const std::string& Name(graph::ValueId id) const { return graph_.value(id).name; }

  json NodeToJson(const graph::Node& node) const {
    const graph::NeededArguments needed = graph::NeededArgumentsOf(node);
    json arguments = json::array(), keywords = json::array(), results = json::array();
    for (size_t i = 0; i < needed.positions; ++i)
      arguments.push_back(ArgumentToJson(node.op->slots()[i], node.arguments[i]));
    for (const size_t i : needed.keywords) {
      keywords.push_back(
          {node.op->schema().arguments()[i].name(), ArgumentToJson(node.op->slots()[i], node.arguments[i])});
    }
    for (const graph::ValueId result : node.results) results.push_back(Name(result));
    return {{"results", results},
            {"operator", node.op->qualified_name()},
            {"arguments", arguments},
            {"keywords", keywords}};
  }

  json ArgumentToJson(const Slot& slot, const Argument& argument) const {
    if (argument.is_value()) return {{"value", Name(argument.value())}};
    if (argument.is_list()) {
      json list = json::array();
      const Slot none;
      const Slot& element_slot = slot.element ? *slot.element : none;
      for (const Argument& element : argument.list()) list.push_back(ArgumentToJson(element_slot, element));
      return list;
    }
    if (argument.constant().isInt()) return IntToJson(slot, argument.constant().toInt());
    return ConstantToJson(argument.constant());
  }

  const graph::Graph& graph_;
};

}  // namespace

json GraphToJson(const graph::Graph& graph, const std::function<json(size_t)>& constant) {
  return GraphWriter(graph).Write(constant);
}

json ConstantToJson(const c10::IValue& constant) {
  if (constant.isNone()) return nullptr;
  if (constant.isBool()) return constant.toBool();
  if (constant.isInt()) return constant.toInt();
  if (constant.isDouble()) return {{"float", NumberText(constant.toDouble())}};
  if (constant.isString()) return constant.toStringRef();
  if (constant.isDevice()) return {{"device", constant.toDevice().str()}};
  if (constant.isComplexDouble()) {
    const c10::complex<double> number = constant.toComplexDouble();
    return {{"complex", {NumberText(number.real()), NumberText(number.imag())}}};
  }
  throw backend::Refusal(fmt::format("{} cannot be sent to a server", constant.tagKind()));
}

}  // namespace culprit::backends::server
