// SPDX-License-Identifier: Apache-2.0
//
// One meaning per word: a type that a header declares has a name that no other header gives to another type.
// What a source keeps to itself, and what stands inside a class, may be called as it likes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/house/source_tree.h"

namespace culprit::tests {

/// Names that several headers may declare, each with the reason.
using SharedNames = std::map<std::string, std::string>;

/// "Session: ranks/a.h, watch/b.h", and names that are allowed and not shared.
std::vector<std::string> FindSharedNames(const std::vector<SourceFile>& files, const SharedNames& allowed);

}  // namespace culprit::tests
