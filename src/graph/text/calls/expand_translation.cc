// SPDX-License-Identifier: Apache-2.0
#include "graph/text/calls/expand_translation.h"

#include <fmt/format.h>

#include "graph/text/calls/evaluator.h"
#include "graph/text/syntax/statement.h"
#include "graph/text/values/constant_expression.h"

namespace culprit::graph::text {
namespace {

using base::Diagnostic;
using base::Done;
using base::Result;
using base::Status;

// The row as the text of a function.
std::string FunctionText(const translate::Translation& row) {
  std::string text = fmt::format("def translation({}):\n", row.parameters);
  std::string_view body = row.body;
  while (!body.empty()) {
    const size_t end = std::min(body.find('\n'), body.size());
    const std::string_view line = body.substr(0, end);
    const size_t begin = std::min(line.find_first_not_of(' '), line.size());
    if (begin < line.size()) text += fmt::format("  {}\n", line.substr(begin));
    body.remove_prefix(std::min(end + 1, body.size()));
  }
  return text + "  pass\n";
}

// As Python compares constants: 1 == 1.0.
bool IsEqual(const Argument& a, const Argument& b) {
  const auto is_number = [](const Argument& argument) {
    return argument.is_constant() && (argument.constant().isInt() || argument.constant().isDouble());
  };
  if (!is_number(a) || !is_number(b)) return a == b;
  return a.constant().toScalar().toDouble() == b.constant().toScalar().toDouble();
}

class Expander {
 public:
  Expander(const translate::Translation& row, CallBuilder& calls, const Source& source)
      : row_(row), calls_(calls), source_(source), evaluator_(source, arena_, scope_, calls) {}

  /// One argument per parameter, in their order.
  Result<std::vector<Argument>> Bind(const WrittenArguments& arguments) {
    TokenStream tokens = CULPRIT_TRY(TokenStream::Open(source_));
    const FunctionHeader header = CULPRIT_TRY(ParseFunctionHeader(tokens, arena_));
    CULPRIT_TRY(BindParameters(header.parameters, arguments));
    std::vector<Argument> bound;
    for (const Parameter& parameter : header.parameters) {
      bound.push_back(scope_.names[parameter.name].items.front());
    }
    return bound;
  }

  Result<std::optional<Binding>> Run(const WrittenArguments& arguments) {
    TokenStream tokens = CULPRIT_TRY(TokenStream::Open(source_));
    const FunctionHeader header = CULPRIT_TRY(ParseFunctionHeader(tokens, arena_));
    CULPRIT_TRY(BindParameters(header.parameters, arguments));
    if (!CULPRIT_TRY(ConditionHolds())) return std::optional<Binding>();
    Binding result{{}, /*is_tuple=*/true};
    CULPRIT_TRY(ForEachStatement(tokens, arena_, header, /*keep=*/true,
                                 [&](const Statement& statement) -> Result<bool> {
                                   if (statement.kind == Statement::Kind::kReturn) {
                                     result = CULPRIT_TRY(ReturnValue(*statement.value));
                                     return false;
                                   }
                                   CULPRIT_TRY(Assign(statement));
                                   return true;
                                 }));
    return std::optional(std::move(result));
  }

 private:
  Status BindParameters(const std::vector<Parameter>& parameters, const WrittenArguments& arguments) {
    if (arguments.positional.size() > parameters.size()) {
      return Diagnostic{{},
                        fmt::format("{} takes {} arguments, but {} are given", row_.op, parameters.size(),
                                    arguments.positional.size())};
    }
    for (size_t i = 0; i < arguments.positional.size(); ++i) {
      scope_.names[parameters[i].name] = Binding::Single(arguments.positional[i]);
    }
    for (const auto& keyword : arguments.keyword) {
      const std::string& name = keyword.first;
      const auto named = [&](const Parameter& parameter) { return parameter.name == name; };
      const auto parameter = std::find_if(parameters.begin(), parameters.end(), named);
      if (parameter == parameters.end())
        return Diagnostic{{}, fmt::format("{} has no argument '{}'", row_.op, name)};
      scope_.names[parameter->name] = Binding::Single(keyword.second);
    }
    for (const Parameter& parameter : parameters) {
      if (scope_.names.contains(parameter.name)) continue;
      if (!parameter.default_value) {
        return Diagnostic{{}, fmt::format("argument '{}' of {} is missing", parameter.name, row_.op)};
      }
      scope_.names[parameter.name] =
          Binding::Single(CULPRIT_TRY(evaluator_.EvaluateSingle(*parameter.default_value)));
    }
    return Done{};
  }

  // `a == 1 and b is None and c is not None`
  Result<bool> ConditionHolds() {
    if (row_.when.empty()) return true;
    const Source source("when", row_.when);
    ExpressionArena arena;
    TokenStream tokens = CULPRIT_TRY(TokenStream::Open(source));
    const ExpressionId condition = CULPRIT_TRY(ParseExpression(tokens, arena));
    Evaluator evaluator(source, arena, scope_, calls_);
    return Holds(arena, condition, evaluator);
  }

  Result<bool> Holds(const ExpressionArena& arena, ExpressionId id, Evaluator& evaluator) {
    const Expression& expression = arena[id];
    CULPRIT_CHECK(expression.kind == ExpressionKind::kBinary, "condition of {}: '{}'", row_.op, row_.when);
    if (expression.text == "and") {
      const bool left = CULPRIT_TRY(Holds(arena, arena.child(expression, 0), evaluator));
      return left && CULPRIT_TRY(Holds(arena, arena.child(expression, 1), evaluator));
    }
    const Argument left = CULPRIT_TRY(evaluator.EvaluateSingle(arena.child(expression, 0)));
    const Expression& right_side = arena.ChildOf(expression, 1);
    if (expression.text == "is") return left.is_none() != (right_side.kind == ExpressionKind::kUnary);
    const Argument right = CULPRIT_TRY(evaluator.EvaluateSingle(arena.child(expression, 1)));
    CULPRIT_CHECK(expression.text == "==" || expression.text == "!=", "condition of {}: '{}'", row_.op,
                  row_.when);
    return IsEqual(left, right) == (expression.text == "==");
  }

  Status Assign(const Statement& statement) {
    if (!statement.value) return Done{};
    Binding value = CULPRIT_TRY(evaluator_.Evaluate(*statement.value));
    if (statement.targets.empty()) return Done{};
    const Expression& target = arena_[statement.targets.front()];
    if (target.kind == ExpressionKind::kName) {
      scope_.names[target.text] = std::move(value);
      return Done{};
    }
    CULPRIT_CHECK(target.child_count == value.items.size(), "translation of {}: {} targets", row_.op,
                  target.child_count);
    for (uint32_t i = 0; i < target.child_count; ++i) {
      scope_.names[arena_.ChildOf(target, i).text] = Binding::Single(value.items[i]);
    }
    return Done{};
  }

  Result<Binding> ReturnValue(ExpressionId id) {
    const Expression& expression = arena_[id];
    if (expression.kind != ExpressionKind::kTuple) return evaluator_.Evaluate(id);
    Binding binding{{}, /*is_tuple=*/true};
    for (uint32_t i = 0; i < expression.child_count; ++i) {
      binding.items.push_back(CULPRIT_TRY(evaluator_.EvaluateSingle(arena_.child(expression, i))));
    }
    return binding;
  }

  const translate::Translation& row_;
  CallBuilder& calls_;
  const Source& source_;
  ExpressionArena arena_;
  NameScope scope_;
  Evaluator evaluator_;
};

class CallEmitter : public translate::Emitter {
 public:
  explicit CallEmitter(CallBuilder& calls) : calls_(calls) {}

  Result<std::vector<ValueId>> Emit(std::string_view op, WrittenArguments arguments) override {
    const size_t colons = op.find("::");
    const std::string_view overload = op.find('.') == std::string_view::npos ? ".default" : "";
    const std::string callee = fmt::format("{}.{}{}", op.substr(0, colons), op.substr(colons + 2), overload);
    std::optional<size_t> failed_at;
    const Binding binding = CULPRIT_TRY(calls_.Call(callee, arguments, &failed_at));
    std::vector<ValueId> results;
    for (const Argument& item : binding.items) results.push_back(item.value());
    return results;
  }

 private:
  CallBuilder& calls_;
};

// The place would be one in the table's text; the caller knows the place in the script.
Diagnostic ErrorInRow(std::string_view op, Diagnostic inner) {
  Diagnostic error{{}, std::move(inner.message)};
  error.notes.push_back(fmt::format("this is about how {} is expressed with operators of libtorch", op));
  return error;
}

}  // namespace

Result<std::optional<Binding>> ExpandTranslation(const translate::Translation& row,
                                                 const WrittenArguments& arguments, CallBuilder& calls) {
  const std::string text = FunctionText(row);
  const Source source("translation", text);
  Result<std::optional<Binding>> result = Expander(row, calls, source).Run(arguments);
  if (!result.ok()) return ErrorInRow(row.op, std::move(result).error());
  return result;
}

Result<Binding> ExpandFunction(const translate::FunctionTranslation& row, const WrittenArguments& arguments,
                               CallBuilder& calls) {
  const translate::Translation without_body{
      .op = row.op, .parameters = row.parameters, .when = "", .body = ""};
  const std::string text = FunctionText(without_body);
  const Source source("translation", text);
  Result<std::vector<Argument>> bound = Expander(without_body, calls, source).Bind(arguments);
  if (!bound.ok()) return ErrorInRow(row.op, std::move(bound).error());
  CallEmitter emitter(calls);
  Result<std::vector<Argument>> results =
      row.expand({.positional = *std::move(bound), .keyword = {}}, emitter);
  if (!results.ok()) return ErrorInRow(row.op, std::move(results).error());
  const bool is_tuple = results->size() != 1;
  return Binding{*std::move(results), is_tuple};
}

}  // namespace culprit::graph::text
