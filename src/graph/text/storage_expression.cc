// SPDX-License-Identifier: Apache-2.0
#include "graph/text/storage_expression.h"

#include <ATen/ops/from_blob.h>
#include <fmt/format.h>

#include "base/internal_error.h"
#include "graph/text/call_view.h"
#include "graph/text/literal.h"
#include "graph/text/size_expression.h"
#include "graph/text/string_literal.h"
#include "graph/text/tensor_expression.h"
#include "graph/text/tensor_printer.h"

namespace culprit::graph::text {
namespace {

using base::Result;
using Kind = SeededNumbers::Kind;

class ContentsReader {
 public:
  ContentsReader(const Source& source, const ExpressionArena& arena) : source_(source), arena_(arena) {}

  Result<StorageContents> Stored(const Expression& expression, const CallView& call) {
    const std::optional<ExpressionId> hash = call.Positional(0);
    auto text = hash ? StringFromText(arena_[*hash].text) : std::nullopt;
    if (!text) return source_.Error(expression.offset, "expected: stored('hash', bytes)");
    return StorageContents(StoredBytes{*std::move(text)});
  }

  Result<StorageContents> Seeded(const Expression& expression, const CallView& call, ExpressionId generator) {
    SeededNumbers numbers;
    numbers.kind = call.name() == "torch.randn"  ? Kind::kNormal
                   : call.name() == "torch.rand" ? Kind::kUniform
                                                 : Kind::kInteger;
    const CallView seeded(arena_, generator);
    const uint32_t count = numbers.kind == Kind::kInteger ? 2 : 0;
    const std::optional<ExpressionId> dtype = call.Keyword("dtype");
    if (seeded.name() != "seeded" || !seeded.Positional(0) || !call.Positional(count) || !dtype)
      return source_.Error(expression.offset, "expected: torch.randn(count, dtype=..., generator=seeded(N))");
    numbers.seed = static_cast<uint64_t>(CULPRIT_TRY(Int(*seeded.Positional(0))));
    numbers.count = CULPRIT_TRY(Count(*call.Positional(count)));
    if (numbers.kind == Kind::kInteger) {
      numbers.low = CULPRIT_TRY(Int(*call.Positional(0)));
      numbers.high = CULPRIT_TRY(Int(*call.Positional(1)));
      if (numbers.low >= numbers.high)
        return source_.Error(expression.offset, fmt::format("there is no integer from {} to {}", numbers.low,
                                                            numbers.high));
    }
    const auto known = DtypeFromName(arena_[*dtype].text);
    const bool fits = known && (numbers.kind == Kind::kInteger ? c10::isIntegralType(*known, true)
                                                               : c10::isFloatingType(*known));
    if (!fits) return source_.Error(arena_[*dtype].offset, "such numbers cannot be drawn");
    numbers.dtype = *known;
    return StorageContents(numbers);
  }

  Result<StorageContents> Inline(ExpressionId id, size_t max_bytes) {
    const TensorLiteral literal = CULPRIT_TRY(EvaluateTensor(source_, arena_, id, max_bytes));
    const at::Tensor flat = literal.tensor.contiguous();
    if (literal.is_random || flat.is_complex())
      return source_.Error(arena_[id].offset, "a storage is filled with real numbers that are known");
    return StorageContents(InlineNumbers{
        flat.scalar_type(), std::string(static_cast<const char*>(flat.data_ptr()), flat.nbytes())});
  }

 private:
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

  const Source& source_;
  const ExpressionArena& arena_;
};

struct Printer {
  int64_t bytes;

  std::string operator()(std::monostate) const { return "None"; }

  std::string operator()(const InlineNumbers& numbers) const {
    const auto item = static_cast<int64_t>(c10::elementSize(numbers.dtype));
    std::string copy = numbers.bytes;
    const at::Tensor tensor =
        at::from_blob(copy.data(), {static_cast<int64_t>(copy.size()) / item}, numbers.dtype);
    base::Result<std::string> text = TensorToText({.tensor = tensor});
    CULPRIT_CHECK(text.ok(), "numbers of dtype {} cannot be written", NameOf(numbers.dtype));
    return *std::move(text);
  }

  std::string operator()(const StoredBytes& stored) const {
    return fmt::format("stored({}, {})", StringToText(stored.hash), bytes);
  }

  std::string operator()(const SeededNumbers& numbers) const {
    const std::string rest = fmt::format("dtype={}, generator=seeded({}))", NameOf(numbers.dtype), numbers.seed);
    if (numbers.kind == Kind::kNormal) return fmt::format("torch.randn({}, {}", numbers.count, rest);
    if (numbers.kind == Kind::kUniform) return fmt::format("torch.rand({}, {}", numbers.count, rest);
    return fmt::format("torch.randint({}, {}, ({},), {}", numbers.low, numbers.high, numbers.count, rest);
  }
};

}  // namespace

Result<StorageContents> EvaluateContents(const Source& source, const ExpressionArena& arena, ExpressionId id,
                                         size_t max_bytes) {
  ContentsReader reader(source, arena);
  const CallView call(arena, id);
  if (call.name() == "stored") return reader.Stored(arena[id], call);
  const bool draws =
      call.name() == "torch.randn" || call.name() == "torch.rand" || call.name() == "torch.randint";
  if (const auto generator = call.Keyword("generator"); draws && generator)
    return reader.Seeded(arena[id], call, *generator);
  return reader.Inline(id, max_bytes);
}

std::string ContentsToText(const StorageContents& contents, int64_t bytes) {
  return std::visit(Printer{bytes}, contents);
}

}  // namespace culprit::graph::text
