// SPDX-License-Identifier: Apache-2.0
#include "graph/text/bind_symbols.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/text/call_view.h"
#include "graph/text/string_literal.h"

namespace culprit::graph::text {
namespace {

class SymbolBinder {
 public:
  SymbolBinder(const Source& source, const ExpressionArena& arena, Symbols& symbols)
      : source_(source), arena_(arena), symbols_(symbols) {}

  base::Status Visit(const Statement& statement) {
    const CallView outer(arena_, statement.value);
    // fill(reader.storage(...), contents)
    const CallView call(arena_, outer.name() == "fill" ? outer.Positional(0) : statement.value);
    if (call.name() == "reader.symint") return VisitInt(statement, call);
    if (call.name() == "reader.storage") Note(call.Argument(1, "nbytes"));
    if (call.name() == "reader.tensor") {
      Note(call.Argument(1, "shape"));
      Note(call.Argument(2, "stride"));
      Note(call.Argument(3, "storage_offset"));
    }
    return base::Done{};
  }

  std::vector<std::string> Guess() {
    std::vector<std::string> guessed;
    std::erase_if(unbound_, [&](std::string_view name) { return symbols_.contains(name) || name == "None"; });
    for (size_t i = 0; i < std::min(unbound_.size(), ints_.size()); ++i) {
      symbols_[std::string(unbound_[i])] = ints_[i];
      guessed.push_back(fmt::format("{} = {}", unbound_[i], ints_[i]));
    }
    return guessed;
  }

 private:
  void Note(std::optional<ExpressionId> sizes) {
    if (!sizes) return;
    ForEachSymbol(arena_, *sizes, [&](std::string_view name) {
      const bool known =
          symbols_.contains(name) || std::find(unbound_.begin(), unbound_.end(), name) != unbound_.end();
      if (!known) unbound_.push_back(name);
    });
  }

  base::Status VisitInt(const Statement& statement, const CallView& call) {
    const std::optional<ExpressionId> value = call.Argument(0, "val");
    if (!value) return source_.Error(statement.offset, "symint needs a value");
    if (arena_[*value].text == "None") return base::Done{};
    const int64_t number = CULPRIT_TRY(EvaluateSize(source_, arena_, *value, symbols_));
    const std::optional<ExpressionId> expression = call.Argument(1, "expr");
    const auto text = expression ? StringFromText(arena_[*expression].text) : std::nullopt;
    const bool is_symbol = text && !text->empty() && text->find_first_of(" +-*/()%,") == std::string::npos;
    if (is_symbol && !symbols_.contains(*text)) {
      symbols_[*text] = number;
    } else {
      ints_.push_back(number);
    }
    return base::Done{};
  }

  const Source& source_;
  const ExpressionArena& arena_;
  Symbols& symbols_;
  std::vector<std::string_view> unbound_;
  std::vector<int64_t> ints_;
};

}  // namespace

base::Result<std::vector<std::string>> BindSymbols(const Source& source, const ExpressionArena& arena,
                                                   const std::vector<Statement>& statements,
                                                   Symbols& symbols) {
  SymbolBinder binder(source, arena, symbols);
  for (const Statement& statement : statements) CULPRIT_TRY(binder.Visit(statement));
  return binder.Guess();
}

}  // namespace culprit::graph::text
