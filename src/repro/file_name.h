// SPDX-License-Identifier: Apache-2.0
//
// Names of graphs and models come from files of somebody else, and become names of files and folders.
#pragma once

#include <string>
#include <string_view>

namespace culprit::repro {

/// The name with `_` for everything but letters, digits, `_` and `-`, cut at 60; `otherwise` if it is empty.
std::string AsFileName(std::string_view name, std::string_view otherwise);

}  // namespace culprit::repro
