// SPDX-License-Identifier: Apache-2.0
//
// From the file that a user names to a graph with inputs.
#pragma once

#include <optional>

#include "base/result.h"
#include "open/file_request.h"
#include "open/notes.h"
#include "repro/read_repro.h"

namespace culprit::open {

/// Loads the libraries, reads the file, checks the graph, maps devices if asked to. Notes are what the file
/// is warned about. With `trust` all of the configuration that a script of PyTorch's has is used.
base::Result<repro::ReadRepro> OpenFile(const FileRequest& request, Notes& notes, bool trust = false);

/// Makes the inputs of a script that can be run here. A note says which of them are random; the header names
/// them too.
base::Result<repro::Repro> LoadInputs(repro::ReadRepro read, const FileRequest& request,
                                      std::optional<uint64_t> seed, Notes& notes);

}  // namespace culprit::open
