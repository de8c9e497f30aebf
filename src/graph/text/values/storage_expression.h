// SPDX-License-Identifier: Apache-2.0
//
// What a storage is filled with, as load_args of a repro writes it:
//
//   buf0 = fill(reader.storage(None, 8), torch.tensor([1.0, 2.0], dtype=torch.float32))
//   buf1 = fill(reader.storage(None, 4096), stored('5e1f...', 4096, 305419896))
//   buf2 = fill(reader.storage(None, 4096), torch.randn(1024, dtype=torch.float32, generator=seeded(7)))
//   buf3 = fill(reader.storage(None, 80), torch.randint(0, 10, (10,), dtype=torch.int64,
//   generator=seeded(8))) buf4 = reader.storage(None, 64)                            unknown
//
// `fill`, `stored` and `seeded` are functions that a repro brings along (repro/).
#pragma once

#include <string>

#include "base/result.h"
#include "graph/tensors/storage_contents.h"
#include "graph/text/syntax/expression.h"

namespace culprit::graph::text {

/// `max_bytes` bounds the numbers that are written out.
base::Result<StorageContents> EvaluateContents(const Source& source, const ExpressionArena& arena,
                                               ExpressionId id, size_t max_bytes);

/// What stands behind the comma; `bytes` is the size of the storage.
std::string ContentsToText(const StorageContents& contents, int64_t bytes);

}  // namespace culprit::graph::text
