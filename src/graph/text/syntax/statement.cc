// SPDX-License-Identifier: Apache-2.0
#include "graph/text/syntax/statement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace culprit::graph::text {
namespace {

using base::Result;

constexpr std::array<std::string_view, 12> kBlockKeywords = {
    "if", "for", "while", "with", "def", "class", "try", "async", "else", "except", "finally", "elif"};

Result<Statement> Finish(TokenStream& tokens, Statement statement) {
  if (tokens.peek().kind == TokenKind::kEnd || tokens.peek().kind == TokenKind::kDedent) return statement;
  CULPRIT_TRY(tokens.Expect(TokenKind::kNewline, "the end of the statement"));
  return statement;
}

bool AtLineEnd(const TokenStream& tokens) {
  const TokenKind kind = tokens.peek().kind;
  return kind == TokenKind::kNewline || kind == TokenKind::kEnd || kind == TokenKind::kDedent;
}

Result<Statement> ParseReturn(TokenStream& tokens, ExpressionArena& arena, Statement statement) {
  statement.kind = Statement::Kind::kReturn;
  CULPRIT_TRY(tokens.Take());
  if (!AtLineEnd(tokens)) statement.value = CULPRIT_TRY(ParseExpression(tokens, arena));
  return Finish(tokens, std::move(statement));
}

Result<Statement> ParseAssignmentOrExpression(TokenStream& tokens, ExpressionArena& arena,
                                              Statement statement) {
  ExpressionId expression = CULPRIT_TRY(ParseExpression(tokens, arena));
  if (CULPRIT_TRY(tokens.TakeIf(":"))) CULPRIT_TRY(ParseSingleExpression(tokens, arena));
  while (CULPRIT_TRY(tokens.TakeIf("="))) {
    statement.targets.push_back(expression);
    expression = CULPRIT_TRY(ParseExpression(tokens, arena));
  }
  statement.kind = statement.targets.empty() ? Statement::Kind::kExpression : Statement::Kind::kAssign;
  statement.value = expression;
  return Finish(tokens, std::move(statement));
}

Result<Parameter> ParseParameter(TokenStream& tokens, ExpressionArena& arena) {
  const Token name = CULPRIT_TRY(tokens.Expect(TokenKind::kName, "a parameter's name"));
  Parameter parameter{.name = name.text, .offset = name.offset};
  if (CULPRIT_TRY(tokens.TakeIf(":"))) {
    const Expression annotation = arena[CULPRIT_TRY(ParseSingleExpression(tokens, arena))];
    parameter.annotation = annotation.text;
    const bool quoted = annotation.kind == ExpressionKind::kString && annotation.text.size() >= 2;
    if (quoted) parameter.annotation = annotation.text.substr(1, annotation.text.size() - 2);
  }
  if (CULPRIT_TRY(tokens.TakeIf("=")))
    parameter.default_value = CULPRIT_TRY(ParseSingleExpression(tokens, arena));
  return parameter;
}

}  // namespace

Result<Statement> ParseStatement(TokenStream& tokens, ExpressionArena& arena) {
  const Token first = tokens.peek();
  Statement statement{.offset = first.offset};
  if (first.kind == TokenKind::kNewline || first.Is("pass")) {
    CULPRIT_TRY(tokens.SkipLine());
    return statement;
  }
  if (first.kind == TokenKind::kIndent) return tokens.ErrorHere("unexpected indentation");
  const bool block =
      std::find(kBlockKeywords.begin(), kBlockKeywords.end(), first.text) != kBlockKeywords.end();
  if (first.kind == TokenKind::kName && block) {
    return tokens.ErrorHere(
        fmt::format("'{}' cannot be part of a graph, which is straight-line code", first.text));
  }
  if (first.Is("return")) return ParseReturn(tokens, arena, std::move(statement));
  if (first.Is("del")) {
    statement.kind = Statement::Kind::kDelete;
    CULPRIT_TRY(tokens.Take());
    statement.targets.push_back(CULPRIT_TRY(ParseExpression(tokens, arena)));
    return Finish(tokens, std::move(statement));
  }
  return ParseAssignmentOrExpression(tokens, arena, std::move(statement));
}

Result<FunctionHeader> ParseFunctionHeader(TokenStream& tokens, ExpressionArena& arena) {
  FunctionHeader header;
  CULPRIT_TRY(tokens.Expect("def"));
  CULPRIT_TRY(tokens.Expect(TokenKind::kName, "a function's name"));
  CULPRIT_TRY(tokens.Expect("("));
  bool behind_star = false;
  while (!tokens.peek().Is(")")) {
    if (CULPRIT_TRY(tokens.TakeIf("*"))) {
      behind_star = true;
    } else {
      header.parameters.push_back(CULPRIT_TRY(ParseParameter(tokens, arena)));
      header.parameters.back().keyword_only = behind_star;
    }
    if (!CULPRIT_TRY(tokens.TakeIf(","))) break;
  }
  CULPRIT_TRY(tokens.Expect(")"));
  if (CULPRIT_TRY(tokens.TakeIf("->"))) CULPRIT_TRY(ParseSingleExpression(tokens, arena));
  CULPRIT_TRY(tokens.Expect(":"));
  header.has_block = tokens.peek().kind == TokenKind::kNewline;
  if (header.has_block) {
    CULPRIT_TRY(tokens.Take());
    header.is_empty = tokens.peek().kind != TokenKind::kIndent;
    if (!header.is_empty) CULPRIT_TRY(tokens.Take());
  }
  return header;
}

}  // namespace culprit::graph::text
