// SPDX-License-Identifier: Apache-2.0
#include "graph/text/values/constant_expression.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/text.h"
#include "graph/operators/operator.h"
#include "graph/text/syntax/call_view.h"
#include "graph/text/syntax/literal.h"
#include "graph/text/syntax/python_operators.h"
#include "graph/text/syntax/string_literal.h"

namespace culprit::graph::text {
namespace {

using base::Result;
using Complex = c10::complex<double>;

struct NamedNumber {
  std::string_view name;
  double value;
};
constexpr std::array<NamedNumber, 9> kNumbers = {{
    {"inf", std::numeric_limits<double>::infinity()},
    {"math.inf", std::numeric_limits<double>::infinity()},
    {"torch.inf", std::numeric_limits<double>::infinity()},
    {"nan", std::numeric_limits<double>::quiet_NaN()},
    {"math.nan", std::numeric_limits<double>::quiet_NaN()},
    {"torch.nan", std::numeric_limits<double>::quiet_NaN()},
    {"math.pi", std::numbers::pi},
    {"torch.pi", std::numbers::pi},
    {"math.e", std::numbers::e},
}};

std::optional<double> AsFloat(const c10::IValue& value) {
  if (value.isDouble()) return value.toDouble();
  if (value.isInt()) return static_cast<double>(value.toInt());
  return std::nullopt;
}

std::optional<Complex> AsComplex(const c10::IValue& value) {
  if (value.isComplexDouble()) return value.toComplexDouble();
  const std::optional<double> real = AsFloat(value);
  return real ? std::optional(Complex(*real, 0)) : std::nullopt;
}

c10::IValue NegateFloat(const c10::IValue& number) {
  if (number.isDouble()) return -number.toDouble();
  return -number.toComplexDouble();
}

template <typename T>
std::optional<T> Arithmetic(std::string_view op, T a, T b) {
  if (op == "+") return a + b;
  if (op == "-") return a - b;
  if (op == "*") return a * b;
  if (op == "/") return a / b;
  return std::nullopt;
}

class ConstantEvaluator {
 public:
  ConstantEvaluator(const Source& source, const ExpressionArena& arena) : source_(source), arena_(arena) {}

  Result<c10::IValue> Evaluate(ExpressionId id) {
    const Expression& expression = arena_[id];
    switch (expression.kind) {
      case ExpressionKind::kInt:
        if (const auto value = IntFromText(expression.text)) return c10::IValue(*value);
        return source_.Error(expression.offset, "this integer does not fit 64 bits");
      case ExpressionKind::kFloat:
        if (const auto value = FloatFromText(expression.text)) return c10::IValue(*value);
        return source_.Error(expression.offset, "malformed number");
      case ExpressionKind::kImaginary:
        if (const auto value = FloatFromText(expression.text.substr(0, expression.text.size() - 1))) {
          return c10::IValue(Complex(0, *value));
        }
        return source_.Error(expression.offset, "malformed number");
      case ExpressionKind::kString:
        if (auto value = StringFromText(expression.text)) return c10::IValue(*std::move(value));
        return source_.Error(expression.offset, "malformed string");
      case ExpressionKind::kName:
        if (auto value = NamedConstant(expression.text)) return *std::move(value);
        return source_.Error(expression.offset,
                             fmt::format("'{}' is not a constant", base::Printable(expression.text)));
      case ExpressionKind::kUnary:
        return Unary(expression);
      case ExpressionKind::kBinary:
        return Binary(expression);
      case ExpressionKind::kCall:
        return Call(id);
      default:
        return source_.Error(expression.offset, "expected a constant");
    }
  }

 private:
  Result<c10::IValue> Unary(const Expression& expression) {
    const Expression& operand = arena_.ChildOf(expression, 0);
    if (expression.text == "-" && operand.kind == ExpressionKind::kInt) {
      if (const auto value = IntFromText(operand.text, /*negative=*/true)) return c10::IValue(*value);
    }
    const c10::IValue value = CULPRIT_TRY(Evaluate(arena_.child(expression, 0)));
    const bool number = AsComplex(value).has_value();
    if (expression.text == "-" && value.isInt()) return IntArithmetic("python::neg", {value}, expression);
    if (expression.text == "-" && number) return NegateFloat(value);
    if (expression.text == "+" && number) return value;
    return source_.Error(expression.offset, fmt::format("'{}' cannot be applied to this", expression.text));
  }

  Result<c10::IValue> Binary(const Expression& expression) {
    const c10::IValue a = CULPRIT_TRY(Evaluate(arena_.child(expression, 0)));
    const c10::IValue b = CULPRIT_TRY(Evaluate(arena_.child(expression, 1)));
    const auto error = [&] {
      return source_.Error(expression.offset,
                           fmt::format("'{}' cannot be applied to these constants", expression.text));
    };
    if (a.isInt() && b.isInt()) return IntArithmetic(BuiltinOfOperator(expression.text), {a, b}, expression);
    const std::optional<Complex> x = AsComplex(a);
    const std::optional<Complex> y = AsComplex(b);
    if (!x || !y) return error();
    if (a.isComplexDouble() || b.isComplexDouble()) {
      const std::optional<Complex> result = Arithmetic(expression.text, *x, *y);
      return result ? Result<c10::IValue>(c10::IValue(*result)) : error();
    }
    const std::optional<double> result = Arithmetic(expression.text, x->real(), y->real());
    return result ? Result<c10::IValue>(c10::IValue(*result)) : error();
  }

  Result<c10::IValue> IntArithmetic(std::string_view builtin, torch::jit::Stack stack,
                                    const Expression& expression) {
    const Operator* op = builtin.empty() ? nullptr : Operator::Find(builtin, "int");
    if (op == nullptr) return source_.Error(expression.offset, "unknown operator on integers");
    try {
      op->Call(stack);
    } catch (const c10::Error& error) {
      return source_.Error(expression.offset, error.what_without_backtrace());
    }
    return stack.back();
  }

  Result<c10::IValue> Call(ExpressionId id) {
    const CallView call(arena_, id);
    const size_t offset = arena_[id].offset;
    if (call.name() == "device" || call.name() == "torch.device") {
      return c10::IValue(CULPRIT_TRY(EvaluateDevice(source_, arena_, id)));
    }
    if (call.name() == "float" && call.positional_count() == 1) {
      const c10::IValue value = CULPRIT_TRY(Evaluate(*call.Positional(0)));
      if (value.isString()) {
        if (const auto number = SpecialFloat(value.toStringRef())) return c10::IValue(*number);
      } else if (const auto number = AsFloat(value)) {
        return c10::IValue(*number);
      }
    }
    if (call.name() == "complex" && call.positional_count() == 2) {
      const c10::IValue real = CULPRIT_TRY(Evaluate(*call.Positional(0)));
      const c10::IValue imaginary = CULPRIT_TRY(Evaluate(*call.Positional(1)));
      const auto x = AsFloat(real);
      const auto y = AsFloat(imaginary);
      if (x && y) return c10::IValue(Complex(*x, *y));
    }
    return source_.Error(
        offset, fmt::format("'{}' with these arguments is not a constant", base::Printable(call.name())));
  }

  static std::optional<double> SpecialFloat(std::string_view text) {
    const double infinity = std::numeric_limits<double>::infinity();
    if (text == "inf") return infinity;
    if (text == "-inf") return -infinity;
    if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
    return std::nullopt;
  }

  const Source& source_;
  const ExpressionArena& arena_;
};

}  // namespace

std::optional<c10::IValue> NamedConstant(std::string_view name) {
  if (name == "None") return c10::IValue();
  if (name == "True") return c10::IValue(true);
  if (name == "False") return c10::IValue(false);
  for (const NamedNumber& row : kNumbers) {
    if (row.name == name) return c10::IValue(row.value);
  }
  if (const auto dtype = DtypeFromName(name)) return c10::IValue(static_cast<int64_t>(*dtype));
  if (const auto layout = LayoutFromName(name)) return c10::IValue(static_cast<int64_t>(*layout));
  if (const auto format = MemoryFormatFromName(name)) return c10::IValue(static_cast<int64_t>(*format));
  return std::nullopt;
}

std::optional<SlotKind> KindOfNamedConstant(std::string_view name) {
  if (!name.starts_with("torch.")) return std::nullopt;
  if (DtypeFromName(name)) return SlotKind::kDtype;
  if (LayoutFromName(name)) return SlotKind::kLayout;
  if (MemoryFormatFromName(name)) return SlotKind::kMemoryFormat;
  return std::nullopt;
}

bool IsConstantCall(std::string_view function, const ExpressionArena& arena, const Expression& call) {
  if (function == "device" || function == "torch.device" || function == "complex") return true;
  return function == "float" && call.child_count == 2 &&
         arena.ChildOf(call, 1).kind == ExpressionKind::kString;
}

bool MayBeConstant(const ExpressionArena& arena, ExpressionId id) {
  const Expression& expression = arena[id];
  switch (expression.kind) {
    case ExpressionKind::kInt:
    case ExpressionKind::kFloat:
    case ExpressionKind::kImaginary:
    case ExpressionKind::kString:
      return true;
    case ExpressionKind::kName:
      return NamedConstant(expression.text).has_value();
    case ExpressionKind::kCall:
      return IsConstantCall(arena.ChildOf(expression, 0).text, arena, expression);
    case ExpressionKind::kUnary:
      return MayBeConstant(arena, arena.child(expression, 0));
    case ExpressionKind::kBinary:
      return MayBeConstant(arena, arena.child(expression, 0)) &&
             MayBeConstant(arena, arena.child(expression, 1));
    default:
      return false;
  }
}

Result<c10::IValue> EvaluateConstant(const Source& source, const ExpressionArena& arena, ExpressionId id) {
  return ConstantEvaluator(source, arena).Evaluate(id);
}

}  // namespace culprit::graph::text
