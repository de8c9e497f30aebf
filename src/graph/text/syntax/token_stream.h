// SPDX-License-Identifier: Apache-2.0
//
// Tokens with one token of look-ahead, and the skipping of what a reader does not care about.
#pragma once

#include "base/result.h"
#include "graph/text/syntax/lexer.h"

namespace culprit::graph::text {

class TokenStream {
 public:
  static base::Result<TokenStream> Open(const Source& source, size_t offset = 0);

  const Token& peek() const { return token_; }
  const Source& source() const { return *source_; }
  base::Result<Token> Take();
  /// Takes the token if it is this operator or keyword.
  base::Result<bool> TakeIf(std::string_view text);
  /// Takes this operator or keyword, or fails: "expected ':', not 'x'".
  base::Result<Token> Expect(std::string_view text);
  base::Result<Token> Expect(TokenKind kind, std::string_view what);

  /// Skips the rest of the logical line, its end included.
  base::Status SkipLine();
  /// Skips the rest of the logical line and, if an indented block follows it, that block too.
  base::Status SkipStatement();
  /// Skips to the end of the block that the stream is in, its dedent included.
  base::Status SkipBlock();

  base::Diagnostic ErrorHere(std::string message) const {
    return source_->Error(token_.offset, std::move(message));
  }

 private:
  explicit TokenStream(const Source& source, size_t offset) : source_(&source), lexer_(source, offset) {}

  const Source* source_;
  Lexer lexer_;
  Token token_;
};

/// How an error message names a token: "'x'", "the end of the line".
std::string Describe(const Token& token);

}  // namespace culprit::graph::text
