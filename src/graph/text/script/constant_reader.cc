// SPDX-License-Identifier: Apache-2.0
#include "graph/text/script/constant_reader.h"

#include <algorithm>

#include "graph/text/syntax/call_view.h"
#include "graph/text/syntax/literal.h"
#include "graph/text/syntax/statement.h"
#include "graph/text/syntax/string_literal.h"

namespace culprit::graph::text {
namespace {

using base::Result;

constexpr std::string_view kSelf = "self.";

// What may stand around the data of a constant.
constexpr std::string_view kWrappers[] = {
    "torch.nn.Parameter",           "torch.nn.Buffer",          "nn.Parameter", "nn.Buffer",
    "torch.nn.parameter.Parameter", "torch.nn.parameter.Buffer"};

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
  const std::string_view target = statement.targets.size() == 1 ? arena[statement.targets[0]].text : "";
  if (!target.starts_with(kSelf)) return std::optional<Declaration>();
  const bool wrapped =
      std::find(std::begin(kWrappers), std::end(kWrappers), call.name()) != std::end(kWrappers);
  const std::optional<ExpressionId> data = wrapped ? call.Argument(0, "data") : statement.value;
  const bool has_data = data && (wrapped || MakesTensor(arena, *data));
  if (!has_data) return std::optional<Declaration>();
  return std::optional(Declaration{std::string(target.substr(kSelf.size())), *data});
}

class ConstantReader {
 public:
  ConstantReader(const Source& source, TensorSources sources,
                 const std::unordered_set<std::string_view>& needed)
      : source_(source), sources_(std::move(sources)), needed_(needed) {}

  Result<std::vector<DeclaredConstant>> Read(size_t init) {
    TokenStream tokens = CULPRIT_TRY(TokenStream::Open(source_, init));
    const FunctionHeader header = CULPRIT_TRY(ParseFunctionHeader(tokens, arena_));
    while (tokens.peek().kind != TokenKind::kDedent && tokens.peek().kind != TokenKind::kEnd) {
      if (tokens.peek().Is("self")) {
        CULPRIT_TRY(ReadStatement(tokens));
      } else {
        CULPRIT_TRY(tokens.SkipStatement());
      }
      if (!header.has_block) break;
    }
    return std::move(constants_);
  }

 private:
  base::Status ReadStatement(TokenStream& tokens) {
    const size_t offset = tokens.peek().offset;
    const bool needed = IsNeeded(offset);
    arena_.Clear();
    const Result<Statement> statement = ParseStatement(tokens, arena_);
    base::Status status = statement.ok() ? Declare(*statement) : base::Status(statement.error());
    if (!status.ok() && needed) {
      const std::optional<std::string_view> graph = NameOfGraph(offset);
      if (!graph) return status;
      constants_.push_back({std::string(*graph), std::nullopt, offset, status.error()});
    }
    return statement.ok() ? base::Done{} : tokens.SkipStatement();
  }

  bool IsNeeded(size_t statement) const {
    std::string_view text = source_.text().substr(statement);
    if (!text.starts_with(kSelf)) return true;
    text.remove_prefix(kSelf.size());
    const std::string_view name = text.substr(0, text.find_first_of(" \t\r\n=.(:,"));
    return name == "register_buffer" || needed_.contains(name);
  }

  // self.NAME = <lambda>()
  std::optional<std::string_view> NameOfGraph(size_t statement) const {
    std::string_view line = source_.text().substr(statement);
    line = line.substr(0, line.find('\n'));
    const size_t equals = line.find(" = <");
    if (!line.starts_with(kSelf) || equals == std::string_view::npos) return std::nullopt;
    return line.substr(kSelf.size(), equals - kSelf.size());
  }

  base::Status Declare(const Statement& statement) {
    const std::optional<Declaration> declaration = CULPRIT_TRY(FindDeclaration(source_, arena_, statement));
    if (!declaration) return base::Done{};
    DeclaredConstant constant{declaration->name, std::nullopt, statement.offset};
    if (arena_[declaration->data].text != "None") {
      constant.data = CULPRIT_TRY(EvaluateTensor(source_, arena_, declaration->data, sources_));
      sources_.max_bytes -= std::min(sources_.max_bytes, constant.data->tensor.nbytes());
    }
    constants_.push_back(std::move(constant));
    return base::Done{};
  }

  const Source& source_;
  TensorSources sources_;
  const std::unordered_set<std::string_view>& needed_;
  ExpressionArena arena_;
  std::vector<DeclaredConstant> constants_;
};

}  // namespace

Result<std::vector<DeclaredConstant>> ReadConstants(const Source& source, size_t init, TensorSources sources,
                                                    const std::unordered_set<std::string_view>& needed) {
  return ConstantReader(source, std::move(sources), needed).Read(init);
}

}  // namespace culprit::graph::text
