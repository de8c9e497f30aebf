// SPDX-License-Identifier: Apache-2.0
#include "graph/text/values/stored_bytes.h"

#include <fmt/format.h>

#include "graph/text/syntax/call_view.h"
#include "graph/text/syntax/string_literal.h"
#include "graph/text/values/size_expression.h"

namespace culprit::graph::text {

using base::Result;

Result<WrittenStoredBytes> EvaluateStored(const Source& source, const ExpressionArena& arena,
                                          ExpressionId id) {
  const CallView call(arena, id);
  const std::optional<ExpressionId> hash = call.Positional(0), size = call.Positional(1),
                                    check = call.Positional(2);
  auto text = hash ? StringFromText(arena[*hash].text) : std::nullopt;
  if (!text || !size) return source.Error(arena[id].offset, "expected: stored('hash', bytes)");
  WrittenStoredBytes written{.stored = {.hash = *std::move(text)},
                             .bytes = CULPRIT_TRY(EvaluateSize(source, arena, *size, {}))};
  if (!check) return written;
  const int64_t crc32 = CULPRIT_TRY(EvaluateSize(source, arena, *check, {}));
  if (crc32 < 0 || crc32 > UINT32_MAX)
    return source.Error(arena[*check].offset, fmt::format("{} is no CRC-32", crc32));
  written.stored.crc32 = static_cast<uint32_t>(crc32);
  return written;
}

std::string StoredToText(const StoredBytes& stored, int64_t bytes) {
  const std::string check = stored.crc32 ? fmt::format(", {}", *stored.crc32) : "";
  return fmt::format("stored({}, {}{})", StringToText(stored.hash), bytes, check);
}

}  // namespace culprit::graph::text
