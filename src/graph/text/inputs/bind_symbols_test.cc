// SPDX-License-Identifier: Apache-2.0
#include "graph/text/inputs/bind_symbols.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace culprit::graph::text {
namespace {

/// "s0 = 3, s1 = 5" in alphabetical order, or the message of the error.
std::string SymbolsOf(const std::string& statements) {
  const Source source("f", statements);
  ExpressionArena arena;
  std::vector<Statement> parsed;
  base::Result<TokenStream> tokens = TokenStream::Open(source);
  while (tokens->peek().kind != TokenKind::kEnd) parsed.push_back(*ParseStatement(*tokens, arena));
  Symbols symbols;
  const base::Result<GuessedSymbols> guessed = BindSymbols(source, arena, parsed, symbols);
  if (!guessed.ok()) return guessed.error().message;
  std::vector<std::string> texts;
  for (const auto& [name, value] : symbols) texts.push_back(fmt::format("{} = {}", name, value));
  return fmt::format("{}", fmt::join(texts, ", "));
}

TEST(BindSymbols, EnoughSymintsAreTakenInOrder) {
  EXPECT_EQ(SymbolsOf("reader.symint(3)\nreader.symint(4)\n"
                      "b = reader.storage(None, 64)\nreader.tensor(b, (s0, s1))\n"),
            "s0 = 3, s1 = 4");
}

TEST(BindSymbols, AnotherNameForASizeFollowsFromTheBytes) {
  EXPECT_EQ(
      SymbolsOf("reader.symint(533)\nreader.symint(533)\nreader.symint(533)\n"
                "buf1 = reader.storage(None, 8*s0*s1)\nreader.tensor(buf1, (s0, s1), dtype=torch.int64)\n"
                "buf3 = reader.storage(None, 8192*s2)\nreader.tensor(buf3, (1, s3, 2048))\n"),
      "s0 = 533, s1 = 533, s2 = 533, s3 = 533");
}

TEST(BindSymbols, BytesComeBeforeSymintsWhenThoseAreTooFew) {
  EXPECT_EQ(SymbolsOf("reader.symint(7)\n"
                      "b = reader.storage(None, 48)\nreader.tensor(b, (s0, 4))\n"
                      "c = reader.storage(None, 4*s1)\nreader.tensor(c, (s1,))\n"),
            "s0 = 3, s1 = 7");
}

TEST(BindSymbols, ASolvedSymbolUsesUpASymintOfItsValue) {
  EXPECT_EQ(SymbolsOf("reader.symint(3)\nreader.symint(7)\n"
                      "b = reader.storage(None, 48)\nreader.tensor(b, (s0, 4))\n"
                      "c = reader.storage(None, 4*s1)\nreader.tensor(c, (s2,))\n"),
            "s0 = 3, s1 = 7, s2 = 7");
}

TEST(BindSymbols, StridesAndOffsetsCount) {
  EXPECT_EQ(
      SymbolsOf("b = reader.storage(None, 400)\nreader.tensor(b, (2, s0), (50, 1), storage_offset=10)\n"),
      "s0 = 40");
  EXPECT_EQ(SymbolsOf("b = reader.storage(None, 160)\nreader.tensor(b, (2, 4), (s0, 1))\n"), "s0 = 36");
}

TEST(BindSymbols, ASquareHasARoot) {
  EXPECT_EQ(SymbolsOf("b = reader.storage(None, 400)\nreader.tensor(b, (s0, s0))\n"), "s0 = 10");
}

TEST(BindSymbols, BytesWithAnUnknownSizeFollowFromAllTensors) {
  EXPECT_EQ(SymbolsOf("b = reader.storage(None, 4*s0)\nreader.tensor(b, (2,))\nreader.tensor(b, (3, 5))\n"),
            "s0 = 15");
}

TEST(BindSymbols, EquationsThatHoldForManyOrForNoValueSayNothing) {
  EXPECT_EQ(SymbolsOf("b = reader.storage(None, 4*s0)\nreader.tensor(b, (s0,))\n"),
            "size 's0' is not defined");
  EXPECT_EQ(SymbolsOf("b = reader.storage(None, 24)\nreader.tensor(b, (s0//2, 2))\n"),
            "size 's0' is not defined");
  EXPECT_EQ(SymbolsOf("b = reader.storage(None, 50)\nreader.tensor(b, (s0, 4))\n"),
            "size 's0' is not defined");
}

TEST(BindSymbols, SizesWithoutBackingAreMadeUpAtTheEnd) {
  EXPECT_EQ(SymbolsOf("b = reader.storage(None, 4*u0)\nreader.tensor(b, (u0,))\n"
                      "c = reader.storage(None, 48)\nreader.tensor(c, (u1, 4))\n"
                      "d = reader.storage(None, 4*u0*u2)\nreader.tensor(d, (8, 5))\n"
                      "reader.symint(None, expr='u7')\nreader.symint(3, expr='u8')\n"),
            "u0 = 8, u1 = 3, u2 = 5, u7 = 8, u8 = 3");
}

TEST(BindSymbols, AllUnknownSizesAreNamed) {
  EXPECT_EQ(SymbolsOf("b = reader.storage(None, 4*s0)\nreader.tensor(b, (s0, s1, u0, use))\n"),
            "sizes 's0', 's1', 'use' are not defined");
}

TEST(BindSymbols, GiantSizesEndTheSearch) {
  EXPECT_EQ(SymbolsOf("b = reader.storage(None, 9223372036854775807)\nreader.tensor(b, (s0, 2))\n"),
            "size 's0' is not defined");
}

}  // namespace
}  // namespace culprit::graph::text
