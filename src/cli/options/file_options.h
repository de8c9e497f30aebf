// SPDX-License-Identifier: Apache-2.0
//
// Options of commands about a file with a graph. The options keep pointing at what they set.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "open/file_request.h"

namespace culprit::cli {

/// The file and how it is read, but for which of its graphs.
void DeclareFile(CLI::App& app, open::FileRequest& file);
/// By number.
void DeclareWhich(CLI::App& app, open::FileRequest& file);
/// For a command that takes models, too: by number or name.
void DeclareWhichGraph(CLI::App& app, std::string& graph);

}  // namespace culprit::cli
