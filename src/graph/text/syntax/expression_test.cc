// SPDX-License-Identifier: Apache-2.0
#include "graph/text/syntax/expression.h"

#include <gtest/gtest.h>

#include "tests/lib/expression_text.h"

namespace culprit::graph::text {
namespace {

/// The expression with all its parentheses.
std::string Parse(const std::string& text) {
  return tests::ParsedExpression(text).Show();
}

std::string ErrorOf(const std::string& text) {
  const Source source("net.py", text);
  base::Result<TokenStream> tokens = TokenStream::Open(source);
  ExpressionArena arena;
  const base::Result<ExpressionId> id = ParseExpression(*tokens, arena);
  return id.ok() ? "no error" : std::to_string(id.error().place.column) + ": " + id.error().message;
}

TEST(ParseExpression, FollowsPythonsPrecedences) {
  EXPECT_EQ(Parse("a + b * c - d"), "((a + (b * c)) - d)");
  EXPECT_EQ(Parse("a // b % c / d"), "(((a // b) % c) / d)");
  EXPECT_EQ(Parse("a + b < c * 2"), "((a + b) < (c * 2))");
  EXPECT_EQ(Parse("a == b or c and d"), "((a == b) or (c and d))");
  EXPECT_EQ(Parse("(a + b) * c"), "((a + b) * c)");
}

TEST(ParseExpression, NotBindsLooserThanComparisons) {
  EXPECT_EQ(Parse("not a == b"), "(not (a == b))");
  EXPECT_EQ(Parse("not a and b"), "((not a) and b)");
}

TEST(ParseExpression, PowersBindTighterThanTheSignBeforeThem) {
  EXPECT_EQ(Parse("-a ** 2"), "(-(a ** 2))");
  EXPECT_EQ(Parse("a ** -2"), "(a ** (-2))");
  EXPECT_EQ(Parse("a ** b ** c"), "(a ** (b ** c))");
  EXPECT_EQ(Parse("2 * -a"), "(2 * (-a))");
}

TEST(ParseExpression, ADottedNameIsOneName) {
  const tests::ParsedExpression parsed("torch.ops.aten.add.Tensor");
  EXPECT_EQ(parsed.arena()[parsed.id()].kind, ExpressionKind::kName);
  EXPECT_EQ(parsed.Show(), "torch.ops.aten.add.Tensor");
}

TEST(ParseExpression, AttributesOfOtherThingsAreNot) {
  EXPECT_EQ(Parse("f(a).b.c"), "((f(a)).b).c");
  EXPECT_EQ(Parse("a . b"), "(a).b");
}

TEST(ParseExpression, CallsTakePositionsThenKeywords) {
  EXPECT_EQ(Parse("f()"), "f()");
  EXPECT_EQ(Parse("f(a, -1, k=[b, c], l=None,)"), "f(a, (-1), k=[b, c], l=None)");
  EXPECT_EQ(Parse("f(a)(b)[c]"), "f(a)(b)[c]");
}

TEST(ParseExpression, ListsTuplesAndDicts) {
  EXPECT_EQ(Parse("[]"), "[]");
  EXPECT_EQ(Parse("[a, [b], ()]"), "[a, [b], tuple()]");
  EXPECT_EQ(Parse("(a)"), "a");
  EXPECT_EQ(Parse("(a,)"), "tuple(a)");
  EXPECT_EQ(Parse("a, b"), "tuple(a, b)");
  EXPECT_EQ(Parse("{'a': 1, 'b': [2]}"), "dict('a', 1, 'b', [2])");
}

TEST(ParseExpression, SubscriptsAndSlices) {
  EXPECT_EQ(Parse("x[0]"), "x[0]");
  EXPECT_EQ(Parse("x[0, 1]"), "x[tuple(0, 1)]");
  EXPECT_EQ(Parse("x[:]"), "x[:]");
  EXPECT_EQ(Parse("x[1:-1:2]"), "x[:]");
}

TEST(ParseExpression, KeepsTheTextOfLiterals) {
  EXPECT_EQ(Parse("[1_0, 1.50, 2j, 'a\\n']"), "[1_0, 1.50, 2j, 'a\\n']");
}

TEST(ParseExpression, ErrorsPointAtWhatIsWrong) {
  EXPECT_EQ(ErrorOf("a + "), "5: expected an expression, not the end of the file");
  EXPECT_EQ(ErrorOf("a + \n"), "5: expected an expression, not the end of the line");
  EXPECT_EQ(ErrorOf("f(a, )x"), "no error");
  EXPECT_EQ(ErrorOf("f(a b)"), "5: expected ')', not 'b'");
  EXPECT_EQ(ErrorOf("[a; b]"), "3: unexpected byte 0x3b: this is not the text of a graph");
  EXPECT_EQ(ErrorOf("{a}"), "3: expected ':', not '}'");
  EXPECT_EQ(ErrorOf("a.(b)"), "3: expected a name behind the dot, not '('");
  EXPECT_EQ(ErrorOf("f(1=a)"), "3: expected a keyword's name");
  EXPECT_EQ(ErrorOf("f(k=a, b)"), "8: a positional argument stands behind a keyword");
}

TEST(ParseExpression, DeepExpressionsAreErrors) {
  const auto nested = [](const std::string& open, const std::string& close) {
    std::string text = "a";
    for (int i = 0; i < 1000; ++i) text = open + text + close;
    return ErrorOf(text);
  };
  EXPECT_TRUE(nested("-", "").ends_with("the expression is nested too deeply"));
  EXPECT_TRUE(nested("b ** ", "").ends_with("the expression is nested too deeply"));
  EXPECT_TRUE(nested("(", ")").ends_with("brackets are nested too deeply"));
}

TEST(ParseExpression, LongFlatExpressionsAreNot) {
  std::string text = "a";
  for (int i = 0; i < 1000; ++i) text += " + f(a)[0]";
  EXPECT_EQ(ErrorOf(text), "no error");
}

TEST(ParseExpression, WhatWouldMakeATreeTooDeepIsAnError) {
  const auto repeated = [](const std::string& more) {
    std::string text = "a";
    for (int i = 0; i < 10000; ++i) text += more;
    return ErrorOf(text);
  };
  for (const char* more : {" + 1", "()", "[0]", " .b", " == a"})
    EXPECT_TRUE(repeated(more).ends_with("the expression has more than 1200 operations within each other"))
        << more;
}

TEST(ParseSingleExpression, StopsBeforeAComma) {
  const Source source("net.py", "a + b, c");
  TokenStream tokens = *TokenStream::Open(source);
  ExpressionArena arena;
  const ExpressionId id = *ParseSingleExpression(tokens, arena);
  EXPECT_EQ(tests::ShowExpression(arena, id), "(a + b)");
  EXPECT_TRUE(tokens.peek().Is(","));
}

}  // namespace
}  // namespace culprit::graph::text
