// SPDX-License-Identifier: Apache-2.0
//
// Options of commands that take a TorchScript model: how it is called.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "explain/call_request.h"

namespace culprit::cli {

/// The options keep pointing at the request.
void DeclareCall(CLI::App& app, explain::CallRequest& call);

/// Of a command that takes either.
void DescribeScriptOrModel(CLI::App& app);

/// An archive of TorchScript; or any file that is to be called, since options say how.
bool IsModel(const std::string& file, const explain::CallRequest& call);

}  // namespace culprit::cli
