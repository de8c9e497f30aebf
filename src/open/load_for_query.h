// SPDX-License-Identifier: Apache-2.0
//
// From an open file to a repro that a compiler can be asked about.
#pragma once

#include "open/compiler_request.h"
#include "open/open_file.h"

namespace culprit::open {

/// Whoever names a compiler wants to know whether it computes the right numbers, unless the file says how to
/// judge.
base::Result<repro::Repro> LoadForQuery(repro::ReadRepro read, const FileRequest& file,
                                        const CompilerRequest& compiler, std::optional<uint64_t> seed,
                                        Notes& notes);

}  // namespace culprit::open
