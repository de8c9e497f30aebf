// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/generalise/emit.h"

#include <fmt/format.h>

namespace culprit::graph::sizes {
namespace {

const char* OperatorFor(Operation operation) {
  switch (operation) {
    case Operation::kAdd:
      return "python::add.int";
    case Operation::kSubtract:
      return "python::sub.int";
    case Operation::kMultiply:
      return "python::mul.int";
    case Operation::kFloorDivide:
      return "python::floordiv.int";
    case Operation::kModulo:
      return "python::mod.int";
    case Operation::kMinimum:
      return "python::min.int";
    case Operation::kMaximum:
      return "python::max.int";
  }
  return nullptr;
}

std::string KeyOf(const Expression& expression) {
  return ToString(expression, [](ValueId value) { return fmt::format("%{}", Index(value)); });
}

}  // namespace

SizeEmitter::SizeEmitter(Rebuild& rebuild, const Graph& source, const std::vector<SymbolPlace>& places)
    : rebuild_(rebuild), source_(source), names_(source) {
  for (const SymbolPlace& place : places) places_.emplace(place.symbol, place);
}

SizeEmitter::Size SizeEmitter::PlaceOf(size_t symbol) const {
  const SymbolPlace& place = places_.at(symbol);
  return {source_.placeholders()[place.placeholder].value,
          place.dimension ? static_cast<int64_t>(*place.dimension) : -1};
}

void SizeEmitter::WillNeed(const Expression& expression) {
  if (expression.kind() == Expression::Kind::kConstant) return;
  if (expression.kind() == Expression::Kind::kOperation) {
    WillNeed(expression.a());
    WillNeed(expression.b());
    return;
  }
  if (expression.kind() == Expression::Kind::kSize) {
    wanted_.emplace(Size(expression.value(), expression.dimension()), "sym_size");
  } else if (places_.contains(expression.symbol())) {
    wanted_.emplace(PlaceOf(expression.symbol()), ToString(expression));
  } else {
    added_.emplace(expression.symbol(), std::nullopt);
  }
}

std::vector<size_t> SizeEmitter::AddPlaceholders() {
  std::vector<size_t> symbols;
  for (auto& [symbol, value] : added_) {
    value = rebuild_.graph().AddPlaceholder(names_.Get(ToString(Expression::Symbol(symbol))),
                                            PlaceholderKind::kInput, ValueKind::kInt);
    rebuild_.graph().SetSymbols(rebuild_.graph().placeholders().size() - 1,
                                {ToString(Expression::Symbol(symbol))});
    symbols.push_back(symbol);
  }
  return symbols;
}

ValueId SizeEmitter::AddNode(const char* op, std::vector<Argument> arguments, const std::string& name) {
  return rebuild_.graph().AddNode(Operator::Get(op), std::move(arguments), {names_.Get(name)}).results[0];
}

void SizeEmitter::Read(const Size& size, const std::string& name) {
  const auto& [value, dimension] = size;
  const Argument argument = rebuild_.Map(Argument(value));
  read_.emplace(size, dimension < 0 ? argument.value()
                                    : AddNode("aten::sym_size.int",
                                              {argument, Argument(c10::IValue(dimension))}, name));
}

void SizeEmitter::BehindPlaceholders() {
  for (const auto& [size, name] : wanted_) {
    if (source_.value(size.first).origin != Origin::kNode) Read(size, name);
  }
}

void SizeEmitter::Behind(const Node& node) {
  for (const ValueId result : node.results) {
    for (auto next = wanted_.lower_bound({result, 0}); next != wanted_.end() && next->first.first == result;
         ++next)
      Read(next->first, next->second);
  }
}

Argument SizeEmitter::Emit(const Expression& expression, bool as_float) {
  Argument number = EmitInt(expression);
  if (!as_float) return number;
  const std::string key = "float " + KeyOf(expression);
  const auto computed = computed_.find(key);
  if (computed != computed_.end()) return computed->second;
  const ValueId made = AddNode("python::float.int", {number}, "float_1");
  computed_.emplace(key, made);
  return made;
}

Argument SizeEmitter::EmitInt(const Expression& expression) {
  switch (expression.kind()) {
    case Expression::Kind::kConstant:
      return Argument(c10::IValue(expression.constant()));
    case Expression::Kind::kSymbol:
      if (const auto added = added_.find(expression.symbol()); added != added_.end()) return *added->second;
      return read_.at(PlaceOf(expression.symbol()));
    case Expression::Kind::kSize:
      return read_.at({expression.value(), expression.dimension()});
    case Expression::Kind::kOperation:
      break;
  }
  const std::string key = KeyOf(expression);
  const auto computed = computed_.find(key);
  if (computed != computed_.end()) return computed->second;
  Argument a = EmitInt(expression.a());
  Argument b = EmitInt(expression.b());
  const ValueId made = AddNode(OperatorFor(expression.operation()), {std::move(a), std::move(b)}, "size");
  computed_.emplace(key, made);
  return made;
}

}  // namespace culprit::graph::sizes
