// SPDX-License-Identifier: Apache-2.0
#include "graph/text/values/size_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "graph/operators/operator.h"
#include "graph/text/syntax/literal.h"
#include "graph/text/syntax/python_operators.h"

namespace culprit::graph::text {
namespace {

using base::Result;

class SizeEvaluator {
 public:
  SizeEvaluator(const Source& source, const ExpressionArena& arena, const Symbols& symbols)
      : source_(source), arena_(arena), symbols_(symbols) {}

  Result<int64_t> Evaluate(ExpressionId id) {
    const Expression& expression = arena_[id];
    switch (expression.kind) {
      case ExpressionKind::kInt:
        if (const auto value = IntFromText(expression.text)) return *value;
        return source_.Error(expression.offset, "this integer does not fit 64 bits");
      case ExpressionKind::kName:
        return Symbol(expression);
      case ExpressionKind::kUnary:
        return Unary(expression);
      case ExpressionKind::kBinary:
        return Apply(BuiltinOfOperator(expression.text), expression, 0);
      case ExpressionKind::kCall:
        return Apply(BuiltinOfFunction(arena_.ChildOf(expression, 0).text), expression, 1);
      default:
        return source_.Error(expression.offset, "expected an integer expression");
    }
  }

 private:
  Result<int64_t> Symbol(const Expression& expression) {
    const auto found = symbols_.find(expression.text);
    if (found != symbols_.end()) return found->second;
    return source_.Error(expression.offset,
                         fmt::format("size '{}' is not defined", base::Shortened(expression.text)));
  }

  Result<int64_t> Unary(const Expression& expression) {
    const Expression& operand = arena_.ChildOf(expression, 0);
    if (expression.text == "-" && operand.kind == ExpressionKind::kInt) {
      if (const auto value = IntFromText(operand.text, /*negative=*/true)) return *value;
    }
    if (expression.text == "-") return Apply("python::neg", expression, 0);
    if (expression.text == "+") return Evaluate(arena_.child(expression, 0));
    return source_.Error(expression.offset, "expected an integer expression");
  }

  // Folds from the left, so that Max(a, b, c) works too.
  Result<int64_t> Apply(std::string_view builtin, const Expression& expression, uint32_t first) {
    const Operator* op = builtin.empty() ? nullptr : Operator::Find(builtin, "int");
    const bool integral = op != nullptr && op->results() && op->results()->front() == ValueKind::kInt;
    if (!integral || expression.child_count <= first)
      return source_.Error(expression.offset, "expected an integer expression");
    int64_t value = CULPRIT_TRY(Evaluate(arena_.child(expression, first)));
    if (op->slots().size() == 1) return Call(*op, {value}, expression.offset);
    for (uint32_t i = first + 1; i < expression.child_count; ++i) {
      const int64_t next = CULPRIT_TRY(Evaluate(arena_.child(expression, i)));
      value = CULPRIT_TRY(Call(*op, {value, next}, expression.offset));
    }
    return value;
  }

  Result<int64_t> Call(const Operator& op, std::vector<int64_t> arguments, size_t offset) {
    torch::jit::Stack stack(arguments.begin(), arguments.end());
    try {
      op.Call(stack);
    } catch (const c10::Error& error) {
      return source_.Error(offset, error.what_without_backtrace());
    }
    return stack.back().toInt();
  }

  const Source& source_;
  const ExpressionArena& arena_;
  const Symbols& symbols_;
};

}  // namespace

Result<int64_t> EvaluateSize(const Source& source, const ExpressionArena& arena, ExpressionId id,
                             const Symbols& symbols) {
  return SizeEvaluator(source, arena, symbols).Evaluate(id);
}

std::optional<int64_t> SizeFromText(std::string_view text, const Symbols& symbols) {
  const Source source("size", text);
  ExpressionArena arena;
  Result<TokenStream> tokens = TokenStream::Open(source);
  if (!tokens.ok()) return std::nullopt;
  const Result<ExpressionId> id = ParseSingleExpression(*tokens, arena);
  const bool is_all =
      id.ok() && (tokens->peek().kind == TokenKind::kNewline || tokens->peek().kind == TokenKind::kEnd);
  if (!is_all) return std::nullopt;
  const Result<int64_t> value = EvaluateSize(source, arena, *id, symbols);
  return value.ok() ? std::optional(*value) : std::nullopt;
}

void ForEachSymbol(const ExpressionArena& arena, ExpressionId id,
                   const std::function<void(std::string_view)>& visit) {
  const Expression& expression = arena[id];
  if (expression.kind == ExpressionKind::kName) visit(expression.text);
  const uint32_t first = expression.kind == ExpressionKind::kCall ? 1 : 0;
  for (uint32_t i = first; i < expression.child_count; ++i)
    ForEachSymbol(arena, arena.child(expression, i), visit);
}

}  // namespace culprit::graph::text
