// SPDX-License-Identifier: Apache-2.0
#include "graph/text/syntax/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace culprit::graph::text {
namespace {

using base::Result;

/// How often the parser may recurse.
constexpr size_t kDeepestExpression = 200;
/// How deep a tree may be. `1 + 1 + 1` makes it deeper with every term, without any recursion here.
constexpr uint32_t kDeepestTree = 1200;

struct BinaryOperator {
  std::string_view text;
  int precedence;
};
// Python's precedences of what occurs in size arithmetic; ** and unary operators are handled apart.
constexpr int kComparison = 3;
constexpr std::array<BinaryOperator, 15> kBinaryOperators = {{{"or", 1},
                                                              {"is", kComparison},
                                                              {"and", 2},
                                                              {"==", kComparison},
                                                              {"!=", kComparison},
                                                              {"<", kComparison},
                                                              {"<=", kComparison},
                                                              {">", kComparison},
                                                              {">=", kComparison},
                                                              {"|", 4},
                                                              {"+", 5},
                                                              {"-", 5},
                                                              {"*", 6},
                                                              {"/", 6},
                                                              {"//", 6}}};

int PrecedenceOf(const Token& token) {
  if (token.Is("%")) return 6;
  if (token.kind != TokenKind::kOperator && token.kind != TokenKind::kName) return 0;
  for (const BinaryOperator& candidate : kBinaryOperators) {
    if (token.text == candidate.text) return candidate.precedence;
  }
  return 0;
}

class ExpressionParser {
 public:
  ExpressionParser(TokenStream& tokens, ExpressionArena& arena) : tokens_(tokens), arena_(arena) {}

  Result<ExpressionId> TupleOrSingle() {
    const size_t offset = tokens_.peek().offset;
    const ExpressionId first = CULPRIT_TRY(Binary(1));
    if (!tokens_.peek().Is(",")) return first;
    std::vector<ExpressionId> elements = {first};
    while (CULPRIT_TRY(tokens_.TakeIf(","))) {
      if (!StartsExpression()) break;
      elements.push_back(CULPRIT_TRY(Binary(1)));
    }
    return arena_.Add(ExpressionKind::kTuple, {}, offset, elements);
  }

  Result<ExpressionId> Single() { return Binary(1); }

 private:
  bool StartsExpression() const {
    const Token& token = tokens_.peek();
    switch (token.kind) {
      case TokenKind::kName:
      case TokenKind::kInt:
      case TokenKind::kFloat:
      case TokenKind::kImaginary:
      case TokenKind::kString:
        return true;
      case TokenKind::kOperator:
        return token.Is("(") || token.Is("[") || token.Is("{") || token.Is("-") || token.Is("+");
      default:
        return false;
    }
  }

  base::Status CheckDepth(ExpressionId id) const {
    if (arena_[id].depth <= kDeepestTree) return base::Done{};
    return tokens_.ErrorHere(
        fmt::format("the expression has more than {} operations within each other", kDeepestTree));
  }

  Result<ExpressionId> Binary(int lowest) {
    if (++depth_ > kDeepestExpression) return tokens_.ErrorHere("the expression is nested too deeply");
    ExpressionId left = CULPRIT_TRY(Unary());
    for (int precedence = PrecedenceOf(tokens_.peek()); precedence >= lowest;
         precedence = PrecedenceOf(tokens_.peek())) {
      const Token op = CULPRIT_TRY(tokens_.Take());
      const ExpressionId right = CULPRIT_TRY(Binary(precedence + 1));
      left = arena_.Add(ExpressionKind::kBinary, op.text, op.offset, {left, right});
      CULPRIT_TRY(CheckDepth(left));
    }
    --depth_;
    return left;
  }

  Result<ExpressionId> Unary() {
    const Token& token = tokens_.peek();
    if (!token.Is("-") && !token.Is("+") && !token.Is("not")) return Power();
    if (++depth_ > kDeepestExpression) return tokens_.ErrorHere("the expression is nested too deeply");
    const Token op = CULPRIT_TRY(tokens_.Take());
    const ExpressionId operand = CULPRIT_TRY(op.Is("not") ? Binary(kComparison) : Unary());
    --depth_;
    return arena_.Add(ExpressionKind::kUnary, op.text, op.offset, {operand});
  }

  Result<ExpressionId> Power() {
    const ExpressionId base = CULPRIT_TRY(Postfix());
    if (!tokens_.peek().Is("**")) return base;
    const Token op = CULPRIT_TRY(tokens_.Take());
    if (++depth_ > kDeepestExpression) return tokens_.ErrorHere("the expression is nested too deeply");
    const ExpressionId exponent = CULPRIT_TRY(Unary());
    --depth_;
    return arena_.Add(ExpressionKind::kBinary, op.text, op.offset, {base, exponent});
  }

  Result<ExpressionId> Postfix() {
    ExpressionId expression = CULPRIT_TRY(Atom());
    while (true) {
      CULPRIT_TRY(CheckDepth(expression));
      const Token& token = tokens_.peek();
      if (token.Is("(")) {
        expression = CULPRIT_TRY(Call(expression));
      } else if (token.Is("[")) {
        expression = CULPRIT_TRY(Subscript(expression));
      } else if (token.Is(".")) {
        expression = CULPRIT_TRY(Attribute(expression));
      } else {
        return expression;
      }
    }
  }

  // A dotted name is one node whose text spans it, provided it is written without blanks.
  Result<ExpressionId> Attribute(ExpressionId object) {
    CULPRIT_TRY(tokens_.Take());
    const Token name = CULPRIT_TRY(tokens_.Expect(TokenKind::kName, "a name behind the dot"));
    const Expression& base = arena_[object];
    const bool adjacent = base.offset + base.text.size() + 1 == name.offset;
    if (base.kind == ExpressionKind::kName && adjacent) {
      const size_t length = base.text.size() + 1 + name.text.size();
      const std::string_view dotted = tokens_.source().text().substr(base.offset, length);
      return arena_.Add(ExpressionKind::kName, dotted, base.offset);
    }
    return arena_.Add(ExpressionKind::kAttribute, name.text, name.offset, {object});
  }

  Result<ExpressionId> Call(ExpressionId callee) {
    const size_t offset = arena_[callee].offset;
    CULPRIT_TRY(tokens_.Take());
    std::vector<ExpressionId> children = {callee};
    bool keywords = false;
    while (!tokens_.peek().Is(")")) {
      const ExpressionId argument = CULPRIT_TRY(Binary(1));
      if (tokens_.peek().Is("=")) {
        const Expression name = arena_[argument];
        if (name.kind != ExpressionKind::kName)
          return tokens_.source().Error(name.offset, "expected a keyword's name");
        CULPRIT_TRY(tokens_.Take());
        const ExpressionId value = CULPRIT_TRY(Binary(1));
        children.push_back(arena_.Add(ExpressionKind::kKeyword, name.text, name.offset, {value}));
        keywords = true;
      } else if (keywords) {
        return tokens_.source().Error(arena_[argument].offset,
                                      "a positional argument stands behind a keyword");
      } else {
        children.push_back(argument);
      }
      if (!CULPRIT_TRY(tokens_.TakeIf(","))) break;
    }
    CULPRIT_TRY(tokens_.Expect(")"));
    return arena_.Add(ExpressionKind::kCall, {}, offset, children);
  }

  Result<ExpressionId> Subscript(ExpressionId object) {
    const Token bracket = CULPRIT_TRY(tokens_.Take());
    if (tokens_.peek().Is(":")) return Slice(object, bracket.offset);
    const ExpressionId index = CULPRIT_TRY(TupleOrSingle());
    if (tokens_.peek().Is(":")) return Slice(object, bracket.offset);
    CULPRIT_TRY(tokens_.Expect("]"));
    return arena_.Add(ExpressionKind::kSubscript, {}, bracket.offset, {object, index});
  }

  Result<ExpressionId> Slice(ExpressionId object, size_t offset) {
    while (!tokens_.peek().Is("]")) {
      if (!CULPRIT_TRY(tokens_.TakeIf(":"))) CULPRIT_TRY(Binary(1));
    }
    CULPRIT_TRY(tokens_.Take());
    return arena_.Add(ExpressionKind::kSlice, {}, offset, {object});
  }

  Result<ExpressionId> Atom() {
    const Token token = tokens_.peek();
    switch (token.kind) {
      case TokenKind::kName:
        return Leaf(ExpressionKind::kName);
      case TokenKind::kInt:
        return Leaf(ExpressionKind::kInt);
      case TokenKind::kFloat:
        return Leaf(ExpressionKind::kFloat);
      case TokenKind::kImaginary:
        return Leaf(ExpressionKind::kImaginary);
      case TokenKind::kString:
        return Leaf(ExpressionKind::kString);
      default:
        break;
    }
    if (token.Is("(")) return Parenthesised();
    if (token.Is("[")) return List();
    if (token.Is("{")) return Dict();
    return tokens_.ErrorHere(fmt::format("expected an expression, not {}", Describe(token)));
  }

  Result<ExpressionId> Leaf(ExpressionKind kind) {
    const Token token = CULPRIT_TRY(tokens_.Take());
    return arena_.Add(kind, token.text, token.offset);
  }

  Result<ExpressionId> Parenthesised() {
    const Token open = CULPRIT_TRY(tokens_.Take());
    if (CULPRIT_TRY(tokens_.TakeIf(")"))) return arena_.Add(ExpressionKind::kTuple, {}, open.offset);
    const ExpressionId inner = CULPRIT_TRY(TupleOrSingle());
    CULPRIT_TRY(tokens_.Expect(")"));
    return inner;
  }

  Result<ExpressionId> List() {
    const Token open = CULPRIT_TRY(tokens_.Take());
    std::vector<ExpressionId> elements;
    while (!tokens_.peek().Is("]")) {
      elements.push_back(CULPRIT_TRY(Binary(1)));
      if (!CULPRIT_TRY(tokens_.TakeIf(","))) break;
    }
    CULPRIT_TRY(tokens_.Expect("]"));
    return arena_.Add(ExpressionKind::kList, {}, open.offset, elements);
  }

  Result<ExpressionId> Dict() {
    const Token open = CULPRIT_TRY(tokens_.Take());
    std::vector<ExpressionId> elements;
    while (!tokens_.peek().Is("}")) {
      elements.push_back(CULPRIT_TRY(Binary(1)));
      CULPRIT_TRY(tokens_.Expect(":"));
      elements.push_back(CULPRIT_TRY(Binary(1)));
      if (!CULPRIT_TRY(tokens_.TakeIf(","))) break;
    }
    CULPRIT_TRY(tokens_.Expect("}"));
    return arena_.Add(ExpressionKind::kDict, {}, open.offset, elements);
  }

  TokenStream& tokens_;
  ExpressionArena& arena_;
  size_t depth_ = 0;
};

}  // namespace

ExpressionId ExpressionArena::Add(ExpressionKind kind, std::string_view text, size_t offset,
                                  const std::vector<ExpressionId>& children) {
  const auto first = static_cast<uint32_t>(children_.size());
  children_.insert(children_.end(), children.begin(), children.end());
  uint32_t depth = 1;
  for (const ExpressionId child : children) depth = std::max(depth, nodes_[child].depth + 1);
  nodes_.push_back({kind, text, offset, first, static_cast<uint32_t>(children.size()), depth});
  return static_cast<ExpressionId>(nodes_.size() - 1);
}

Result<ExpressionId> ParseExpression(TokenStream& tokens, ExpressionArena& arena) {
  return ExpressionParser(tokens, arena).TupleOrSingle();
}

Result<ExpressionId> ParseSingleExpression(TokenStream& tokens, ExpressionArena& arena) {
  return ExpressionParser(tokens, arena).Single();
}

}  // namespace culprit::graph::text
