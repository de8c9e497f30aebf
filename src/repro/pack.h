// SPDX-License-Identifier: Apache-2.0
//
// A repro on its way to another process: the script as text, and the bytes of its tensors beside it, which
// need not be copied. What the script calls the hash of stored bytes is their number here.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "repro/repro.h"

namespace culprit::repro {

struct PackedBytes {
  std::span<const std::byte> bytes;
  /// Keeps the memory; two of the same owner at the same place are the same bytes.
  c10::Storage owner;
};

struct PackedRepro {
  std::string text;
  std::vector<PackedBytes> storages;
};

/// Refused as WriteRepro refuses.
base::Result<PackedRepro> Pack(const Repro& repro);

/// `storage(i)` gives the bytes that were storages[i]. Inputs are copies; constants lie on these bytes, which
/// have to outlive the repro, and whoever runs it writes into copies (graph/passes/own_constants.h).
base::Result<Repro> Unpack(std::string_view text, size_t storage_count,
                           const std::function<std::span<const std::byte>(size_t)>& storage);

}  // namespace culprit::repro
