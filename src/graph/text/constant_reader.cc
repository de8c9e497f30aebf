// SPDX-License-Identifier: Apache-2.0
#include "graph/text/constant_reader.h"

#include "graph/text/call_view.h"
#include "graph/text/literal.h"
#include "graph/text/statement.h"
#include "graph/text/string_literal.h"

namespace culprit::graph::text {
namespace {

using base::Result;

constexpr std::string_view kSelf = "self.";

// A statement that declares a constant: its name, and the expression that makes its data.
struct Declaration {
  std::string name;
  ExpressionId data;
};

Result<std::optional<Declaration>> FindDeclaration(const Source& source, const ExpressionArena& arena,
                                                   const Statement& statement) {
  const CallView call(arena, statement.value);
  if (call.name() == "self.register_buffer") {
    const std::optional<ExpressionId> name_text = call.Argument(0, "name");
    const std::optional<std::string> name = name_text ? StringFromText(arena[*name_text].text) : std::nullopt;
    const std::optional<ExpressionId> data = call.Argument(1, "tensor");
    if (!name || !data)
      return source.Error(statement.offset, "expected: self.register_buffer('name', tensor)");
    return std::optional(Declaration{*name, *data});
  }
  if (call.name() == "torch.nn.Parameter" && statement.targets.size() == 1) {
    const std::string_view target = arena[statement.targets[0]].text;
    const std::optional<ExpressionId> data = call.Argument(0, "data");
    if (data && target.starts_with(kSelf)) {
      return std::optional(Declaration{std::string(target.substr(kSelf.size())), *data});
    }
  }
  return std::optional<Declaration>();
}

}  // namespace

Result<std::vector<DeclaredConstant>> ReadConstants(const Source& source, size_t init,
                                                    TensorSources sources) {
  std::vector<DeclaredConstant> constants;
  ExpressionArena arena;
  TokenStream tokens = CULPRIT_TRY(TokenStream::Open(source, init));
  const FunctionHeader header = CULPRIT_TRY(ParseFunctionHeader(tokens, arena));
  while (tokens.peek().kind != TokenKind::kDedent && tokens.peek().kind != TokenKind::kEnd) {
    if (!tokens.peek().Is("self")) {
      CULPRIT_TRY(tokens.SkipStatement());
      if (!header.has_block) break;
      continue;
    }
    arena.Clear();
    const Statement statement = CULPRIT_TRY(ParseStatement(tokens, arena));
    const std::optional<Declaration> declaration = CULPRIT_TRY(FindDeclaration(source, arena, statement));
    if (!declaration) continue;
    DeclaredConstant constant{declaration->name, std::nullopt, statement.offset};
    if (arena[declaration->data].text != "None") {
      constant.data = CULPRIT_TRY(EvaluateTensor(source, arena, declaration->data, sources));
      sources.max_bytes -= std::min(sources.max_bytes, constant.data->tensor.nbytes());
    }
    constants.push_back(std::move(constant));
  }
  return constants;
}

}  // namespace culprit::graph::text
