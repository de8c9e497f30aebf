// SPDX-License-Identifier: Apache-2.0
#include "graph/text/syntax/statement.h"

#include <gtest/gtest.h>

#include "tests/lib/expression_text.h"

namespace culprit::graph::text {
namespace {

std::string Show(const ExpressionArena& arena, const Statement& statement) {
  std::string text;
  for (const ExpressionId target : statement.targets) text += tests::ShowExpression(arena, target) + " <- ";
  if (statement.value) text += tests::ShowExpression(arena, *statement.value);
  switch (statement.kind) {
    case Statement::Kind::kAssign:
    case Statement::Kind::kExpression:
      return text;
    case Statement::Kind::kReturn:
      return "return " + text;
    case Statement::Kind::kDelete:
      return "delete " + text;
    case Statement::Kind::kPass:
      return "pass";
  }
  return "?";
}

/// The statements of a text, one per line, up to the first error.
std::string Parse(const std::string& text) {
  const Source source("net.py", text);
  TokenStream tokens = *TokenStream::Open(source);
  ExpressionArena arena;
  std::string shown;
  while (tokens.peek().kind != TokenKind::kEnd) {
    const base::Result<Statement> statement = ParseStatement(tokens, arena);
    if (!statement.ok())
      return shown + std::to_string(statement.error().place.column) + ": " + statement.error().message;
    shown += Show(arena, *statement) + "\n";
  }
  return shown;
}

TEST(ParseStatement, Assignments) {
  EXPECT_EQ(Parse("a = f(x)"), "a <- f(x)\n");
  EXPECT_EQ(Parse("a = b = None"), "a <- b <- None\n");
  EXPECT_EQ(Parse("a, b = f(x)"), "tuple(a, b) <- f(x)\n");
  EXPECT_EQ(Parse("a = b, c"), "a <- tuple(b, c)\n");
}

TEST(ParseStatement, AnAnnotationIsDropped) {
  EXPECT_EQ(Parse("a: \"f32[4]\" = f(x)"), "a <- f(x)\n");
}

TEST(ParseStatement, ReturnDeletePassAndPlainExpressions) {
  EXPECT_EQ(Parse("return (a,)"), "return tuple(a)\n");
  EXPECT_EQ(Parse("return"), "return \n");
  EXPECT_EQ(Parse("del a, b"), "delete tuple(a, b) <- \n");
  EXPECT_EQ(Parse("pass"), "pass\n");
  EXPECT_EQ(Parse("f(x)"), "f(x)\n");
}

TEST(ParseStatement, SeveralOnALine) {
  EXPECT_EQ(Parse("a = f(x);  x = None\nreturn a"), "a <- f(x)\nx <- None\nreturn a\n");
}

TEST(ParseStatement, NothingBehindASemicolonIsAStatementToo) {
  EXPECT_EQ(Parse("a = b;\n"), "a <- b\npass\n");
}

TEST(ParseStatement, BlocksAreNoPartOfAGraph) {
  for (const std::string word : {"if", "for", "while", "with", "def", "class", "try", "async"}) {
    EXPECT_EQ(Parse(word + " x: y"),
              "1: '" + word + "' cannot be part of a graph, which is straight-line code");
  }
}

TEST(ParseStatement, MatchIsANameLikeAnyOther) {
  EXPECT_EQ(Parse("match = f(x)"), "match <- f(x)\n");
}

TEST(ParseStatement, WhatFollowsAStatementIsAnError) {
  EXPECT_EQ(Parse("a = b c"), "7: expected the end of the statement, not 'c'");
  EXPECT_EQ(Parse("a += b"), "3: expected the end of the statement, not '+='");
}

TEST(ParseStatement, UnexpectedIndentationIsAnError) {
  EXPECT_EQ(Parse("a = b\n    c = d\n"), "a <- b\n5: unexpected indentation");
}

/// The parameters as "name:annotation=default", keyword-only ones behind a star, or the error.
std::string ParseHeader(const std::string& text) {
  const Source source("net.py", text);
  TokenStream tokens = *TokenStream::Open(source);
  ExpressionArena arena;
  const base::Result<FunctionHeader> header = ParseFunctionHeader(tokens, arena);
  if (!header.ok()) return std::to_string(header.error().place.column) + ": " + header.error().message;
  std::string shown = header->is_empty ? "empty" : header->has_block ? "block" : "line";
  for (const Parameter& parameter : header->parameters) {
    shown += (parameter.keyword_only ? " *" : " ") + std::string(parameter.name);
    if (!parameter.annotation.empty()) shown += ":" + std::string(parameter.annotation);
    if (parameter.default_value) shown += "=" + tests::ShowExpression(arena, *parameter.default_value);
  }
  return shown;
}

TEST(ParseFunctionHeader, ReadsParameters) {
  EXPECT_EQ(ParseHeader("def forward(self, x):\n  pass\n"), "block self x");
  EXPECT_EQ(ParseHeader("def forward(self, x: \"f32[4, 8]\", s0: Sym, *, k: int = -1,) -> None:\n  pass\n"),
            "block self x:f32[4, 8] s0:Sym *k:int=(-1)");
  EXPECT_EQ(ParseHeader("def load_args(reader): pass"), "line reader");
  EXPECT_EQ(ParseHeader("def load_args(reader):\nload_args._version = 0\n"), "empty reader");
}

TEST(ParseFunctionHeader, ErrorsPointAtWhatIsWrong) {
  EXPECT_EQ(ParseHeader("def forward(1):\n"), "13: expected a parameter's name, not '1'");
  EXPECT_EQ(ParseHeader("def forward(a b):\n"), "15: expected ')', not 'b'");
  EXPECT_EQ(ParseHeader("def forward(a)\n"), "15: expected ':', not the end of the line");
}

TEST(ForEachStatement, EndsWithTheBlock) {
  const Source source("net.py", "def f(a):\n  b = a\n  c = b\nd = c\n");
  TokenStream tokens = *TokenStream::Open(source);
  ExpressionArena arena;
  const FunctionHeader header = *ParseFunctionHeader(tokens, arena);
  std::string shown;
  const auto visit = [&](const Statement& statement) -> base::Result<bool> {
    shown += Show(arena, statement) + "\n";
    return true;
  };
  ASSERT_TRUE(ForEachStatement(tokens, arena, header, /*keep=*/false, visit).ok());
  EXPECT_EQ(shown, "b <- a\nc <- b\n");
}

}  // namespace
}  // namespace culprit::graph::text
