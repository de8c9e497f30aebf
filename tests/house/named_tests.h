// SPDX-License-Identifier: Apache-2.0
//
// Pages that say which test shows what they say: tables whose last column is called "test".
//
//   | PyTorch            | Culprit                | test                                  |
//   | `same`             | `compare::Compare`     | `ValueTest.PlainValuesMustBeEqual`    |
//   | `TORCH_LOGS`       | `CULPRIT_LOG`          | `LogTest.*`                           |   any test of the
//   suite | `repro_level`      | the same               | to come: `WatchTest.LevelsAreKept`    |   does not
//   exist yet | `BuckTargetWriter` | no meaning here        | -                                     | nothing
//   to show
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/house/source_tree.h"

namespace culprit::tests {

/// Suites and names of all tests, as "Suite.Name".
std::set<std::string> FindTests(const std::vector<SourceFile>& files);

/// One line per row of a *.md file that names a test that does not exist, or names none, or says that one is
/// to come that is there.
std::vector<std::string> CheckNamedTests(const std::vector<SourceFile>& files,
                                         const std::set<std::string>& tests);

}  // namespace culprit::tests
