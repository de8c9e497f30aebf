// SPDX-License-Identifier: Apache-2.0
#include "repro/cpp/cpp_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "repro/cpp/cpp_builtin.h"
#include "repro/cpp/cpp_literal.h"

namespace culprit::repro {
namespace {

using base::Diagnostic;
using base::Result;
using graph::Argument;
using graph::Slot;
using graph::SlotKind;
using graph::ValueId;
using graph::ValueKind;

std::string_view TypeOf(ValueKind kind) {
  switch (kind) {
    case ValueKind::kTensor:
      return "at::Tensor";
    case ValueKind::kTensorList:
      return "std::vector<at::Tensor>";
    case ValueKind::kInt:
      return "int64_t";
    case ValueKind::kIntList:
      return "std::vector<int64_t>";
    case ValueKind::kFloat:
      return "double";
    case ValueKind::kBool:
      return "bool";
    case ValueKind::kNumber:
      return "c10::IValue";
    case ValueKind::kGenerator:
      return "at::Generator";
  }
  return "c10::IValue";
}

// What is passed decides, whatever the graph says a placeholder is: None, for example, is no tensor.
struct ParameterType {
  std::string_view operator()(const graph::IntSpec&) const { return "int64_t"; }
  std::string_view operator()(const graph::GeneratorSpec&) const { return "const at::Generator&"; }
  std::string_view operator()(const graph::AbsentSpec&) const { return "const c10::IValue&"; }
  std::string_view operator()(const graph::ConstantSpec& spec) const {
    if (spec.value.isString()) return "const std::string&";
    return spec.value.isBool() ? "bool" : "double";
  }
  std::string_view operator()(const auto& /*tensor*/) const { return "const at::Tensor&"; }
};

// What a list in C++ holds, as the operator wants it.
std::string_view ElementType(SlotKind kind) {
  switch (kind) {
    case SlotKind::kTensor:
      return "at::Tensor";
    case SlotKind::kInt:
      return "int64_t";
    case SlotKind::kFloat:
      return "double";
    case SlotKind::kBool:
      return "bool";
    case SlotKind::kString:
      return "std::string";
    default:
      return {};
  }
}

class ForwardWriter {
 public:
  explicit ForwardWriter(const CppGraphParts& parts) : parts_(parts), graph_(parts.graph) {}

  Result<std::string> Write() {
    text_ = fmt::format("Values Forward({}) {{\n", fmt::join(Parameters(), ", "));
    for (size_t i = 0; i < graph_.constants().size(); ++i)
      Line("const at::Tensor {} = {};", Name(graph_.constants()[i].value), parts_.constants[i]);
    for (const graph::Node& node : graph_.nodes()) WriteNode(node);
    std::vector<std::string> outputs;
    for (const Argument& output : graph_.outputs())
      outputs.push_back(output.is_value() ? Name(output.value())
                                          : CppConstant(output.constant(), SlotKind::kUnsupported));
    Line("return {{{}}};", fmt::join(outputs, ", "));
    text_ += "}\n";
    if (!nested_list_in_.empty()) {
      return Diagnostic{
          {}, fmt::format("{} takes a list of lists, which cannot be written in C++ yet", nested_list_in_)};
    }
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += "  " + fmt::format(format, std::forward<Args>(args)...) + "\n";
  }

  const std::string& Name(ValueId id) const { return parts_.names[graph::Index(id)]; }

  std::vector<std::string> Parameters() const {
    std::vector<std::string> parameters;
    for (size_t i = 0; i < graph_.placeholders().size(); ++i) {
      parameters.push_back(fmt::format("{} {}", std::visit(ParameterType{}, parts_.inputs.inputs[i]),
                                       Name(graph_.placeholders()[i].value)));
    }
    return parameters;
  }

  void WriteNode(const graph::Node& node) {
    std::vector<std::string> arguments;
    for (size_t i = 0; i < node.arguments.size(); ++i)
      arguments.push_back(Text(node, node.op->slots()[i], node.arguments[i]));
    std::vector<std::string_view> types;
    std::vector<std::string> names;
    for (const ValueId result : node.results) {
      types.push_back(TypeOf(graph_.value(result).kind));
      names.push_back(Name(result));
    }
    if (node.op->is_builtin()) {
      Line("const {} {} = {};", types.at(0), names.at(0), CppBuiltin(*node.op, arguments));
      return;
    }
    const std::string call =
        fmt::format("(\"{}\", {{{}}});", node.op->qualified_name(), fmt::join(arguments, ", "));
    if (names.empty()) {
      Line("CallAll<>{}", call);
    } else if (names.size() == 1) {
      Line("const auto {} = Call<{}>{}", names[0], types[0], call);
    } else {
      Line("const auto [{}] = CallAll<{}>{}", fmt::join(names, ", "), fmt::join(types, ", "), call);
    }
  }

  std::string Text(const graph::Node& node, const Slot& slot, const Argument& argument) {
    if (argument.is_list()) return ListText(node, slot, argument.list());
    if (argument.is_value()) return ValueText(slot, argument.value());
    const std::string constant = CppConstant(argument.constant(), slot.kind);
    const bool wrapped = slot.kind == SlotKind::kTensor && !argument.constant().isNone();
    return wrapped ? fmt::format("Wrapped({})", constant) : constant;
  }

  std::string ValueText(const Slot& slot, ValueId id) const {
    const std::string& name = Name(id);
    const ValueKind kind = graph_.value(id).kind;
    if (slot.kind == SlotKind::kTensor && kind != ValueKind::kTensor) return fmt::format("Wrapped({})", name);
    if (slot.kind == SlotKind::kFloat && kind != ValueKind::kFloat) return fmt::format("Float({})", name);
    const bool optional_tensors =
        slot.kind == SlotKind::kList && slot.element->kind == SlotKind::kTensor && slot.element->optional;
    return optional_tensors ? fmt::format("OptionalTensors(Values({0}.begin(), {0}.end()))", name) : name;
  }

  std::string ListText(const graph::Node& node, const Slot& slot, const Argument::List& list) {
    const Slot& element = *slot.element;
    const std::string_view type = ElementType(element.kind);
    const bool scalars = element.kind == SlotKind::kNumber;
    if (type.empty() && !scalars) nested_list_in_ = node.op->qualified_name();
    std::vector<std::string> elements;
    for (const Argument& argument : list) {
      elements.push_back(Text(node, element, argument));
      // What item() returns becomes what the list holds.
      if (IsAnyNumber(argument) && (element.kind == SlotKind::kInt || element.kind == SlotKind::kBool))
        elements.back() += fmt::format(".to<{}>()", type);
    }
    const std::string all = fmt::format("{}", fmt::join(elements, ", "));
    if (scalars) return fmt::format("Scalars({{{}}})", all);
    if (element.optional) return fmt::format("OptionalTensors({{{}}})", all);
    return fmt::format("List<{}>({{{}}})", type, all);
  }

  bool IsAnyNumber(const Argument& argument) const {
    if (!argument.is_value()) return false;
    const graph::Value& value = graph_.value(argument.value());
    return value.kind == ValueKind::kNumber && value.origin == graph::Origin::kNode;
  }

  const CppGraphParts& parts_;
  const graph::Graph& graph_;
  std::string text_;
  std::string nested_list_in_;
};

}  // namespace

Result<std::string> CppForward(const CppGraphParts& parts) {
  return ForwardWriter(parts).Write();
}

}  // namespace culprit::repro
