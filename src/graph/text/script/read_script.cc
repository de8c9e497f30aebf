// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "graph/text/inputs/input_reader.h"
#include "graph/text/script/body_reader.h"
#include "graph/text/script/commented_graph.h"
#include "graph/text/script/refuse_model.h"
#include "graph/text/script/script.h"
#include "graph/text/syntax/call_view.h"
#include "graph/text/syntax/outline.h"
#include "graph/text/syntax/statement.h"
#include "graph/text/syntax/string_literal.h"

namespace culprit::graph::text {
namespace {

using base::Diagnostic;
using base::Result;

Result<size_t> Choose(const Source& source, const std::vector<ScriptOutline>& scripts,
                      std::optional<size_t> which) {
  if (scripts.empty()) {
    Diagnostic error{{source.file()}, "there is no graph in this file"};
    error.notes.emplace_back(
        "a graph is a class with a method 'forward', as PyTorch's repro scripts have it");
    return error;
  }
  if (!which && scripts.size() == 1) return 0;
  if (which && *which >= 1 && *which <= scripts.size()) return *which - 1;
  Diagnostic error{{source.file()},
                   which ? fmt::format("there is no graph {}", *which)
                         : fmt::format("there are {} graphs in this file", scripts.size())};
  constexpr size_t kListed = 20;
  for (size_t i = 0; i < std::min(scripts.size(), kListed); ++i) {
    error.notes.push_back(fmt::format("graph {}: {} at line {}", i + 1,
                                      base::Printable(scripts[i].class_name),
                                      source.LineAt(scripts[i].begin)));
  }
  if (scripts.size() > kListed)
    error.notes.push_back(fmt::format("... and {} more", scripts.size() - kListed));
  error.help = "choose one with --which N";
  return error;
}

/// The string in `name = '...'`, or in `name = f('...')`.
Result<std::string> ReadText(const Source& source, size_t offset, const char* expected) {
  ExpressionArena arena;
  TokenStream tokens = CULPRIT_TRY(TokenStream::Open(source, offset));
  const Statement statement = CULPRIT_TRY(ParseStatement(tokens, arena));
  const CallView call(arena, statement.value);
  const std::optional<ExpressionId> id = call.Positional(0) ? call.Positional(0) : statement.value;
  if (id) {
    if (auto text = StringFromText(arena[*id].text)) return *std::move(text);
  }
  return source.Error(offset, expected);
}

}  // namespace

Result<Script> ReadScript(std::string file_name, std::string_view text, const ReadOptions& options) {
  if (text.size() > options.max_source_bytes) {
    return Diagnostic{{file_name},
                      fmt::format("the file has {}, more than the limit of {}", base::HumanBytes(text.size()),
                                  base::HumanBytes(options.max_source_bytes))};
  }
  Source source(file_name, text, options.for_cpu);
  std::vector<ScriptOutline> scripts = CULPRIT_TRY(FindScripts(source));
  const std::optional<std::string> uncommented = scripts.empty() ? UncommentGraph(text) : std::nullopt;
  if (uncommented) {
    source = Source(file_name, *uncommented, options.for_cpu);
    scripts = CULPRIT_TRY(FindScripts(source));
  }
  const ScriptOutline& outline = scripts[CULPRIT_TRY(Choose(source, scripts, options.which))];
  if (auto error = RefuseModel(source, outline)) return *std::move(error);
  std::vector<Diagnostic> warnings;
  std::optional<InputSpecs> inputs = CULPRIT_TRY(ReadInputs(source, outline, warnings));
  Script script = CULPRIT_TRY(ReadBody(source, outline, std::move(inputs), options));
  if (outline.header)
    script.header = CULPRIT_TRY(ReadText(source, *outline.header, "expected: culprit = '...'"));
  if (outline.exported_program) {
    script.inputs_file = CULPRIT_TRY(
        ReadText(source, *outline.exported_program, "expected: exported_program = torch.export.load('...')"));
  }
  script.warnings.insert(script.warnings.begin(), warnings.begin(), warnings.end());
  return script;
}

}  // namespace culprit::graph::text
