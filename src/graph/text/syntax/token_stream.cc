// SPDX-License-Identifier: Apache-2.0
#include "graph/text/syntax/token_stream.h"

#include <fmt/format.h>

#include "base/text.h"

namespace culprit::graph::text {

using base::Done;
using base::Result;
using base::Status;

Result<TokenStream> TokenStream::Open(const Source& source, size_t offset) {
  TokenStream tokens(source, offset);
  tokens.token_ = CULPRIT_TRY(tokens.lexer_.Next());
  return tokens;
}

Result<Token> TokenStream::Take() {
  Token next = CULPRIT_TRY(lexer_.Next());
  std::swap(token_, next);
  return next;
}

Result<bool> TokenStream::TakeIf(std::string_view text) {
  if (!token_.Is(text)) return false;
  CULPRIT_TRY(Take());
  return true;
}

Result<Token> TokenStream::Expect(std::string_view text) {
  if (!token_.Is(text)) return ErrorHere(fmt::format("expected '{}', not {}", text, Describe(token_)));
  return Take();
}

Result<Token> TokenStream::Expect(TokenKind kind, std::string_view what) {
  if (token_.kind != kind) return ErrorHere(fmt::format("expected {}, not {}", what, Describe(token_)));
  return Take();
}

Status TokenStream::SkipLine() {
  while (token_.kind != TokenKind::kNewline && token_.kind != TokenKind::kEnd) CULPRIT_TRY(Take());
  if (token_.kind == TokenKind::kNewline) CULPRIT_TRY(Take());
  return Done{};
}

Status TokenStream::SkipStatement() {
  CULPRIT_TRY(SkipLine());
  if (token_.kind != TokenKind::kIndent) return Done{};
  CULPRIT_TRY(Take());
  return SkipBlock();
}

Status TokenStream::SkipBlock() {
  for (size_t depth = 1; depth > 0 && token_.kind != TokenKind::kEnd;) {
    const Token token = CULPRIT_TRY(Take());
    if (token.kind == TokenKind::kIndent) ++depth;
    if (token.kind == TokenKind::kDedent) --depth;
  }
  return Done{};
}

std::string Describe(const Token& token) {
  switch (token.kind) {
    case TokenKind::kEnd:
      return "the end of the file";
    case TokenKind::kNewline:
      return token.text.empty() ? "the end of the file" : token.text == ";" ? "';'" : "the end of the line";
    case TokenKind::kIndent:
      return "a deeper indentation";
    case TokenKind::kDedent:
      return "the end of the block";
    default:
      return fmt::format("'{}'", base::Printable(token.text.substr(0, 40)));
  }
}

}  // namespace culprit::graph::text
