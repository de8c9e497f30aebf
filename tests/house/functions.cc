// SPDX-License-Identifier: Apache-2.0
#include "tests/house/functions.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace culprit::tests {
namespace {

/// Blanks what is no code. Every method starts at position_ and leaves it behind what it has handled.
class Blanker {
 public:
  explicit Blanker(std::string_view text) : text_(text) {}

  std::string Run() && {
    while (position_ < text_.size()) {
      if (At("//")) {
        BlankUntil("\n");
      } else if (At("/*")) {
        BlankUntil("*/");
      } else if (At("R\"")) {
        BlankRawString();
      } else if (text_[position_] == '"' || IsCharacterLiteral()) {
        BlankLiteral(text_[position_]);
      } else if (text_[position_] == '#' && OnlyBlanksBefore()) {
        BlankDirective();
      } else {
        ++position_;
      }
    }
    return std::move(text_);
  }

 private:
  bool At(std::string_view what) const { return text_.compare(position_, what.size(), what) == 0; }

  // Not the separator of digits in 1'000.
  bool IsCharacterLiteral() const {
    return text_[position_] == '\'' && (position_ == 0 || !std::isalnum(text_[position_ - 1]));
  }

  bool OnlyBlanksBefore() const {
    const size_t before = text_.find_last_not_of(" \t", position_ == 0 ? 0 : position_ - 1);
    return position_ == 0 || before == std::string::npos || text_[before] == '\n';
  }

  void Blank(size_t end) {
    for (end = std::min(end, text_.size()); position_ < end; ++position_) {
      if (text_[position_] != '\n') text_[position_] = ' ';
    }
  }
  void BlankUntil(std::string_view mark) {
    const size_t end = text_.find(mark, position_);
    Blank(end == std::string::npos ? end : end + mark.size());
  }
  void BlankRawString() {
    const size_t open = text_.find('(', position_);
    if (open == std::string::npos) return Blank(open);
    const std::string delimiter = text_.substr(position_ + 2, open - position_ - 2);
    BlankUntil(")" + delimiter + "\"");
  }
  void BlankLiteral(char quote) {
    size_t end = position_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
    Blank(end + 1);
  }
  void BlankDirective() {
    size_t end = text_.find('\n', position_);
    while (end != std::string::npos && text_[end - 1] == '\\') end = text_.find('\n', end + 1);
    Blank(end);
  }

  std::string text_;
  size_t position_ = 0;
};

/// The declaration's text up to its parameter list; empty if what it opens is no function.
std::string FunctionName(const std::string& declaration) {
  static const std::regex other_line(
      R"(^\s*(template\s*<[^{]*>\s*)?(inline\s+)?(namespace|class|struct|enum|union|extern)\b)");
  static const std::regex operator_name(R"(operator\s*(\(\)|\[\]|[-+*/%^&|~!=<>,]+))");
  if (std::regex_search(declaration, other_line)) return {};
  const std::string plain = std::regex_replace(declaration, operator_name, "operator");
  const size_t parameters = plain.find('(');
  if (parameters == std::string::npos || plain.substr(0, parameters).find('=') != std::string::npos)
    return {};
  return plain.substr(0, parameters);
}

}  // namespace

std::string WithoutCommentsAndLiterals(std::string_view text) {
  return Blanker(text).Run();
}

std::vector<Function> FindFunctions(std::string_view text) {
  const std::string code = WithoutCommentsAndLiterals(text);
  struct OpenFunction {
    Function function;
    size_t depth;
  };
  std::vector<Function> functions;
  std::vector<OpenFunction> open;
  std::string declaration;
  size_t declared_at = 0;
  size_t depth = 0;
  size_t line = 1;
  for (const char c : code) {
    if (c == '\n') ++line;
    if (c == '{') {
      const std::string name = open.empty() ? FunctionName(declaration) : std::string();
      if (!name.empty()) open.push_back({{name, declared_at, 0}, depth});
      ++depth;
    } else if (c == '}' && depth > 0) {
      --depth;
      if (!open.empty() && open.back().depth == depth) {
        open.back().function.lines = line - open.back().function.line + 1;
        functions.push_back(std::move(open.back().function));
        open.pop_back();
      }
    }
    const bool ends_declaration = c == '{' || c == '}' || c == ';';
    if (ends_declaration) declaration.clear();
    if (ends_declaration || (declaration.empty() && std::isspace(c))) continue;
    if (declaration.empty()) declared_at = line;
    declaration += c;
  }
  return functions;
}

}  // namespace culprit::tests
