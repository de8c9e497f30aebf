// SPDX-License-Identifier: Apache-2.0
//
// Who prints? fmt::print throws where a stream is full, so the program prints through cli/print.h only, and
// libraries do not print at all.
#pragma once

#include <string>
#include <vector>

#include "tests/house/source_tree.h"

namespace culprit::tests {

/// One line for each call that prints in another way. Tests may print as they like.
std::vector<std::string> FindPrints(const std::vector<SourceFile>& files);

}  // namespace culprit::tests
