// SPDX-License-Identifier: Apache-2.0
#include "graph/text/syntax/lexer.h"

#include <gtest/gtest.h>

namespace culprit::graph::text {
namespace {

std::string Show(const Token& token) {
  switch (token.kind) {
    case TokenKind::kName:
    case TokenKind::kOperator:
      return std::string(token.text);
    case TokenKind::kInt:
      return "int:" + std::string(token.text);
    case TokenKind::kFloat:
      return "float:" + std::string(token.text);
    case TokenKind::kImaginary:
      return "imaginary:" + std::string(token.text);
    case TokenKind::kString:
      return "string:" + std::string(token.text);
    case TokenKind::kNewline:
      return "NEWLINE";
    case TokenKind::kIndent:
      return "INDENT";
    case TokenKind::kDedent:
      return "DEDENT";
    case TokenKind::kEnd:
      return "END";
  }
  return "?";
}

/// All tokens, joined by blanks, or those before an error and its message with line and column.
std::string Lex(std::string_view text) {
  const Source source("net.py", text);
  Lexer lexer(source);
  std::string shown;
  while (true) {
    const base::Result<Token> token = lexer.Next();
    if (!token.ok()) {
      const base::Diagnostic& error = token.error();
      return shown + std::to_string(error.place.line) + ":" + std::to_string(error.place.column) + ": " +
             error.message;
    }
    shown += Show(*token);
    if (token->kind == TokenKind::kEnd) return shown;
    shown += " ";
  }
}

TEST(Lexer, NamesAndOperators) {
  EXPECT_EQ(Lex("a_1 = b.c(d, *e)[-1]"), "a_1 = b . c ( d , * e ) [ - int:1 ] NEWLINE END");
}

TEST(Lexer, TheLongestOperatorWins) {
  EXPECT_EQ(Lex("a**b//c->d==e...f:=g//=h"), "a ** b // c -> d == e ... f := g //= h NEWLINE END");
}

TEST(Lexer, NumbersOfEveryKind) {
  EXPECT_EQ(Lex("0 1_000 0xFf 0b01 0o17"), "int:0 int:1_000 int:0xFf int:0b01 int:0o17 NEWLINE END");
  EXPECT_EQ(Lex("1. .5 1e5 1E-5 1_0.5e+1_0"),
            "float:1. float:.5 float:1e5 float:1E-5 float:1_0.5e+1_0 NEWLINE END");
  EXPECT_EQ(Lex("2j 1.5J 1e3j"), "imaginary:2j imaginary:1.5J imaginary:1e3j NEWLINE END");
}

TEST(Lexer, ANumberRunningIntoANameIsAnError) {
  EXPECT_EQ(Lex("x = 12ab"), "x = 1:5: this is neither a number nor a name");
  EXPECT_EQ(Lex("x = 1e"), "x = 1:5: this is neither a number nor a name");
}

TEST(Lexer, StringsKeepPrefixQuotesAndEscapes) {
  EXPECT_EQ(Lex(R"('a' "b'c" 'd\'e' '' Rb'\\' f"{x}")"),
            R"(string:'a' string:"b'c" string:'d\'e' string:'' string:Rb'\\' string:f"{x}" NEWLINE END)");
}

TEST(Lexer, TripleQuotedStringsSpanLines) {
  EXPECT_EQ(Lex("x = '''a\n'b'\n''' + 1\n"), "x = string:'''a\n'b'\n''' + int:1 NEWLINE END");
}

TEST(Lexer, StringsThatDoNotEndAreErrorsAtTheirBegin) {
  EXPECT_EQ(Lex("x = 'abc\ny"), "x = 1:5: this string does not end on its line");
  EXPECT_EQ(Lex("x = '''abc\ny"), "x = 1:5: unexpected end of the file: this string is not closed");
  EXPECT_EQ(Lex("x = 'abc\\"), "x = 1:5: unexpected end of the file: this string is not closed");
}

TEST(Lexer, IndentationOpensAndClosesBlocks) {
  EXPECT_EQ(Lex("a:\n  b\n  c:\n    d\ne\n"),
            "a : NEWLINE INDENT b NEWLINE c : NEWLINE INDENT d NEWLINE DEDENT DEDENT e NEWLINE END");
  EXPECT_EQ(Lex("a:\n  b:\n    c"), "a : NEWLINE INDENT b : NEWLINE INDENT c NEWLINE DEDENT DEDENT END");
}

TEST(Lexer, BlankLinesAndCommentsDoNotCount) {
  EXPECT_EQ(Lex("a:\n  b  # text\n\n# at column 1\n      # deeper\n  c\n"),
            "a : NEWLINE INDENT b NEWLINE c NEWLINE DEDENT END");
}

TEST(Lexer, LinesAreJoinedInBracketsAndBehindABackslash) {
  EXPECT_EQ(Lex("f(a,\n# text\n  b)\nc = \\\n  d\n"), "f ( a , b ) NEWLINE c = d NEWLINE END");
}

TEST(Lexer, OtherLineEndsAreTheSame) {
  EXPECT_EQ(Lex("a:\r\n  b\r\n\r\nc \\\r\n d\r\n"), "a : NEWLINE INDENT b NEWLINE DEDENT c d NEWLINE END");
}

TEST(Lexer, ASemicolonEndsAStatement) {
  EXPECT_EQ(Lex("a = 1;  b = None\n"), "a = int:1 NEWLINE b = None NEWLINE END");
}

TEST(Lexer, ADedentToAColumnThatWasNeverOpenedIsAccepted) {
  EXPECT_EQ(Lex("a:\n    b\n  c\n"), "a : NEWLINE INDENT b NEWLINE DEDENT c NEWLINE DEDENT END");
}

TEST(Lexer, TheEndComesAgainAndAgain) {
  const Source source("net.py", "");
  Lexer lexer(source);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(lexer.Next()->kind, TokenKind::kEnd);
}

TEST(Lexer, StartsInTheMiddleOfATextWithOffsetsOfTheWhole) {
  const Source source("net.py", "first\nsecond\n");
  Lexer lexer(source, 6);
  const Token token = *lexer.Next();
  EXPECT_EQ(token.text, "second");
  EXPECT_EQ(token.offset, 6);
}

TEST(Lexer, DeepBlocksAreAnError) {
  std::string text;
  for (size_t i = 0; i < 300; ++i) text += std::string(i, ' ') + "a:\n";
  EXPECT_TRUE(Lex(text).ends_with("202:202: blocks are nested too deeply")) << Lex(text);
}

TEST(Lexer, AStringIsNeverAKeyword) {
  EXPECT_TRUE((Token{TokenKind::kName, "def", 0}.Is("def")));
  EXPECT_FALSE((Token{TokenKind::kString, "def", 0}.Is("def")));
}

}  // namespace
}  // namespace culprit::graph::text
