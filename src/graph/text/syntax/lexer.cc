// SPDX-License-Identifier: Apache-2.0
#include "graph/text/syntax/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace culprit::graph::text {
namespace {

constexpr size_t kDeepestNesting = 200;

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}
// Bytes beyond ASCII count as letters here; a value of a graph cannot have such a name (graph/ir/verify.h).
bool IsNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}
bool IsNamePart(char c) {
  return IsNameStart(c) || IsDigit(c);
}

// Longest first.
constexpr std::array<std::string_view, 26> kLongOperators = {
    "**=", "//=", ">>=", "<<=", "...", "->", ":=", "**", "//", "==", "!=", "<=", ">=",
    "<<",  ">>",  "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "@=", "<>", "||"};
constexpr std::string_view kShortOperators = "()[]{},:.=+-*/%<>@&|^~!$?";

bool IsStringPrefix(std::string_view name) {
  constexpr std::string_view kPrefixLetters = "rbufRBUF";
  return name.size() <= 2 && std::all_of(name.begin(), name.end(), [&](char c) {
           return kPrefixLetters.find(c) != std::string_view::npos;
         });
}

}  // namespace

Lexer::Lexer(const Source& source, size_t offset)
    : source_(source), text_(source.text()), position_(offset) {}

// Consumes blanks, comments, joined lines and, inside brackets, line ends.
void Lexer::SkipBlanks() {
  while (!at_end()) {
    const char c = Peek();
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || (c == '\n' && !open_brackets_.empty())) {
      ++position_;
    } else if (c == '#') {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else if (c == '\\' && (Peek(1) == '\n' || (Peek(1) == '\r' && Peek(2) == '\n'))) {
      position_ += Peek(1) == '\n' ? 2 : 3;
    } else {
      break;
    }
  }
}

// At the start of a logical line: skips blank lines and compares the indentation with the open blocks.
base::Status Lexer::ReadIndentation() {
  size_t line_begin = position_;
  while (true) {
    line_begin = position_;
    while (Peek() == ' ' || Peek() == '\t' || Peek() == '\f') ++position_;
    const size_t width = position_ - line_begin;
    SkipBlanks();
    if (Peek() == '\n') {
      ++position_;
      continue;
    }
    line_start_ = false;
    const size_t indentation = at_end() ? 0 : width;
    if (indentation > indentations_.back()) {
      if (indentations_.size() > kDeepestNesting)
        return source_.Error(position_, "blocks are nested too deeply");
      indentations_.push_back(indentation);
      pending_indent_ = true;
    }
    while (indentation < indentations_.back()) {
      indentations_.pop_back();
      ++pending_dedents_;
    }
    // Python would call a dedent to a column that was never opened an error; a reader that skips most of what
    // it sees can be generous.
    if (indentation > indentations_.back()) indentations_.push_back(indentation);
    return base::Done{};
  }
}

base::Result<Token> Lexer::Next() {
  if (line_start_ && open_brackets_.empty()) CULPRIT_TRY(ReadIndentation());
  if (pending_dedents_ > 0) {
    --pending_dedents_;
    return Token{TokenKind::kDedent, {}, position_};
  }
  if (pending_indent_) {
    pending_indent_ = false;
    return Token{TokenKind::kIndent, {}, position_};
  }
  SkipBlanks();
  if (at_end()) {
    if (!open_brackets_.empty()) return UnclosedBracket();
    if (line_has_tokens_) {
      line_has_tokens_ = false;
      line_start_ = true;
      return Token{TokenKind::kNewline, {}, position_};
    }
    return Token{TokenKind::kEnd, {}, position_};
  }
  return ReadToken();
}

base::Result<Token> Lexer::ReadToken() {
  const size_t begin = position_;
  const char c = Peek();
  if (c == '\n') {
    ++position_;
    line_start_ = true;
    line_has_tokens_ = false;
    return Make(TokenKind::kNewline, begin);
  }
  if (c == ';' && open_brackets_.empty()) {
    ++position_;
    return Make(TokenKind::kNewline, begin);
  }
  line_has_tokens_ = true;
  if (IsNameStart(c)) {
    while (IsNamePart(Peek())) ++position_;
    if ((Peek() == '\'' || Peek() == '"') && IsStringPrefix(text_.substr(begin, position_ - begin))) {
      return ReadString(begin);
    }
    return Make(TokenKind::kName, begin);
  }
  if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)))) return ReadNumber();
  if (c == '\'' || c == '"') return ReadString(begin);
  return ReadOperator();
}

base::Result<Token> Lexer::ReadNumber() {
  const size_t begin = position_;
  TokenKind kind = TokenKind::kInt;
  const char second = static_cast<char>(Peek(1) | 0x20);
  if (Peek() == '0' && (second == 'x' || second == 'o' || second == 'b')) {
    position_ += 2;
    while (IsNamePart(Peek())) ++position_;
    return Make(kind, begin);
  }
  const auto digits = [&] {
    while (IsDigit(Peek()) || Peek() == '_') ++position_;
  };
  digits();
  if (Peek() == '.') {
    kind = TokenKind::kFloat;
    ++position_;
    digits();
  }
  const size_t sign = (Peek(1) == '+' || Peek(1) == '-') ? 1 : 0;
  if ((Peek() | 0x20) == 'e' && IsDigit(Peek(1 + sign))) {
    kind = TokenKind::kFloat;
    position_ += 1 + sign;
    digits();
  }
  if ((Peek() | 0x20) == 'j') {
    kind = TokenKind::kImaginary;
    ++position_;
  }
  if (IsNamePart(Peek())) {
    while (IsNamePart(Peek())) ++position_;
    return source_.Error(begin, "this is neither a number nor a name");
  }
  return Make(kind, begin);
}

base::Result<Token> Lexer::ReadString(size_t begin) {
  const char quote = Peek();
  const bool triple = Peek(1) == quote && Peek(2) == quote;
  position_ += triple ? 3 : 1;
  while (!at_end()) {
    const char c = Peek();
    if (c == '\\') {
      position_ += 2;
    } else if (c == quote && (!triple || (Peek(1) == quote && Peek(2) == quote))) {
      position_ += triple ? 3 : 1;
      return Make(TokenKind::kString, begin);
    } else if (c == '\n' && !triple) {
      return source_.Error(begin, "this string does not end on its line");
    } else {
      ++position_;
    }
  }
  return source_.Error(begin, "unexpected end of the file: this string is not closed");
}

base::Diagnostic Lexer::UnclosedBracket() const {
  const size_t bracket = open_brackets_.back();
  return source_.Error(bracket,
                       fmt::format("unexpected end of the file: this '{}' is not closed", text_[bracket]));
}

base::Result<Token> Lexer::ReadOperator() {
  const size_t begin = position_;
  const std::string_view rest = text_.substr(position_, 3);
  for (const std::string_view candidate : kLongOperators) {
    if (rest.starts_with(candidate)) {
      position_ += candidate.size();
      return Make(TokenKind::kOperator, begin);
    }
  }
  const char c = Peek();
  if (kShortOperators.find(c) == std::string_view::npos) {
    return source_.Error(
        begin, fmt::format("unexpected byte 0x{:02x}: this is not the text of a graph", (unsigned char)c));
  }
  ++position_;
  if (c == '(' || c == '[' || c == '{') {
    open_brackets_.push_back(begin);
    if (open_brackets_.size() > kDeepestNesting)
      return source_.Error(begin, "brackets are nested too deeply");
  } else if ((c == ')' || c == ']' || c == '}') && !open_brackets_.empty()) {
    open_brackets_.pop_back();
  }
  return Make(TokenKind::kOperator, begin);
}

}  // namespace culprit::graph::text
