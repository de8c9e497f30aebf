// SPDX-License-Identifier: Apache-2.0
#include "graph/text/input_reader.h"

#include <fmt/format.h>

#include <map>

#include "base/text.h"
#include "graph/text/bind_symbols.h"
#include "graph/text/input_calls.h"

namespace culprit::graph::text {
namespace {

using base::Done;
using base::Result;
using base::Status;

class InputReader {
 public:
  InputReader(const Source& source, const ScriptOutline& outline)
      : source_(source), symbols_(outline.symbols) {}

  Result<InputSpecs> ReadLoadArgs(size_t offset) {
    TokenStream tokens = CULPRIT_TRY(TokenStream::Open(source_, offset));
    const FunctionHeader header = CULPRIT_TRY(ParseFunctionHeader(tokens, arena_));
    std::vector<Statement> statements;
    CULPRIT_TRY(
        ForEachStatement(tokens, arena_, header, /*keep=*/true, [&](const Statement& s) -> Result<bool> {
          statements.push_back(s);
          return true;
        }));
    guessed_ = CULPRIT_TRY(BindSymbols(source_, arena_, statements, symbols_));
    for (const Statement& statement : statements) CULPRIT_TRY(calls_.Read(statement));
    return std::move(calls_.specs());
  }

  // t0 = reader.tensor(buf0, ...) at the top level; args = [t0, ...] says in which order they are the inputs.
  Result<InputSpecs> ReadReaderCalls(size_t offset) {
    TokenStream tokens = CULPRIT_TRY(TokenStream::Open(source_, offset));
    std::vector<Statement> statements;
    std::map<std::string_view, size_t> input_by_name;
    while (tokens.peek().kind != TokenKind::kEnd) {
      Statement statement = CULPRIT_TRY(ParseStatement(tokens, arena_));
      const bool is_list = statement.value && arena_[*statement.value].kind == ExpressionKind::kList;
      statements.push_back(std::move(statement));
      if (is_list) break;
    }
    guessed_ = CULPRIT_TRY(BindSymbols(source_, arena_, statements, symbols_));
    for (const Statement& statement : statements) {
      const size_t before = calls_.specs().inputs.size();
      CULPRIT_TRY(calls_.Read(statement));
      const bool is_input = calls_.specs().inputs.size() > before && !statement.targets.empty();
      if (is_input) input_by_name[arena_[statement.targets[0]].text] = before;
    }
    return InOrder(arena_[*statements.back().value], input_by_name);
  }

  // args = [((4, 4), (4, 1), torch.float32, 'cuda'), ...]
  Result<InputSpecs> ReadArgsList(size_t offset) {
    TokenStream tokens = CULPRIT_TRY(TokenStream::Open(source_, offset));
    const Statement statement = CULPRIT_TRY(ParseStatement(tokens, arena_));
    const Expression& list = arena_[*statement.value];
    for (uint32_t i = 0; i < list.child_count; ++i) CULPRIT_TRY(calls_.ReadTuple(arena_.ChildOf(list, i)));
    return std::move(calls_.specs());
  }

 private:
  Result<InputSpecs> InOrder(const Expression& list,
                             const std::map<std::string_view, size_t>& input_by_name) {
    InputSpecs& specs = calls_.specs();
    std::vector<InputSpec> ordered;
    for (uint32_t i = 0; i < list.child_count; ++i) {
      const Expression& name = arena_.ChildOf(list, i);
      const auto found = input_by_name.find(name.text);
      if (found == input_by_name.end()) {
        return source_.Error(name.offset,
                             fmt::format("'{}' is no input that a reader made", base::Printable(name.text)));
      }
      ordered.push_back(specs.inputs[found->second]);
    }
    specs.inputs = std::move(ordered);
    return std::move(specs);
  }

  const Source& source_;
  Symbols symbols_;
  GuessedSymbols guessed_;
  ExpressionArena arena_;
  InputCalls calls_{source_, arena_, symbols_, guessed_};
};

// `load_args._version = N`
Status CheckVersion(const Source& source, const ScriptOutline& outline,
                    std::vector<base::Diagnostic>& warnings) {
  if (!outline.load_args_version) {
    warnings.push_back(source.Error(*outline.load_args, "load_args has no version; it is read as version 0"));
    return Done{};
  }
  ExpressionArena arena;
  TokenStream tokens = CULPRIT_TRY(TokenStream::Open(source, *outline.load_args_version));
  const Statement statement = CULPRIT_TRY(ParseStatement(tokens, arena));
  if (!statement.value) return Done{};
  const int64_t version = CULPRIT_TRY(EvaluateSize(source, arena, *statement.value, {}));
  if (version > 0) {
    warnings.push_back(source.Error(
        statement.offset, fmt::format("load_args has version {}, newer than the known version 0", version)));
  }
  return Done{};
}

}  // namespace

Result<std::optional<InputSpecs>> ReadInputs(const Source& source, const ScriptOutline& outline,
                                             std::vector<base::Diagnostic>& warnings) {
  InputReader reader(source, outline);
  if (outline.load_args) {
    CULPRIT_TRY(CheckVersion(source, outline, warnings));
    return std::optional(CULPRIT_TRY(reader.ReadLoadArgs(*outline.load_args)));
  }
  if (outline.reader_calls) return std::optional(CULPRIT_TRY(reader.ReadReaderCalls(*outline.reader_calls)));
  if (outline.args_list) return std::optional(CULPRIT_TRY(reader.ReadArgsList(*outline.args_list)));
  return std::optional<InputSpecs>();
}

}  // namespace culprit::graph::text
