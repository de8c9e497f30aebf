// SPDX-License-Identifier: Apache-2.0
//
// Python's tokens, as far as scripts with graphs need them: names, numbers, strings, operators, line ends and
// indentation. Lines inside brackets and behind a backslash are joined; comments and blank lines vanish.
// Tokens are views into the text; nothing is copied, and the work is linear in its length.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/text/syntax/source.h"

namespace culprit::graph::text {

enum class TokenKind : uint8_t {
  kName,
  kInt,
  kFloat,
  kImaginary,
  kString,    // with its prefix and quotes
  kOperator,  // brackets, punctuation and operators
  kNewline,   // end of a logical line; also written ';', and empty at the end of the text
  kIndent,
  kDedent,
  kEnd,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
  size_t offset = 0;

  bool Is(std::string_view expected) const { return text == expected && kind != TokenKind::kString; }
};

class Lexer {
 public:
  /// Starts at the beginning of a line.
  explicit Lexer(const Source& source, size_t offset = 0);

  /// The next token; behind the end, kEnd again and again.
  base::Result<Token> Next();

 private:
  bool at_end() const { return position_ >= text_.size(); }
  char Peek(size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }

  void SkipBlanks();
  base::Status ReadIndentation();
  base::Result<Token> ReadToken();
  Token Make(TokenKind kind, size_t begin) const {
    return {kind, text_.substr(begin, position_ - begin), begin};
  }
  base::Result<Token> ReadNumber();
  base::Result<Token> ReadString(size_t begin);
  base::Result<Token> ReadOperator();
  base::Diagnostic UnclosedBracket() const;

  const Source& source_;
  std::string_view text_;
  size_t position_;
  // The offsets of brackets that are not closed yet.
  std::vector<size_t> open_brackets_;
  bool line_start_ = true;
  bool line_has_tokens_ = false;
  std::vector<size_t> indentations_ = {0};
  size_t pending_dedents_ = 0;
  bool pending_indent_ = false;
};

}  // namespace culprit::graph::text
