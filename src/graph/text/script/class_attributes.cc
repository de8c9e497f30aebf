// SPDX-License-Identifier: Apache-2.0
#include "graph/text/script/class_attributes.h"

#include <fmt/format.h>

#include "base/text.h"
#include "graph/ir/verify.h"
#include "graph/text/syntax/statement.h"
#include "graph/text/syntax/string_literal.h"

namespace culprit::graph::text {
namespace {

using base::Done;
using base::Result;
using base::Status;

std::optional<PlaceholderKind> PlaceholderKindFromName(std::string_view name) {
  if (name == "input") return PlaceholderKind::kInput;
  if (name == "parameter") return PlaceholderKind::kParameter;
  if (name == "buffer") return PlaceholderKind::kBuffer;
  return std::nullopt;
}

class ClassAttributes {
 public:
  ClassAttributes(const Source& source, const NameScope& scope, const std::optional<InputSpecs>& inputs,
                  Graph& graph)
      : source_(source), scope_(scope), inputs_(inputs), graph_(graph) {}

  Status ReadGraphName(size_t offset) {
    const Statement statement = CULPRIT_TRY(StatementAt(offset));
    if (statement.value) graph_.set_name(StringFromText(arena_[*statement.value].text).value_or(""));
    return Done{};
  }

  Status ReadKinds(size_t offset) {
    const Expression dict =
        CULPRIT_TRY(DictAt(offset, "expected: placeholder_kinds = {'name': 'parameter', ...}"));
    for (uint32_t i = 0; i + 1 < dict.child_count; i += 2) {
      const Expression& key = arena_.ChildOf(dict, i);
      const auto kind =
          PlaceholderKindFromName(StringFromText(arena_.ChildOf(dict, i + 1).text).value_or(""));
      const std::optional<size_t> placeholder = PlaceholderOf(key);
      if (!kind || !placeholder) {
        return source_.Error(
            key.offset, fmt::format("'{}' is no placeholder, or its kind is none of input, parameter, buffer",
                                    NameIn(key)));
      }
      graph_.SetPlaceholderKind(*placeholder, *kind);
    }
    return Done{};
  }

  Status ReadSymbols(size_t offset) {
    const Expression dict =
        CULPRIT_TRY(DictAt(offset, "expected: placeholder_symbols = {'name': ['s0', None], ...}"));
    for (uint32_t i = 0; i + 1 < dict.child_count; i += 2) {
      const Expression& key = arena_.ChildOf(dict, i);
      const std::optional<size_t> placeholder = PlaceholderOf(key);
      if (!placeholder) return source_.Error(key.offset, fmt::format("'{}' is no placeholder", NameIn(key)));
      const Expression& list = arena_.ChildOf(dict, i + 1);
      std::vector<std::string> symbols = CULPRIT_TRY(SymbolsIn(list));
      const std::optional<size_t> dimensions = DimensionsOf(*placeholder);
      if (dimensions && *dimensions != symbols.size())
        return source_.Error(list.offset, fmt::format("{} has {} dimensions, and symbols for {}", NameIn(key),
                                                      *dimensions, symbols.size()));
      graph_.SetSymbols(*placeholder, std::move(symbols));
    }
    return Done{};
  }

 private:
  Result<Statement> StatementAt(size_t offset) {
    TokenStream tokens = CULPRIT_TRY(TokenStream::Open(source_, offset));
    return ParseStatement(tokens, arena_);
  }

  Result<Expression> DictAt(size_t offset, const char* expected) {
    const Statement statement = CULPRIT_TRY(StatementAt(offset));
    if (statement.value && arena_[*statement.value].kind == ExpressionKind::kDict)
      return arena_[*statement.value];
    return source_.Error(offset, expected);
  }

  static std::string NameIn(const Expression& key) {
    return base::Printable(StringFromText(key.text).value_or(""));
  }

  std::optional<size_t> PlaceholderOf(const Expression& key) const {
    const auto found = scope_.names.find(StringFromText(key.text).value_or(""));
    if (found == scope_.names.end()) return std::nullopt;
    return graph_.value(found->second.items.front().value()).origin_index;
  }

  /// Nothing for what is no tensor, and if the file has no inputs.
  std::optional<size_t> DimensionsOf(size_t placeholder) const {
    if (!inputs_ || placeholder >= inputs_->inputs.size()) return std::nullopt;
    const auto* tensor = std::get_if<TensorSpec>(&inputs_->inputs[placeholder]);
    return tensor == nullptr ? std::nullopt : std::optional(tensor->sizes.size());
  }

  Result<std::vector<std::string>> SymbolsIn(const Expression& list) const {
    if (list.kind != ExpressionKind::kList)
      return source_.Error(list.offset, "expected a list with the symbol of each dimension, or None");
    std::vector<std::string> symbols;
    for (uint32_t i = 0; i < list.child_count; ++i) {
      const Expression& child = arena_.ChildOf(list, i);
      const bool is_fixed = child.kind == ExpressionKind::kName && child.text == "None";
      symbols.push_back(is_fixed ? "" : StringFromText(child.text).value_or(""));
      if (!is_fixed && !IsValidName(symbols.back()))
        return source_.Error(child.offset,
                             "a symbol is a name such as 's0', or None where the size is fixed");
    }
    return symbols;
  }

  const Source& source_;
  const NameScope& scope_;
  const std::optional<InputSpecs>& inputs_;
  Graph& graph_;
  ExpressionArena arena_;
};

}  // namespace

Status ReadClassAttributes(const Source& source, const ScriptOutline& outline, const NameScope& scope,
                           const std::optional<InputSpecs>& inputs, Graph& graph) {
  ClassAttributes attributes(source, scope, inputs, graph);
  if (outline.graph_name) CULPRIT_TRY(attributes.ReadGraphName(*outline.graph_name));
  if (outline.placeholder_kinds) CULPRIT_TRY(attributes.ReadKinds(*outline.placeholder_kinds));
  if (outline.placeholder_symbols) CULPRIT_TRY(attributes.ReadSymbols(*outline.placeholder_symbols));
  return Done{};
}

}  // namespace culprit::graph::text
