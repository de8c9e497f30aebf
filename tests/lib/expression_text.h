// SPDX-License-Identifier: Apache-2.0
//
// Expressions of the text form for tests: parsed from a text, and shown again with all parentheses.
//
//   const ParsedExpression parsed("-a * f(b, c=1)");
//   parsed.Show();                                      // "((-a) * f(b, c=1))"
//   EvaluateConstant(parsed.source(), parsed.arena(), parsed.id());
#pragma once

#include <string>

#include "graph/text/syntax/expression.h"

namespace culprit::tests {

inline std::string ShowExpression(const graph::text::ExpressionArena& arena, graph::text::ExpressionId id) {
  using graph::text::ExpressionKind;
  const graph::text::Expression& expression = arena[id];
  const std::string text(expression.text);
  const auto child = [&](uint32_t i) { return ShowExpression(arena, arena.child(expression, i)); };
  const auto children = [&](uint32_t first) {
    std::string shown;
    for (uint32_t i = first; i < expression.child_count; ++i) shown += (i > first ? ", " : "") + child(i);
    return shown;
  };
  switch (expression.kind) {
    case ExpressionKind::kCall:
      return child(0) + "(" + children(1) + ")";
    case ExpressionKind::kKeyword:
      return text + "=" + child(0);
    case ExpressionKind::kAttribute:
      return "(" + child(0) + ")." + text;
    case ExpressionKind::kSubscript:
      return child(0) + "[" + child(1) + "]";
    case ExpressionKind::kSlice:
      return child(0) + "[:]";
    case ExpressionKind::kList:
      return "[" + children(0) + "]";
    case ExpressionKind::kTuple:
      return "tuple(" + children(0) + ")";
    case ExpressionKind::kDict:
      return "dict(" + children(0) + ")";
    case ExpressionKind::kUnary:
      return "(" + text + (text == "not" ? " " : "") + child(0) + ")";
    case ExpressionKind::kBinary:
      return "(" + child(0) + " " + text + " " + child(1) + ")";
    default:
      return text;
  }
}

/// Exactly one expression; an error in it is a bug of the test and throws.
class ParsedExpression {
 public:
  explicit ParsedExpression(std::string text)
      : text_(std::move(text)), source_("net.py", text_), id_(Parse()) {}
  ParsedExpression(const ParsedExpression&) = delete;

  const graph::text::Source& source() const { return source_; }
  const graph::text::ExpressionArena& arena() const { return arena_; }
  graph::text::ExpressionId id() const { return id_; }
  std::string Show() const { return ShowExpression(arena_, id_); }

 private:
  graph::text::ExpressionId Parse() {
    graph::text::TokenStream tokens = *graph::text::TokenStream::Open(source_);
    const graph::text::ExpressionId id = *ParseExpression(tokens, arena_);
    *tokens.Expect(graph::text::TokenKind::kNewline, "the end of the expression");
    return id;
  }

  std::string text_;
  graph::text::Source source_;
  graph::text::ExpressionArena arena_;
  graph::text::ExpressionId id_;
};

}  // namespace culprit::tests
