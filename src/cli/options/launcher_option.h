// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace culprit::cli {

/// --launcher, beside the option that says how many workers there are.
CLI::Option* DeclareLauncher(CLI::App& app, std::string& launcher);

}  // namespace culprit::cli
