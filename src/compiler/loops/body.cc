// SPDX-License-Identifier: Apache-2.0
#include "compiler/loops/body.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>

#include "base/internal_error.h"
#include "compiler/loops/fold.h"

namespace culprit::compiler::loops {
namespace {

size_t Mix(size_t hash, uint64_t value) {
  constexpr uint64_t kMultiplier = 0x9E3779B97F4A7C15U;
  return (std::rotl(hash, 5) ^ value) * kMultiplier;
}

std::string ConstantText(const Expression& expression) {
  if (IsFloat(expression.type)) return fmt::format("{}", expression.number);
  return fmt::format("{}", expression.integer);
}

std::string OperandsText(c10::ArrayRef<ExprId> operands) {
  std::vector<std::string> texts;
  for (const ExprId operand : operands) texts.push_back(fmt::format("%{}", Index(operand)));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string ExpressionText(const Expression& expression, const std::function<std::string(uint32_t)>& source) {
  const std::string_view name = Describe(expression.op).name;
  switch (expression.op) {
    case Op::kConstant:
      return fmt::format("{} {}", name, ConstantText(expression));
    case Op::kSize:
    case Op::kIndex:
    case Op::kRow:
      return fmt::format("{} {}", name, expression.integer);
    case Op::kLoad: {
      c10::ArrayRef<ExprId> indices = expression.operands;
      if (expression.masked) indices = indices.slice(0, indices.size() - 1);
      return fmt::format("{} {}[{}]{}", name, source(static_cast<uint32_t>(expression.integer)),
                         OperandsText(indices),
                         expression.masked ? fmt::format(" if %{}", Index(expression.operands.back())) : "");
    }
    default:
      return fmt::format("{} {}", name, OperandsText(expression.operands));
  }
}

}  // namespace

bool IsFloat(Type type) {
  return type == Type::Float || type == Type::Double;
}

bool IsInteger(Type type) {
  return type == Type::Byte || type == Type::Char || type == Type::Short || type == Type::Int ||
         type == Type::Long;
}

std::string_view NameOf(Type type) {
  switch (type) {
    case Type::Bool:
      return "bool";
    case Type::Byte:
      return "u8";
    case Type::Char:
      return "i8";
    case Type::Short:
      return "i16";
    case Type::Int:
      return "i32";
    case Type::Long:
      return "i64";
    case Type::Half:
      return "f16";
    case Type::BFloat16:
      return "bf16";
    case Type::Float:
      return "f32";
    case Type::Double:
      return "f64";
    default:
      return c10::toString(type);
  }
}

// Numbers are compared by their bits: 0 and -0 are two constants, a NaN is one.
bool Expression::operator==(const Expression& other) const {
  return op == other.op && type == other.type && operands == other.operands && integer == other.integer &&
         std::bit_cast<uint64_t>(number) == std::bit_cast<uint64_t>(other.number) && masked == other.masked;
}

size_t Body::Hash::operator()(const Expression& expression) const {
  size_t hash = Mix(static_cast<size_t>(expression.op), static_cast<uint64_t>(expression.type));
  hash = Mix(hash, static_cast<uint64_t>(expression.integer));
  hash = Mix(hash, std::bit_cast<uint64_t>(expression.number));
  for (const ExprId operand : expression.operands) hash = Mix(hash, Index(operand));
  return hash;
}

ExprId Body::Add(Expression expression) {
  const auto [place, is_new] =
      known_.try_emplace(std::move(expression), ExprId{static_cast<uint32_t>(expressions_.size())});
  if (is_new) expressions_.push_back(place->first);
  return place->second;
}

ExprId Body::Constant(double number, Type type) {
  if (!IsFloat(type)) return Constant(static_cast<int64_t>(number), type);
  if (type == Type::Float) number = static_cast<float>(number);
  return Add({.op = Op::kConstant, .type = type, .number = number});
}

ExprId Body::Constant(int64_t integer, Type type) {
  if (IsFloat(type)) return Constant(static_cast<double>(integer), type);
  return Add({.op = Op::kConstant, .type = type, .integer = WrappedInto(integer, type)});
}

ExprId Body::Size(int64_t size) {
  if (size == 0 || size == 1) return Constant(size, Type::Long);
  return Add({.op = Op::kSize, .type = Type::Long, .integer = size});
}

ExprId Body::IndexOf(uint32_t variable) {
  return Add({.op = Op::kIndex, .type = Type::Long, .integer = variable});
}

ExprId Body::Load(uint32_t source, Type type, c10::ArrayRef<ExprId> indices) {
  return Add(
      {.op = Op::kLoad, .type = type, .operands = {indices.begin(), indices.end()}, .integer = source});
}

ExprId Body::MaskedLoad(uint32_t source, Type type, c10::ArrayRef<ExprId> indices, ExprId mask) {
  if (IsConstant(mask, 1)) return Load(source, type, indices);
  Expression load{
      .op = Op::kLoad, .type = type, .operands = {indices.begin(), indices.end()}, .integer = source};
  load.operands.push_back(mask);
  load.masked = true;
  return Add(std::move(load));
}

ExprId Body::Row(uint32_t stage, Type type) {
  return Add({.op = Op::kRow, .type = type, .integer = stage});
}

ExprId Body::Cast(ExprId operand, Type type) {
  if (this->type(operand) == type) return operand;
  Expression cast{.op = Op::kCast, .type = type, .operands = {operand}};
  if (const auto folded = Fold(*this, cast)) return *folded;
  return Add(std::move(cast));
}

ExprId Body::Apply(Op op, c10::ArrayRef<ExprId> operands) {
  const OpDescription& description = Describe(op);
  CULPRIT_CHECK(operands.size() == description.operands && op != Op::kCast, "{} with {} operands",
                description.name, operands.size());
  Expression expression{
      .op = op, .type = type(operands.back()), .operands = {operands.begin(), operands.end()}};
  if (description.gives == Gives::kBool) expression.type = Type::Bool;
  if (const auto folded = Fold(*this, expression)) return *folded;
  return Add(std::move(expression));
}

bool Body::IsConstant(ExprId id, int64_t integer) const {
  const Expression& expression = (*this)[id];
  return expression.op == Op::kConstant && !IsFloat(expression.type) && expression.integer == integer;
}

ExprId BodyCopy::operator()(ExprId id) {
  if (const auto done = done_.find(Index(id)); done != done_.end()) return done->second;
  const Expression& expression = source_[id];
  const std::optional<ExprId> replaced = leaf_(expression, *this);
  const ExprId copy = replaced ? *replaced : Copied(expression);
  done_.emplace(Index(id), copy);
  return copy;
}

ExprId BodyCopy::Copied(const Expression& expression) {
  c10::SmallVector<ExprId, 4> operands;
  for (const ExprId operand : expression.operands) operands.push_back((*this)(operand));
  switch (expression.op) {
    case Op::kLoad: {
      std::optional<ExprId> mask = mask_;
      if (expression.masked) {
        mask = mask ? target_.Apply(Op::kAnd, {*mask, operands.back()}) : operands.back();
        operands.pop_back();
      }
      const auto source = static_cast<uint32_t>(expression.integer);
      return mask ? target_.MaskedLoad(source, expression.type, operands, *mask)
                  : target_.Load(source, expression.type, operands);
    }
    case Op::kConstant:
    case Op::kSize:
    case Op::kIndex:
    case Op::kRow:
      return target_.Add(expression);
    case Op::kCast:
      return target_.Cast(operands[0], expression.type);
    default:
      return target_.Apply(expression.op, operands);
  }
}

std::string ToText(const Body& body, const std::function<std::string(uint32_t)>& source) {
  std::string text;
  for (size_t i = 0; i < body.expressions().size(); ++i) {
    const Expression& expression = body.expressions()[i];
    text += fmt::format("  %{}: {} = {}\n", i, NameOf(expression.type), ExpressionText(expression, source));
  }
  return text;
}

}  // namespace culprit::compiler::loops
