// SPDX-License-Identifier: Apache-2.0
//
// The walk in ARCHITECTURE.md: lines of a file, the functions in it that matter, and what they do.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/house/source_tree.h"

namespace culprit::tests {

/// What the block ```walk of the page says that is not so: files that do not exist in the tree, functions
/// that are not in their files.
std::vector<std::string> FindMissingSteps(std::string_view page, const std::vector<SourceFile>& tree);

}  // namespace culprit::tests
