// SPDX-License-Identifier: Apache-2.0
#include "backend/failure/normalize_message.h"

#include <algorithm>

#include "backend/failure/essential_line.h"
#include "base/text.h"

namespace culprit::backend {
namespace {

// Of what is longer only the beginning is looked at.
constexpr size_t kLongestLine = 4096;

constexpr std::string_view kSourceEndings[] = {"c", "cc",  "cpp", "cu",  "cuh", "cxx",
                                               "h", "hpp", "inc", "inl", "py",  "pyx"};
constexpr std::string_view kOtherEndings[] = {"a",    "bin", "json", "ll", "log", "o",
                                              "onnx", "pt",  "pth",  "so", "tmp", "txt"};
constexpr std::string_view kTemporaryFolders[] = {"/tmp/", "/var/tmp/", "/dev/shm/", "/run/"};
// An environment may lie in a temporary folder: its files have the same names everywhere.
constexpr std::string_view kPackageFolders[] = {"/site-packages/", "/dist-packages/"};

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}
bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool IsWordCharacter(char c) {
  return IsDigit(c) || IsLetter(c) || c == '_';
}
bool IsPathCharacter(char c) {
  return IsWordCharacter(c) || std::string_view("/.+-~@%").find(c) != std::string_view::npos;
}

template <typename Predicate>
size_t EndOfRun(std::string_view text, size_t begin, Predicate predicate) {
  while (begin < text.size() && predicate(text[begin])) ++begin;
  return begin;
}

/// Replaces one thing after the other; what it has written is never looked at again.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::string Run() && {
    while (at_ < text_.size()) {
      if (Blanks() || Url() || Path() || TensorValue() || Address() || Number() || Word()) continue;
      result_ += text_[at_++];
    }
    return std::move(result_);
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }
  char previous() const { return at_ == 0 ? ' ' : text_[at_ - 1]; }

  bool Replace(size_t end, std::string_view by) {
    result_ += by;
    at_ = end;
    return true;
  }

  bool Blanks() {
    const size_t end = EndOfRun(text_, at_, [](char c) { return c == ' '; });
    return end != at_ && Replace(end, " ");
  }

  bool Url() {
    if (!rest().starts_with("http://") && !rest().starts_with("https://")) return false;
    return Replace(EndOfRun(text_, at_, [](char c) { return IsPathCharacter(c) || c == ':' || c == '#'; }),
                   "URL");
  }

  bool Path() {
    if (IsPathCharacter(previous())) return false;
    size_t end = EndOfRun(text_, at_, IsPathCharacter);
    while (end > at_ && text_[end - 1] == '.') --end;
    const std::string_view run = text_.substr(at_, end - at_);
    const size_t slash = run.rfind('/');
    if (slash == std::string_view::npos || slash + 1 == run.size()) return false;
    const size_t dot = run.rfind('.');
    const bool has_dot = dot != std::string_view::npos && dot > slash;
    const std::string_view ending = has_dot ? run.substr(dot + 1) : "";
    const bool is_source = std::ranges::count(kSourceEndings, ending) > 0;
    const bool is_absolute =
        run.starts_with('/') || run.starts_with("./") || run.starts_with("../") || run.starts_with("~/");
    if (!is_absolute && !is_source && std::ranges::count(kOtherEndings, ending) == 0) return false;
    const bool is_temporary =
        std::ranges::any_of(kTemporaryFolders, [&](auto folder) { return run.starts_with(folder); }) &&
        std::ranges::none_of(kPackageFolders, [&](auto folder) { return run.find(folder) != run.npos; });
    if (!is_source || is_temporary) return Replace(end, "PATH");
    at_ += slash + 1;
    return true;
  }

  /// tensor([1., 2.], dtype=...), with nothing but its numbers inside.
  bool TensorValue() {
    constexpr std::string_view kBegin = "tensor(";
    if (IsWordCharacter(previous()) || !rest().starts_with(kBegin)) return false;
    size_t end = at_ + kBegin.size();
    if (end == text_.size() || std::string_view("[-.0123456789").find(text_[end]) == std::string_view::npos)
      return false;
    for (int depth = 1; end < text_.size() && depth > 0; ++end) {
      if (text_[end] == '(') ++depth;
      if (text_[end] == ')') --depth;
    }
    return Replace(end, "tensor(...)");
  }

  bool Address() {
    // 0x3 is the size of an empty matrix.
    constexpr size_t kShortestAddress = 8;
    if (IsWordCharacter(previous()) || !rest().starts_with("0x")) return false;
    const size_t end = EndOfRun(text_, at_ + 2, IsWordCharacter);
    return end - at_ >= kShortestAddress && Replace(end, "ADDRESS");
  }

  /// With its sign, fraction and exponent: -1, 2.5e-07, 1.13.1, 3x4, 3D, 2nd.
  bool Number() {
    size_t begin = at_;
    const bool may_have_sign = !IsWordCharacter(previous()) && previous() != ')' && previous() != ']';
    if (may_have_sign && (text_[begin] == '-' || text_[begin] == '+')) ++begin;
    if (begin == text_.size() || !IsDigit(text_[begin])) return false;
    size_t end = EndOfRun(text_, begin, IsDigit);
    while (end + 1 < text_.size() && text_[end] == '.' && IsDigit(text_[end + 1]))
      end = EndOfRun(text_, end + 1, IsDigit);
    end = EndOfExponent(end);
    const size_t end_of_word = EndOfRun(text_, end, IsWordCharacter);
    return Replace(end_of_word, "N" + Unit(text_.substr(end, end_of_word - end)));
  }

  size_t EndOfExponent(size_t end) const {
    if (end == text_.size() || (text_[end] != 'e' && text_[end] != 'E')) return end;
    const bool has_sign = end + 1 < text_.size() && (text_[end + 1] == '-' || text_[end + 1] == '+');
    const size_t digits = end + (has_sign ? 2 : 1);
    const size_t behind = EndOfRun(text_, digits, IsDigit);
    return behind > digits ? behind : end;
  }

  /// What follows a number without a blank: "x3x4" of sizes, "D" of dimensions, "nd", "ms"; the rest of a
  /// hash is dropped.
  static std::string Unit(std::string_view tail) {
    if (tail == "st" || tail == "nd" || tail == "rd" || tail == "th") return "th";
    if (tail.size() <= 3 && std::ranges::all_of(tail, IsLetter)) return std::string(tail);
    std::string sizes;
    for (size_t i = 0; i < tail.size();) {
      const size_t digits = EndOfRun(tail, i + 1, IsDigit);
      if (tail[i] != 'x' || digits == i + 1) return "";
      sizes += "xN";
      i = digits;
    }
    return sizes;
  }

  /// Kept, digits included, unless they are too many for a name that a person gave.
  bool Word() {
    constexpr size_t kShortestId = 5;
    const size_t end = EndOfRun(text_, at_, IsWordCharacter);
    if (end == at_) return false;
    const std::string_view word = text_.substr(at_, end - at_);
    const bool has_digit = std::ranges::any_of(word, IsDigit);
    if (word.starts_with("tmp") && word.size() >= 3 + kShortestId && has_digit) return Replace(end, "TEMP");
    while (at_ < end) {
      const size_t behind = EndOfRun(text_, at_, IsDigit);
      if (behind - at_ >= kShortestId) {
        Replace(behind, "N");
      } else {
        result_ += text_.substr(at_, std::max<size_t>(behind - at_, 1));
        at_ = std::max(behind, at_ + 1);
      }
    }
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string result_;
};

/// The end of "[N, N]", "(N, [N, N])", "{N}" that begins here, or npos. An empty one has to be in brackets.
size_t EndOfNumberList(std::string_view text, size_t begin, int depth) {
  constexpr int kDeepest = 8;
  constexpr std::string_view kOpening = "[({";
  constexpr std::string_view kClosing = "])}";
  const size_t form = begin < text.size() ? kOpening.find(text[begin]) : std::string_view::npos;
  if (form == std::string_view::npos || depth > kDeepest) return std::string_view::npos;
  bool has_element = false;
  for (size_t i = begin + 1; i < text.size();) {
    if (text[i] == kClosing[form]) return has_element || form == 0 ? i + 1 : std::string_view::npos;
    if (text[i] == ' ' || (text[i] == ',' && has_element)) {
      ++i;
    } else if (text[i] == 'N' && (i + 1 == text.size() || !IsWordCharacter(text[i + 1]))) {
      has_element = true;
      ++i;
    } else {
      i = EndOfNumberList(text, i, depth + 1);
      if (i == std::string_view::npos) return i;
      has_element = true;
    }
  }
  return std::string_view::npos;
}

/// Lists of numbers of any length become lists of one: sizes lose and gain dimensions.
std::string CollapseLists(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    const size_t end = EndOfNumberList(text, i, 0);
    const bool is_subscript = end == i + 2 && i > 0 && IsWordCharacter(text[i - 1]);
    if (end == std::string_view::npos || is_subscript) {
      result += text[i++];
      continue;
    }
    result += {text[i], 'N', text[end - 1]};
    i = end;
  }
  return result;
}

/// Not in the middle of a character.
void Shorten(std::string& text) {
  if (text.size() <= kLongestMessage) return;
  size_t end = kLongestMessage;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
}

}  // namespace

std::string NormalizeMessage(std::string_view message) {
  const std::string line = base::Printable(EssentialLine(message).substr(0, kLongestLine));
  std::string normal = CollapseLists(Scanner(line).Run());
  Shorten(normal);
  while (normal.ends_with(' ')) normal.pop_back();
  return normal;
}

}  // namespace culprit::backend
