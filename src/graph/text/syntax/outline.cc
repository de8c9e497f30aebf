// SPDX-License-Identifier: Apache-2.0
#include "graph/text/syntax/outline.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "graph/text/syntax/literal.h"
#include "graph/text/syntax/token_stream.h"

namespace culprit::graph::text {
namespace {

using base::Done;
using base::Result;
using base::Status;

class OutlineReader {
 public:
  explicit OutlineReader(TokenStream tokens) : tokens_(std::move(tokens)) {}

  Result<std::vector<ScriptOutline>> Run() {
    while (tokens_.peek().kind != TokenKind::kEnd) CULPRIT_TRY(TopLevelStatement());
    const auto is_graph = [](const ScriptOutline& script) {
      return script.calls_operators || script.load_args || script.args_list || script.reader_calls;
    };
    if (std::any_of(scripts_.begin(), scripts_.end(), is_graph))
      std::erase_if(scripts_, std::not_fn(is_graph));
    return std::move(scripts_);
  }

 private:
  Status TopLevelStatement() {
    const Token first = tokens_.peek();
    if (first.Is("class")) return Class();
    if (first.Is("def")) return Function();
    if (first.kind == TokenKind::kName) return Assignment();
    if (first.kind == TokenKind::kIndent || first.kind == TokenKind::kDedent) {
      CULPRIT_TRY(tokens_.Take());
      return Done{};
    }
    return tokens_.SkipStatement();
  }

  ScriptOutline& NewScript(size_t begin, std::string_view class_name, size_t forward) {
    ScriptOutline& script = scripts_.emplace_back();
    script.begin = begin;
    script.class_name = class_name;
    script.forward = forward;
    script.symbols = std::move(symbols_);
    symbols_.clear();
    script.header = std::exchange(header_, std::nullopt);
    return script;
  }

  Status Class() {
    const Token keyword = CULPRIT_TRY(tokens_.Take());
    const std::string_view name = tokens_.peek().text;
    CULPRIT_TRY(tokens_.SkipLine());
    if (tokens_.peek().kind != TokenKind::kIndent) return Done{};
    CULPRIT_TRY(tokens_.Take());
    ScriptOutline parts;
    bool has_forward = false;
    while (tokens_.peek().kind != TokenKind::kDedent && tokens_.peek().kind != TokenKind::kEnd) {
      CULPRIT_TRY(ClassStatement(parts, has_forward));
    }
    if (tokens_.peek().kind == TokenKind::kDedent) CULPRIT_TRY(tokens_.Take());
    if (!has_forward) return Done{};
    ScriptOutline& script = NewScript(keyword.offset, name, parts.forward);
    script.init = parts.init;
    script.graph_name = parts.graph_name;
    script.placeholder_kinds = parts.placeholder_kinds;
    script.placeholder_symbols = parts.placeholder_symbols;
    script.attributes_used = std::move(parts.attributes_used);
    script.calls_operators = parts.calls_operators;
    script.calls_modules = parts.calls_modules;
    return Done{};
  }

  Status ClassStatement(ScriptOutline& parts, bool& has_forward) {
    const Token first = tokens_.peek();
    if (first.Is("def")) {
      CULPRIT_TRY(tokens_.Take());
      if (tokens_.peek().Is("__init__")) parts.init = first.offset;
      if (tokens_.peek().Is("forward")) {
        parts.forward = first.offset;
        has_forward = true;
        return SkipForward(parts);
      }
    } else if (first.Is("graph_name")) {
      parts.graph_name = first.offset;
    } else if (first.Is("placeholder_kinds")) {
      parts.placeholder_kinds = first.offset;
    } else if (first.Is("placeholder_symbols")) {
      parts.placeholder_symbols = first.offset;
    }
    return tokens_.SkipStatement();
  }

  // Skips the function and notes the attributes of self on the way.
  Status SkipForward(ScriptOutline& parts) {
    size_t depth = 0;
    while (tokens_.peek().kind != TokenKind::kEnd) {
      const Token token = CULPRIT_TRY(tokens_.Take());
      if (token.kind == TokenKind::kIndent) ++depth;
      if (token.kind == TokenKind::kDedent && --depth == 0) return Done{};
      if (token.kind == TokenKind::kNewline && depth == 0 && tokens_.peek().kind != TokenKind::kIndent)
        return Done{};
      if (token.kind == TokenKind::kName && tokens_.peek().Is(".")) CULPRIT_TRY(DottedName(token, parts));
    }
    return Done{};
  }

  // A name in forward, of which the stream has taken the first part.
  Status DottedName(const Token& first, ScriptOutline& parts) {
    size_t end = first.offset + first.text.size();
    while (tokens_.peek().Is(".") && tokens_.peek().offset == end) {
      CULPRIT_TRY(tokens_.Take());
      end = tokens_.peek().offset + tokens_.peek().text.size();
      if (tokens_.peek().kind == TokenKind::kName) CULPRIT_TRY(tokens_.Take());
    }
    const std::string_view dotted = tokens_.source().text().substr(first.offset, end - first.offset);
    const bool is_called = tokens_.peek().Is("(");
    for (const std::string_view prefix : {"torch.ops.", "ops.", "aten.", "prims."})
      parts.calls_operators = parts.calls_operators || (is_called && dotted.starts_with(prefix));
    const bool is_attribute = dotted.starts_with("self.");
    parts.calls_modules =
        parts.calls_modules || (is_called && (is_attribute || dotted.starts_with("torch.nn.")));
    if (is_attribute) parts.attributes_used.push_back(dotted.substr(5));
    return Done{};
  }

  Status Function() {
    const Token keyword = CULPRIT_TRY(tokens_.Take());
    if (tokens_.peek().Is("forward")) {
      ScriptOutline& script = NewScript(keyword.offset, "forward", keyword.offset);
      return SkipForward(script);
    }
    if (tokens_.peek().Is("load_args") && !scripts_.empty()) scripts_.back().load_args = keyword.offset;
    return tokens_.SkipStatement();
  }

  // `load_args._version = 0`, `args = [...]`, `s0 = 4`, `culprit = '...'`; everything else is skipped.
  Status Assignment() {
    const Token name = CULPRIT_TRY(tokens_.Take());
    if (name.Is("load_args") && tokens_.peek().Is(".") && !scripts_.empty()) {
      scripts_.back().load_args_version = name.offset;
    } else if (tokens_.peek().Is("=")) {
      CULPRIT_TRY(tokens_.Take());
      const Token value = tokens_.peek();
      const bool first_args = !scripts_.empty() && !scripts_.back().args_list;
      if (name.Is("args") && value.Is("[") && first_args) scripts_.back().args_list = name.offset;
      if (value.Is("reader") && !scripts_.empty() && !scripts_.back().reader_calls) {
        scripts_.back().reader_calls = name.offset;
      }
      if (name.Is("exported_program") && !scripts_.empty()) scripts_.back().exported_program = name.offset;
      if (name.Is("culprit") && value.kind == TokenKind::kString) header_ = name.offset;
      if (value.kind == TokenKind::kInt) {
        if (const auto number = IntFromText(value.text)) symbols_[std::string(name.text)] = *number;
      }
    }
    return tokens_.SkipStatement();
  }

  TokenStream tokens_;
  std::vector<ScriptOutline> scripts_;
  // Seen since the last class; they belong to the next one.
  std::map<std::string, int64_t, std::less<>> symbols_;
  std::optional<size_t> header_;
};

}  // namespace

Result<std::vector<ScriptOutline>> FindScripts(const Source& source) {
  return OutlineReader(CULPRIT_TRY(TokenStream::Open(source))).Run();
}

}  // namespace culprit::graph::text
