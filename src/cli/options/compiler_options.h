// SPDX-License-Identifier: Apache-2.0
//
// Options of commands that put a graph through a compiler. The options keep pointing at what they set.
#pragma once

#include <CLI/CLI.hpp>

#include "backend/failure/match.h"
#include "open/compiler_request.h"

namespace culprit::cli {

void DeclareCompiler(CLI::App& app, open::CompilerRequest& compiler);

/// When a failure is the same.
void DeclareMatch(CLI::App& app, backend::MatchMode& match);

}  // namespace culprit::cli
