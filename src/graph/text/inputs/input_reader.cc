// SPDX-License-Identifier: Apache-2.0
#include "graph/text/inputs/input_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "base/text.h"
#include "graph/text/inputs/annotated_inputs.h"
#include "graph/text/inputs/bind_symbols.h"
#include "graph/text/inputs/input_calls.h"
#include "graph/text/inputs/missing_inputs.h"

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
    is_empty_ = header.is_empty;
    std::vector<Statement> statements;
    CULPRIT_TRY(
        ForEachStatement(tokens, arena_, header, /*keep=*/true, [&](const Statement& s) -> Result<bool> {
          statements.push_back(s);
          return true;
        }));
    guessed_ = CULPRIT_TRY(BindSymbols(source_, arena_, statements, symbols_));
    const auto missing = FindMissingInputs(source_.text(), offset, tokens.peek().offset);
    is_empty_ = is_empty_ && missing.empty();
    auto next = missing.begin();
    const auto add_missing = [&](size_t before) {
      for (; next != missing.end() && next->offset < before; ++next)
        calls_.specs().inputs.push_back(next->spec);
    };
    for (const Statement& statement : statements) {
      add_missing(statement.offset);
      CULPRIT_TRY(calls_.Read(statement));
    }
    add_missing(source_.text().size());
    return std::move(calls_.specs());
  }

  /// Whether load_args has no body.
  bool is_empty() const { return is_empty_; }

  std::vector<base::Diagnostic> Warnings() const {
    std::vector<base::Diagnostic> warnings = calls_.Warnings();
    if (guessed_.made_up.empty()) return warnings;
    base::Diagnostic warning{
        {source_.file()},
        fmt::format("sizes that depend on data were made up: {}", fmt::join(guessed_.made_up, ", "))};
    warning.help =
        fmt::format("choose others in lines above the class, such as: {}", guessed_.made_up.front());
    warnings.push_back(std::move(warning));
    return warnings;
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
  bool is_empty_ = false;
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

// A file that says nothing about its inputs may have annotations. Without parameters there is nothing to say.
Result<std::optional<InputSpecs>> ReadEmptyLoadArgs(const Source& source, const ScriptOutline& outline,
                                                    std::vector<base::Diagnostic>& warnings) {
  std::optional<InputSpecs> inputs = CULPRIT_TRY(AnnotatedInputs(source, outline));
  const bool has_parameters = !inputs || !inputs->inputs.empty();
  if (has_parameters) {
    warnings.push_back(source.Error(
        *outline.load_args, inputs ? "load_args describes no inputs; those that forward annotates are taken"
                                   : "load_args describes no inputs, and forward has some"));
  }
  return inputs;
}

}  // namespace

Result<std::optional<InputSpecs>> ReadInputs(const Source& source, const ScriptOutline& outline,
                                             std::vector<base::Diagnostic>& warnings) {
  InputReader reader(source, outline);
  std::optional<InputSpecs> inputs;
  if (outline.load_args) {
    CULPRIT_TRY(CheckVersion(source, outline, warnings));
    inputs = CULPRIT_TRY(reader.ReadLoadArgs(*outline.load_args));
    if (reader.is_empty()) return ReadEmptyLoadArgs(source, outline, warnings);
  } else if (outline.reader_calls) {
    inputs = CULPRIT_TRY(reader.ReadReaderCalls(*outline.reader_calls));
  } else if (outline.args_list) {
    inputs = CULPRIT_TRY(reader.ReadArgsList(*outline.args_list));
  } else {
    inputs = CULPRIT_TRY(AnnotatedInputs(source, outline));
    return inputs && inputs->inputs.empty() ? std::nullopt : std::move(inputs);
  }
  for (base::Diagnostic& warning : reader.Warnings()) warnings.push_back(std::move(warning));
  return inputs;
}

}  // namespace culprit::graph::text
