// SPDX-License-Identifier: Apache-2.0
#include "graph/text/syntax/string_literal.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

#include "base/utf8.h"

namespace culprit::graph::text {
namespace {

// A byte b that is no UTF-8 is the code point kEscapedBytes + b.
constexpr uint32_t kEscapedBytes = 0xdc00;

void AppendUtf8(uint32_t point, std::string& out) {
  if (point < 0x80) {
    out += static_cast<char>(point);
    return;
  }
  const int following = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  constexpr unsigned char kFirst[] = {0, 0xc0, 0xe0, 0xf0};
  out += static_cast<char>(kFirst[following] | (point >> (6 * following)));
  for (int i = following - 1; i >= 0; --i) out += static_cast<char>(0x80 | ((point >> (6 * i)) & 0x3f));
}

class Unescaper {
 public:
  Unescaper(std::string_view text, bool bytes) : text_(text), bytes_(bytes) {}

  std::optional<std::string> Run() {
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c != '\\' || at_ == text_.size()) {
        out_ += c;
      } else if (!Escape(text_[at_++])) {
        return std::nullopt;
      }
    }
    return std::move(out_);
  }

 private:
  bool Escape(char c) {
    constexpr std::string_view kLetters = "abfnrtv\\'\"";
    constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\'\"";
    if (const size_t simple = kLetters.find(c); simple != std::string_view::npos) {
      out_ += kMeanings[simple];
      return true;
    }
    if (c == '\n') return true;
    if (c == 'x') return Number(2, 16);
    if (c >= '0' && c <= '7') {
      --at_;
      const size_t end = text_.find_first_not_of("01234567", at_);
      return Number(std::min<size_t>(3, std::min(end, text_.size()) - at_), 8);
    }
    if (!bytes_ && (c == 'u' || c == 'U')) return Number(c == 'u' ? 4 : 8, 16);
    if (!bytes_ && c == 'N') return false;
    out_ += '\\';
    out_ += c;
    return true;
  }

  bool Number(size_t digits, int base) {
    if (at_ + digits > text_.size()) return false;
    uint32_t number = 0;
    const char* begin = text_.data() + at_;
    if (std::from_chars(begin, begin + digits, number, base).ptr != begin + digits) return false;
    at_ += digits;
    return Append(number);
  }

  bool Append(uint32_t number) {
    const bool escaped_byte = number >= kEscapedBytes + 0x80 && number <= kEscapedBytes + 0xff;
    if (bytes_ || escaped_byte) {
      out_ += static_cast<char>(number);
      return true;
    }
    const bool surrogate = number >= 0xd800 && number < 0xe000;
    if (surrogate || number > 0x10ffff) return false;
    AppendUtf8(number, out_);
    return true;
  }

  std::string_view text_;
  bool bytes_;
  size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::optional<std::string> StringFromText(std::string_view text) {
  bool raw = false, bytes = false;
  while (!text.empty() && text.front() != '\'' && text.front() != '"') {
    const char prefix = static_cast<char>(text.front() | 0x20);
    if (prefix == 'f') return std::nullopt;
    raw = raw || prefix == 'r';
    bytes = bytes || prefix == 'b';
    text.remove_prefix(1);
  }
  const bool triple = text.size() >= 6 && text[1] == text[0] && text[2] == text[0];
  const size_t quotes = triple ? 3 : 1;
  if (text.size() < 2 * quotes) return std::nullopt;
  text = text.substr(quotes, text.size() - 2 * quotes);
  if (raw) return std::string(text);
  return Unescaper(text, bytes).Run();
}

std::string StringToText(std::string_view value) {
  std::string text = "'";
  while (!value.empty()) {
    const char c = value.front();
    const auto byte = static_cast<unsigned char>(c);
    const size_t length = base::Utf8Length(value);
    if (c == '\'' || c == '\\') {
      text += '\\';
      text += c;
    } else if (c == '\n') {
      text += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      text += fmt::format("\\x{:02x}", byte);
    } else if (length == 0) {
      text += fmt::format("\\u{:04x}", kEscapedBytes + byte);
    } else {
      text += value.substr(0, length);
    }
    value.remove_prefix(std::max<size_t>(length, 1));
  }
  return text + "'";
}

}  // namespace culprit::graph::text
