// SPDX-License-Identifier: Apache-2.0
//
// Bytes in a store, as text: their hash, how many there are, and their CRC-32 for readers that cannot compute
// the hash.
//
//   stored('5e1f...', 4096, 305419896)
#pragma once

#include <string>

#include "base/result.h"
#include "graph/tensors/storage_contents.h"
#include "graph/text/syntax/expression.h"

namespace culprit::graph::text {

struct WrittenStoredBytes {
  StoredBytes stored;
  int64_t bytes = 0;
};
base::Result<WrittenStoredBytes> EvaluateStored(const Source& source, const ExpressionArena& arena,
                                                ExpressionId id);

std::string StoredToText(const StoredBytes& stored, int64_t bytes);

}  // namespace culprit::graph::text
