// SPDX-License-Identifier: Apache-2.0
#include "graph/text/values/storage_expression.h"

#include <ATen/ops/from_blob.h>
#include <fmt/format.h>

#include "base/internal_error.h"
#include "graph/text/syntax/call_view.h"
#include "graph/text/syntax/literal.h"
#include "graph/text/values/seeded_numbers.h"
#include "graph/text/values/stored_bytes.h"
#include "graph/text/values/tensor_expression.h"
#include "graph/text/values/tensor_printer.h"

namespace culprit::graph::text {
namespace {

using base::Result;

Result<StorageContents> Inline(const Source& source, const ExpressionArena& arena, ExpressionId id,
                               size_t max_bytes) {
  const TensorLiteral literal = CULPRIT_TRY(EvaluateTensor(source, arena, id, {.max_bytes = max_bytes}));
  const at::Tensor flat = literal.tensor.contiguous();
  if (literal.is_random || literal.missing || flat.is_complex())
    return source.Error(arena[id].offset, "a storage is filled with real numbers that are known");
  return StorageContents(InlineNumbers{
      flat.scalar_type(), std::string(static_cast<const char*>(flat.data_ptr()), flat.nbytes())});
}

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

  std::string operator()(const StoredBytes& stored) const { return StoredToText(stored, bytes); }

  std::string operator()(const SeededNumbers& numbers) const { return SeededToText(numbers); }
};

}  // namespace

Result<StorageContents> EvaluateContents(const Source& source, const ExpressionArena& arena, ExpressionId id,
                                         size_t max_bytes) {
  const CallView call(arena, id);
  if (call.name() == "stored") return StorageContents(CULPRIT_TRY(EvaluateStored(source, arena, id)).stored);
  if (call.Keyword("generator") || IsTakenFromOne(arena, id))
    return StorageContents(CULPRIT_TRY(EvaluateSeeded(source, arena, id)));
  return Inline(source, arena, id, max_bytes);
}

std::string ContentsToText(const StorageContents& contents, int64_t bytes) {
  return std::visit(Printer{bytes}, contents);
}

}  // namespace culprit::graph::text
