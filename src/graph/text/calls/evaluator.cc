// SPDX-License-Identifier: Apache-2.0
#include "graph/text/calls/evaluator.h"

#include <fmt/format.h>

#include "base/text.h"
#include "graph/text/calls/functionalized_call.h"
#include "graph/text/calls/higher_order.h"
#include "graph/text/calls/round_size.h"
#include "graph/text/syntax/literal.h"
#include "graph/text/syntax/python_operators.h"
#include "graph/text/values/constant_expression.h"

namespace culprit::graph::text {

using base::Diagnostic;
using base::Result;

// Errors of calls come without a place.
Diagnostic Evaluator::At(size_t offset, Diagnostic error) const {
  if (error.place.line > 0 || error.message.empty()) return error;
  Diagnostic placed = source_.Error(offset, std::move(error.message));
  placed.notes = std::move(error.notes);
  placed.help = std::move(error.help);
  return placed;
}

Result<Binding> Evaluator::Evaluate(ExpressionId id) {
  const Expression& expression = arena_[id];
  switch (expression.kind) {
    case ExpressionKind::kName:
      return Name(expression);
    case ExpressionKind::kList:
    case ExpressionKind::kTuple:
      return List(expression);
    case ExpressionKind::kSubscript:
      return Subscript(expression);
    case ExpressionKind::kCall:
      return Call(id);
    case ExpressionKind::kUnary: {
      const Expression& operand = arena_.ChildOf(expression, 0);
      const bool literal = operand.kind != ExpressionKind::kName || NamedConstant(operand.text);
      if (expression.text == "not") return Builtin("python::not_", expression, 0);
      if (expression.text == "-" && !literal) return Builtin("python::neg", expression, 0);
      return Binding::Single(Argument(CULPRIT_TRY(EvaluateConstant(source_, arena_, id))));
    }
    case ExpressionKind::kBinary: {
      if (MayBeConstant(arena_, id)) {
        const Result<c10::IValue> constant = EvaluateConstant(source_, arena_, id);
        if (constant.ok()) return Binding::Single(Argument(*constant));
      }
      return Builtin(BuiltinOfOperator(expression.text), expression, 0);
    }
    default:
      return Binding::Single(Argument(CULPRIT_TRY(EvaluateConstant(source_, arena_, id))));
  }
}

Result<Argument> Evaluator::EvaluateSingle(ExpressionId id) {
  Binding binding = CULPRIT_TRY(Evaluate(id));
  if (binding.is_tuple || binding.items.size() != 1) {
    return source_.Error(arena_[id].offset, fmt::format("this is a tuple of {}, where one value is needed",
                                                        binding.items.size()));
  }
  return std::move(binding.items.front());
}

Result<Binding> Evaluator::Name(const Expression& expression) {
  const auto found = scope_.names.find(expression.text);
  if (found != scope_.names.end()) {
    const Binding& binding = found->second;
    if (binding.is_unknown) return Diagnostic{};
    if (!binding.is_tuple && binding.items.empty()) {
      return source_.Error(expression.offset,
                           fmt::format("'{}' is used after it was deleted", expression.text));
    }
    return binding;
  }
  if (std::optional<c10::IValue> constant = NamedConstant(expression.text)) {
    return Binding::Single(Argument(*std::move(constant)));
  }
  if (expression.text.starts_with("self.")) {
    const std::string name(expression.text.substr(5));
    if (scope_.unknown_attributes.contains(name)) return Diagnostic{};
    const auto attribute = scope_.attributes.find(name);
    if (attribute != scope_.attributes.end()) return Binding::Single(attribute->second);
  }
  if (IsMember(expression.text)) {
    Diagnostic error = source_.Error(
        expression.offset, fmt::format("'{}': values of a graph have no attributes", expression.text));
    error.notes.emplace_back("a size is written torch.ops.aten.sym_size.int(x, 0)");
    return error;
  }
  std::vector<std::string_view> known;
  for (const auto& [name, binding] : scope_.names) known.push_back(name);
  return source_.Error(expression.offset,
                       fmt::format("'{}' is not defined{}", base::Shortened(expression.text),
                                   base::DidYouMean(expression.text, known)));
}

// x.shape, where x is a value.
bool Evaluator::IsMember(std::string_view dotted) const {
  const size_t dot = dotted.find('.');
  return dot != std::string_view::npos && scope_.names.contains(dotted.substr(0, dot));
}

// Calls that are not what a graph consists of: errors that say what they are.
std::optional<Diagnostic> Evaluator::RefuseCallee(const Expression& call) const {
  const Expression& callee = arena_.ChildOf(call, 0);
  if (callee.kind != ExpressionKind::kName)
    return source_.Error(callee.offset, "only operators can be called in a graph");
  if (std::optional<Diagnostic> error = RefuseHigherOrder(arena_, call))
    return At(callee.offset, *std::move(error));
  if (!IsMember(callee.text)) return std::nullopt;
  Diagnostic error = source_.Error(
      callee.offset, fmt::format("'{}' is a method; a graph calls operators", base::Printable(callee.text)));
  const std::string_view name = callee.text.substr(callee.text.rfind('.') + 1);
  const bool exists = !OverloadsOf(fmt::format("aten::{}", name)).empty();
  if (exists)
    error.help =
        fmt::format("write: torch.ops.aten.{}({}{})", name, callee.text.substr(0, callee.text.find('.')),
                    call.child_count > 1 ? ", ..." : "");
  return error;
}

Result<Binding> Evaluator::List(const Expression& expression) {
  Argument::List list;
  list.reserve(expression.child_count);
  for (uint32_t i = 0; i < expression.child_count; ++i) {
    list.push_back(CULPRIT_TRY(EvaluateSingle(arena_.child(expression, i))));
  }
  return Binding::Single(Argument(std::move(list)));
}

// x[0] of a node with several results, of a list of constants, or of a list that is a value.
Result<Binding> Evaluator::Subscript(const Expression& expression) {
  Binding object = CULPRIT_TRY(Evaluate(arena_.child(expression, 0)));
  const Argument index = CULPRIT_TRY(EvaluateSingle(arena_.child(expression, 1)));
  const bool is_list = !object.is_tuple && object.items.front().is_list();
  if (!object.is_tuple && !is_list) {
    Result<Binding> element = calls_.CallBuiltin("python::getitem", {object.items.front(), index});
    if (!element.ok())
      return source_.Error(expression.offset,
                           "only results of operators with several results can be indexed");
    return element;
  }
  const std::vector<Argument>& items = object.elements();
  if (!index.is_constant() || !index.constant().isInt())
    return source_.Error(expression.offset, "expected a constant index");
  const int64_t wanted = index.constant().toInt();
  const int64_t size = static_cast<int64_t>(items.size());
  const int64_t place = wanted < 0 ? wanted + size : wanted;
  if (place < 0 || place >= size) {
    return source_.Error(expression.offset,
                         fmt::format("index {} of {}", wanted, base::Counted(items.size(), "result")));
  }
  return Binding::Single(items[place]);
}

Result<Binding> Evaluator::Builtin(std::string_view builtin, const Expression& expression,
                                   uint32_t first_operand) {
  if (builtin.empty())
    return source_.Error(expression.offset, fmt::format("'{}' has no meaning in a graph", expression.text));
  std::vector<Argument> operands;
  for (uint32_t i = first_operand; i < expression.child_count; ++i) {
    operands.push_back(CULPRIT_TRY(EvaluateSingle(arena_.child(expression, i))));
  }
  // max(a, b, c) and torch.sym_sum([a, b, c]) fold from the left.
  if (operands.size() == 1 && operands[0].is_list() && !operands[0].list().empty()) {
    operands = Argument::List(operands[0].list());
  }
  while (operands.size() > 2) {
    Result<Binding> folded = calls_.CallBuiltin(builtin, {operands[0], operands[1]});
    if (!folded.ok()) return At(expression.offset, std::move(folded).error());
    operands.erase(operands.begin());
    operands.front() = folded->items.front();
  }
  Result<Binding> result = calls_.CallBuiltin(builtin, operands);
  if (!result.ok()) return At(expression.offset, std::move(result).error());
  return result;
}

Result<std::optional<Binding>> Evaluator::CallOfTree(const Expression& call) {
  const Expression& callee = arena_.ChildOf(call, 0);
  const bool flattens = callee.text == "fx_pytree.tree_flatten_spec";
  if (callee.text == "self._guards_fn") return std::optional(Binding{{}, /*is_tuple=*/true});
  if (call.child_count < 2 || (!flattens && callee.text != "pytree.tree_unflatten"))
    return std::optional<Binding>();
  const ExpressionId tree = arena_.child(call, 1);
  if (!flattens) return std::optional(CULPRIT_TRY(Evaluate(tree)));
  // ([a, b], {'c': c})
  Binding leaves{{}, /*is_tuple=*/true};
  const Expression& pair = arena_[tree];
  for (uint32_t i = 0; i < pair.child_count; ++i) {
    const Expression& part = arena_.ChildOf(pair, i);
    const bool is_dict = part.kind == ExpressionKind::kDict;
    for (uint32_t j = is_dict ? 1 : 0; j < part.child_count; j += is_dict ? 2 : 1)
      leaves.items.push_back(CULPRIT_TRY(EvaluateSingle(arena_.child(part, j))));
  }
  return std::optional(std::move(leaves));
}

Result<std::string_view> Evaluator::OperatorAmong(const Expression& call, uint32_t argument) const {
  const uint32_t child = argument + 1;
  if (child < call.child_count && arena_.ChildOf(call, child).kind == ExpressionKind::kName)
    return arena_.ChildOf(call, child).text;
  return source_.Error(arena_.ChildOf(call, 0).offset, "expected an operator as an argument");
}

Result<Binding> Evaluator::CallWrapped(WrappedCall kind, const Expression& call) {
  const bool has_token = kind == WrappedCall::kWithEffects;
  const uint32_t place = has_token ? 1 : 0;
  const std::string_view op = CULPRIT_TRY(OperatorAmong(call, place));
  const Expression& callee = arena_.ChildOf(call, place + 1);
  if (has_token) {
    const Argument token = CULPRIT_TRY(EvaluateSingle(arena_.child(call, 1)));
    return BehindFirst(token, CULPRIT_TRY(CallOperator(callee, call, place + 2)));
  }
  Result<Binding> result = CallOnCopies(kind, op, CULPRIT_TRY(ArgumentsOf(call, place + 2)), calls_);
  return result.ok() ? std::move(result) : At(callee.offset, std::move(result).error());
}

Result<Binding> Evaluator::CallWithState(const Expression& call) {
  const CallWithRandomState kind = *FindCallWithRandomState(arena_.ChildOf(call, 0).text);
  CULPRIT_TRY(OperatorAmong(call, kind.op));
  Binding result =
      CULPRIT_TRY(CallOperator(arena_.ChildOf(call, kind.op + 1), call, kind.op + 2, "rng_state"));
  if (!kind.returns_state) return result;
  std::optional<size_t> failed_at;
  const WrittenArguments sizes{
      .positional = {Argument(Argument::List{Argument(c10::IValue(int64_t{16}))})},
      .keyword = {{"dtype", Argument(c10::IValue(static_cast<int64_t>(at::kByte)))}}};
  Binding state = CULPRIT_TRY(calls_.Call("torch.ops.aten.zeros.default", sizes, &failed_at));
  const Argument value = result.is_tuple ? Argument(Argument::List(result.items)) : result.items.front();
  return Binding{{state.items.front(), value}, /*is_tuple=*/true};
}

Result<Binding> Evaluator::Call(ExpressionId id) {
  const Expression& expression = arena_[id];
  const Expression& callee = arena_.ChildOf(expression, 0);
  if (FindCallWithRandomState(callee.text)) return CallWithState(expression);
  if (const auto kind = FindWrappedCall(callee.text)) return CallWrapped(*kind, expression);
  if (auto tree = CULPRIT_TRY(CallOfTree(expression))) return *std::move(tree);
  if (std::optional<Diagnostic> error = RefuseCallee(expression)) return *std::move(error);
  if (IsConstantCall(callee.text, arena_, expression)) {
    return Binding::Single(Argument(CULPRIT_TRY(EvaluateConstant(source_, arena_, id))));
  }
  if (callee.text == "torch.Size" && expression.child_count == 2)
    return Evaluate(arena_.child(expression, 1));
  const std::string_view builtin = BuiltinOfFunction(callee.text);
  if (!builtin.empty()) return Builtin(builtin, expression, 1);
  if (IsRound(callee.text) && expression.child_count == 2) {
    Result<Binding> rounded = RoundSize(CULPRIT_TRY(EvaluateSingle(arena_.child(expression, 1))), calls_);
    return rounded.ok() ? std::move(rounded) : At(callee.offset, std::move(rounded).error());
  }
  return CallOperator(callee, expression, 1);
}

Result<WrittenArguments> Evaluator::ArgumentsOf(const Expression& expression, uint32_t first,
                                                std::string_view dropped) {
  WrittenArguments arguments;
  const auto note_kind = [&](const Expression& argument) {
    const bool named = argument.kind == ExpressionKind::kName;
    arguments.written_as.push_back(named ? KindOfNamedConstant(argument.text) : std::nullopt);
  };
  for (uint32_t i = first; i < expression.child_count; ++i) {
    const Expression& child = arena_.ChildOf(expression, i);
    if (child.kind == ExpressionKind::kKeyword && child.text == dropped) continue;
    if (child.kind == ExpressionKind::kKeyword) {
      arguments.keyword.emplace_back(child.text, CULPRIT_TRY(EvaluateSingle(arena_.child(child, 0))));
      note_kind(arena_.ChildOf(child, 0));
    } else {
      arguments.positional.push_back(CULPRIT_TRY(EvaluateSingle(arena_.child(expression, i))));
      note_kind(child);
    }
  }
  return arguments;
}

Result<Binding> Evaluator::CallOperator(const Expression& callee, const Expression& expression,
                                        uint32_t first, std::string_view dropped) {
  if (auto error = calls_.UnknownCallee(callee.text)) return At(callee.offset, *std::move(error));
  const WrittenArguments arguments = CULPRIT_TRY(ArgumentsOf(expression, first, dropped));
  std::optional<size_t> failed_at;
  Result<Binding> result = calls_.Call(callee.text, arguments, &failed_at);
  if (result.ok()) return result;
  const size_t offset = failed_at
                            ? arena_.ChildOf(expression, static_cast<uint32_t>(*failed_at) + first).offset
                            : callee.offset;
  return At(offset, std::move(result).error());
}

}  // namespace culprit::graph::text
