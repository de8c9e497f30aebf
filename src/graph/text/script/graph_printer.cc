// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/internal_error.h"
#include "graph/ir/needed_arguments.h"
#include "graph/ir/placeholder_word.h"
#include "graph/text/script/script.h"
#include "graph/text/syntax/literal.h"
#include "graph/text/syntax/python_operators.h"
#include "graph/text/syntax/string_literal.h"
#include "graph/text/values/tensor_printer.h"

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

  void PrintArguments(const Node& node) {
    const NeededArguments needed = NeededArgumentsOf(node);
    for (size_t i = 0; i < needed.positions; ++i) {
      if (i > 0) Append(", ");
      Append(Text(node.op->slots()[i], node.arguments[i]));
    }
    bool first = needed.positions == 0;
    for (const size_t i : needed.keywords) {
      if (!first) Append(", ");
      first = false;
      Append(fmt::format("{}=", node.op->schema().arguments()[i].name()));
      Append(Text(node.op->slots()[i], node.arguments[i]));
    }
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
