// SPDX-License-Identifier: Apache-2.0
#include "graph/text/values/seeded_numbers.h"

#include <fmt/format.h>

#include "graph/tensors/dtypes.h"
#include "graph/text/syntax/call_view.h"
#include "graph/text/syntax/literal.h"
#include "graph/text/values/size_expression.h"

namespace culprit::graph::text {
namespace {

using base::Result;
using Kind = SeededNumbers::Kind;

class SeededReader {
 public:
  SeededReader(const Source& source, const ExpressionArena& arena) : source_(source), arena_(arena) {}

  Result<SeededNumbers> Read(ExpressionId id) {
    const bool from_one = IsTakenFromOne(arena_, id);
    const CallView call(arena_, from_one ? arena_.child(arena_[id], 1) : id);
    const std::optional<Kind> kind = KindOf(call.name(), from_one);
    const CallView seed(arena_, call.Keyword("generator"));
    const uint32_t count = kind == Kind::kInteger ? 2 : 0;
    const std::optional<ExpressionId> dtype = call.Keyword("dtype");
    if (!kind || seed.name() != "seeded" || !seed.Positional(0) || !call.Positional(count) || !dtype) {
      return source_.Error(arena_[id].offset, "expected: torch.randn(count, dtype=..., generator=seeded(N))");
    }
    SeededNumbers numbers{.kind = *kind};
    numbers.seed = static_cast<uint64_t>(CULPRIT_TRY(Int(*seed.Positional(0))));
    numbers.count = CULPRIT_TRY(Count(*call.Positional(count)));
    numbers.dtype = CULPRIT_TRY(Dtype(*dtype, *kind));
    if (*kind != Kind::kInteger) return numbers;
    numbers.low = CULPRIT_TRY(Int(*call.Positional(0)));
    numbers.high = CULPRIT_TRY(Int(*call.Positional(1)));
    const auto [lowest, highest] = RangeOf(numbers.dtype);
    if (numbers.low < numbers.high && numbers.low >= lowest && numbers.high - 1 <= highest) return numbers;
    return source_.Error(arena_[id].offset, fmt::format("there are no integers from {} to {} of dtype {}",
                                                        numbers.low, numbers.high, NameOf(numbers.dtype)));
  }

 private:
  static std::optional<Kind> KindOf(std::string_view name, bool from_one) {
    if (from_one) return name == "torch.rand" ? std::optional(Kind::kPositive) : std::nullopt;
    if (name == "torch.randn") return Kind::kNormal;
    if (name == "torch.rand") return Kind::kUniform;
    if (name == "torch.randint") return Kind::kInteger;
    return std::nullopt;
  }

  static std::pair<int64_t, int64_t> RangeOf(at::ScalarType dtype) {
    if (dtype == at::kBool) return {0, 1};
    // All of them are exact in every floating dtype.
    if (c10::isFloatingType(dtype)) return {-256, 256};
    const auto bits = static_cast<int>(8 * c10::elementSize(dtype));
    const auto highest = static_cast<int64_t>((uint64_t{1} << (bits - 1)) - 1);
    if (!IsUnsigned(dtype)) return {-highest - 1, highest};
    return {0, bits == 64 ? INT64_MAX : 2 * highest + 1};
  }

  Result<int64_t> Int(ExpressionId id) { return EvaluateSize(source_, arena_, id, {}); }

  // 10 or (10,)
  Result<int64_t> Count(ExpressionId id) {
    const Expression& expression = arena_[id];
    const bool tuple = expression.kind == ExpressionKind::kTuple && expression.child_count == 1;
    const int64_t count = CULPRIT_TRY(Int(tuple ? arena_.child(expression, 0) : id));
    // So that counting bytes does not overflow; memory is checked where it is allocated.
    if (count >= 0 && count <= (int64_t{1} << 46)) return count;
    return source_.Error(expression.offset, fmt::format("{} numbers", count));
  }

  Result<at::ScalarType> Dtype(ExpressionId id, Kind kind) {
    const auto dtype = DtypeFromName(arena_[id].text);
    if (!dtype) return source_.Error(arena_[id].offset, UnknownDtype(arena_[id].text));
    const bool fits = c10::isFloatingType(*dtype) ||
                      (kind == Kind::kInteger && c10::isIntegralType(*dtype, /*includeBool=*/true));
    if (fits && CanBeDrawn(*dtype)) return *dtype;
    return source_.Error(arena_[id].offset, "such numbers cannot be drawn");
  }

  const Source& source_;
  const ExpressionArena& arena_;
};

}  // namespace

bool IsTakenFromOne(const ExpressionArena& arena, ExpressionId id) {
  const Expression& expression = arena[id];
  return expression.kind == ExpressionKind::kBinary && expression.text == "-" &&
         arena.ChildOf(expression, 0).text == "1";
}

Result<SeededNumbers> EvaluateSeeded(const Source& source, const ExpressionArena& arena, ExpressionId id) {
  return SeededReader(source, arena).Read(id);
}

std::string SeededToText(const SeededNumbers& numbers) {
  const std::string rest = fmt::format("dtype={}, generator=seeded({}))", NameOf(numbers.dtype),
                                       static_cast<int64_t>(numbers.seed));
  if (numbers.kind == Kind::kNormal) return fmt::format("torch.randn({}, {}", numbers.count, rest);
  if (numbers.kind == Kind::kUniform) return fmt::format("torch.rand({}, {}", numbers.count, rest);
  if (numbers.kind == Kind::kPositive) return fmt::format("(1 - torch.rand({}, {})", numbers.count, rest);
  return fmt::format("torch.randint({}, {}, ({},), {}", numbers.low, numbers.high, numbers.count, rest);
}

}  // namespace culprit::graph::text
