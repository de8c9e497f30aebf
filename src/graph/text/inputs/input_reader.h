// SPDX-License-Identifier: Apache-2.0
//
// Reads what a script says about its inputs: load_args(reader) of PyTorch 2.1 and later, or the list `args`
// of 2.0.
//
//   buf0 = reader.storage(None, 256*s0, device=device(type='cuda', index=0), dtype_hint=torch.int64)
//   reader.tensor(buf0, (s0, 64), (64, 1), storage_offset=0, dtype=torch.int64, requires_grad=True)
//   reader.symint(4)
//
// Sizes may be written with symbols that nobody defines (graph/text/inputs/bind_symbols.h); a tensor has to
// fit its storage then. A file without any of it, or whose load_args has no body, may have annotations
// (graph/text/inputs/annotated_inputs.h).
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "graph/tensors/input_spec.h"
#include "graph/text/syntax/outline.h"

namespace culprit::graph::text {

/// Nothing if the script says nothing about inputs. Oddities go to `warnings`.
base::Result<std::optional<InputSpecs>> ReadInputs(const Source& source, const ScriptOutline& outline,
                                                   std::vector<base::Diagnostic>& warnings);

}  // namespace culprit::graph::text
