// SPDX-License-Identifier: Apache-2.0
//
// From an open file to a repro that a compiler can be asked about.
#pragma once

#include "open/compiler_request.h"
#include "open/open_file.h"

namespace culprit::open {

/// If the user names a compiler and the file does not say how to judge, numbers are judged.
base::Result<repro::Repro> LoadForQuery(repro::ReadRepro read, const FileRequest& file,
                                        const CompilerRequest& compiler, std::optional<uint64_t> seed,
                                        Notes& notes);

}  // namespace culprit::open
