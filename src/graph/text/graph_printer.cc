// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/internal_error.h"
#include "graph/placeholder_word.h"
#include "graph/text/literal.h"
#include "graph/text/python_operators.h"
#include "graph/text/script.h"
#include "graph/text/string_literal.h"
#include "graph/text/tensor_printer.h"

namespace culprit::graph::text {
namespace {

using base::Result;

class GraphPrinter {
 public:
  GraphPrinter(const Graph& graph, const std::vector<StorageContents>& contents)
      : graph_(graph), contents_(contents) {}

  Result<std::string> Print() {
    Line("class Repro(torch.nn.Module):");
    const size_t class_line = out_.size();
    if (!graph_.name().empty()) Line("    graph_name = {}", StringToText(graph_.name()));
    PrintPlaceholderKinds();
    PrintPlaceholderSymbols();
    if (out_.size() > class_line) Line("");
    Line("    def __init__(self):");
    Line("        super().__init__()");
    for (size_t i = 0; i < graph_.constants().size(); ++i) {
      const TensorConstant& constant = graph_.constants()[i];
      const std::string& name = Name(constant.value);
      Result<std::string> data =
          TensorToText(constant, i < contents_.size() ? contents_[i] : StorageContents{});
      if (!data.ok())
        return base::Diagnostic{{}, fmt::format("constant '{}': {}", name, data.error().message)};
      Line("        self.register_buffer('{}', {})", name, *data);
    }
    Line("");
    PrintSignature();
    for (const TensorConstant& constant : graph_.constants()) {
      Line("        {} = self.{}", Name(constant.value), Name(constant.value));
    }
    for (const Node& node : graph_.nodes()) PrintNode(node);
    PrintReturn();
    return fmt::to_string(out_);
  }

 private:
  template <typename... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_.push_back('\n');
  }
  void Append(std::string_view text) { out_.append(text.data(), text.data() + text.size()); }

  const std::string& Name(ValueId id) const { return graph_.value(id).name; }

  void PrintPlaceholderKinds() {
    std::vector<std::string> entries;
    for (const Placeholder& placeholder : graph_.placeholders()) {
      if (placeholder.kind == PlaceholderKind::kInput) continue;
      entries.push_back(fmt::format("'{}': '{}'", Name(placeholder.value), ToString(placeholder.kind)));
    }
    if (!entries.empty()) Line("    placeholder_kinds = {{{}}}", fmt::join(entries, ", "));
  }

  void PrintPlaceholderSymbols() {
    std::vector<std::string> entries;
    for (const Placeholder& placeholder : graph_.placeholders()) {
      std::vector<std::string> symbols;
      for (const std::string& symbol : placeholder.symbols)
        symbols.push_back(symbol.empty() ? "None" : StringToText(symbol));
      if (!symbols.empty())
        entries.push_back(fmt::format("'{}': [{}]", Name(placeholder.value), fmt::join(symbols, ", ")));
    }
    if (!entries.empty()) Line("    placeholder_symbols = {{{}}}", fmt::join(entries, ", "));
  }

  void PrintSignature() {
    Append("    def forward(self");
    for (const Placeholder& placeholder : graph_.placeholders()) {
      const Value& value = graph_.value(placeholder.value);
      Append(", ");
      Append(value.name);
      if (value.kind != ValueKind::kTensor) Append(fmt::format(": '{}'", ToString(value.kind)));
    }
    Append("):\n");
  }

  /// As PyTorch writes it: a comment holds until the next one.
  void PrintModelLine(const Node& node) {
    const std::string_view line = node.model_line ? std::string_view(*node.model_line) : "";
    if (line == model_line_) return;
    Append("        # File: ");
    Append(line);
    Append("\n");
    model_line_ = line;
  }

  void PrintNode(const Node& node) {
    PrintModelLine(node);
    Append("        ");
    for (size_t i = 0; i < node.results.size(); ++i) {
      if (i > 0) Append(", ");
      Append(Name(node.results[i]));
    }
    if (!node.results.empty()) Append(" = ");
    if (node.op->name().starts_with("python::")) {
      PrintBuiltin(node);
    } else {
      PrintCall(node);
    }
    Append("\n");
  }

  void PrintBuiltin(const Node& node) {
    const std::string& name = node.op->name();
    const auto operand = [&](size_t i) { return Text(node.op->slots()[i], node.arguments[i]); };
    if (name == "python::getitem") {
      Append(fmt::format("{}[{}]", operand(0), operand(1)));
    } else if (name == "python::neg" || name == "python::not_") {
      Append(fmt::format("{}{}", name == "python::neg" ? "-" : "not ", operand(0)));
    } else if (const std::string_view symbol = SymbolOfBuiltin(name); !symbol.empty()) {
      Append(fmt::format("{} {} {}", operand(0), symbol, operand(1)));
    } else {
      Append(FunctionOfBuiltin(name));
      Append(node.arguments.size() == 1 ? fmt::format("({})", operand(0))
                                        : fmt::format("({}, {})", operand(0), operand(1)));
    }
  }

  void PrintCall(const Node& node) {
    const std::string& name = node.op->name();
    const size_t colon = name.find("::");
    const std::string_view overload =
        node.op->overload().empty() ? "default" : std::string_view(node.op->overload());
    Append("torch.ops.");
    Append(std::string_view(name).substr(0, colon));
    Append(".");
    Append(std::string_view(name).substr(colon + 2));
    Append(".");
    Append(overload);
    Append("(");
    PrintArguments(node);
    Append(")");
  }

  // Positions up to the last one that differs from its default, then the keywords that do.
  void PrintArguments(const Node& node) {
    const auto& formals = node.op->schema().arguments();
    size_t positions = 0;
    for (size_t i = 0; i < formals.size() && !formals[i].kwarg_only(); ++i) {
      if (!IsDefault(node, i)) positions = i + 1;
    }
    bool first = true;
    for (size_t i = 0; i < formals.size(); ++i) {
      const bool positional = i < positions;
      if (!positional && (!formals[i].kwarg_only() || IsDefault(node, i))) continue;
      if (!first) Append(", ");
      first = false;
      if (!positional) Append(fmt::format("{}=", formals[i].name()));
      Append(Text(node.op->slots()[i], node.arguments[i]));
    }
  }

  // Compares through the text, which is what decides whether leaving it out changes anything.
  bool IsDefault(const Node& node, size_t index) const {
    const c10::Argument& formal = node.op->schema().arguments()[index];
    if (!formal.default_value()) return false;
    const c10::IValue& value = *formal.default_value();
    const Argument& argument = node.arguments[index];
    if (argument.is_value()) return false;
    if (!value.isList()) return SameAsDefault(argument, value, node.op->slots()[index]);
    if (!argument.is_list()) return false;
    const auto elements = value.toListRef();
    const Argument::List& list = argument.list();
    return list.size() == elements.size() &&
           std::equal(list.begin(), list.end(), elements.begin(),
                      [&](const Argument& a, const c10::IValue& b) {
                        return SameAsDefault(a, b, *node.op->slots()[index].element);
                      });
  }

  static bool SameAsDefault(const Argument& argument, const c10::IValue& value, const Slot& slot) {
    if (argument.is_list()) {
      const auto same = [&](const Argument& element) { return SameAsDefault(element, value, *slot.element); };
      const auto length = static_cast<size_t>(slot.fixed_length);
      return length > 0 && argument.list().size() == length &&
             std::all_of(argument.list().begin(), argument.list().end(), same);
    }
    if (!argument.is_constant()) return false;
    const bool widened = slot.kind == SlotKind::kFloat && value.isInt();
    return SameConstant(argument.constant(),
                        widened ? c10::IValue(static_cast<double>(value.toInt())) : value);
  }

  std::string Text(const Slot& slot, const Argument& argument) const {
    if (argument.is_value()) return Name(argument.value());
    if (argument.is_list()) {
      std::string text = "[";
      for (const Argument& element : argument.list()) {
        if (text.size() > 1) text += ", ";
        text += Text(*slot.element, element);
      }
      return text + "]";
    }
    const c10::IValue& constant = argument.constant();
    if (constant.isInt()) {
      const int64_t number = constant.toInt();
      if (const std::string_view name = EnumName(slot.kind, number); !name.empty()) return std::string(name);
    }
    return ConstantToText(constant);
  }

  static std::string_view EnumName(SlotKind kind, int64_t number) {
    if (number < 0 || number > INT8_MAX) return {};
    if (kind == SlotKind::kDtype) return text::NameOf(static_cast<at::ScalarType>(number));
    if (kind == SlotKind::kLayout) return text::NameOf(static_cast<at::Layout>(number));
    if (kind == SlotKind::kMemoryFormat) return text::NameOf(static_cast<at::MemoryFormat>(number));
    return {};
  }

  void PrintReturn() {
    Append("        return (");
    for (size_t i = 0; i < graph_.outputs().size(); ++i) {
      if (i > 0) Append(" ");
      const Argument& output = graph_.outputs()[i];
      Append(output.is_value() ? Name(output.value()) : ConstantToText(output.constant()));
      if (i + 1 < graph_.outputs().size() || i == 0) Append(",");
    }
    Append(")\n");
  }

  const Graph& graph_;
  const std::vector<StorageContents>& contents_;
  /// Of the node before.
  std::string_view model_line_;
  fmt::memory_buffer out_;
};

}  // namespace

Result<std::string> PrintGraph(const Graph& graph, const std::vector<StorageContents>& contents) {
  return GraphPrinter(graph, contents).Print();
}

}  // namespace culprit::graph::text
