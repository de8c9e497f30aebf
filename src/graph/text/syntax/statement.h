// SPDX-License-Identifier: Apache-2.0
//
// Statements of the straight-line code in forward, __init__ and load_args.
//
//   a = b = expression      targets {a, b}       ("a = None" tails are assignments too)
//   a, b = expression       one target, a tuple
//   x: "f32[4]" = ...       the annotation is dropped
//   expression              no target
//   return expression
//   del a, b
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "graph/text/syntax/expression.h"
#include "graph/text/syntax/token_stream.h"

namespace culprit::graph::text {

struct Statement {
  enum class Kind : uint8_t { kAssign, kExpression, kReturn, kDelete, kPass };
  Kind kind = Kind::kPass;
  size_t offset = 0;
  std::vector<ExpressionId> targets;
  /// Missing for a bare return, del and pass.
  std::optional<ExpressionId> value;
};

/// Reads one simple statement and its line end. Anything with a block (if, for, with, def ...) is an error: a
/// graph is straight-line code.
base::Result<Statement> ParseStatement(TokenStream& tokens, ExpressionArena& arena);

/// A formal parameter of a function.
struct Parameter {
  std::string_view name;
  /// Without quotes.
  std::string_view annotation;
  std::optional<ExpressionId> default_value;
  bool keyword_only = false;
  size_t offset = 0;
};

/// Reads `def name(a, b: "annotation" = default, *, c):` up to and including the indentation of the body. A
/// body on the same line is accepted too; `has_block` says which of the two it is. PyTorch writes load_args
/// without a body if it has nothing to say; Python would not accept that.
struct FunctionHeader {
  std::vector<Parameter> parameters;
  bool has_block = true;
  bool is_empty = false;
};
base::Result<FunctionHeader> ParseFunctionHeader(TokenStream& tokens, ExpressionArena& arena);

/// Calls `visit(statement)` for each statement of a function that starts at `offset`, until the block ends or
/// the visitor returns false. The arena is emptied before each statement unless `keep` is set.
template <typename Visitor>
base::Status ForEachStatement(TokenStream& tokens, ExpressionArena& arena, const FunctionHeader& header,
                              bool keep, Visitor&& visit) {
  if (header.is_empty) return base::Done{};
  while (tokens.peek().kind != TokenKind::kDedent && tokens.peek().kind != TokenKind::kEnd) {
    if (!keep) arena.Clear();
    const Statement statement = CULPRIT_TRY(ParseStatement(tokens, arena));
    const bool go_on = CULPRIT_TRY(visit(statement));
    if (!go_on || !header.has_block) break;
  }
  return base::Done{};
}

}  // namespace culprit::graph::text
