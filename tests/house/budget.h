// SPDX-License-Identifier: Apache-2.0
//
// The rules of CONTRIBUTING.md that a program can check: sizes, names, and what every file has to begin with.
// Each check takes files and returns one line per violation, so that tests can plant some.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/house/source_tree.h"

namespace culprit::tests {

struct Budget {
  size_t median = 0;
  size_t p95 = 0;
  size_t limit = 0;
};

constexpr Budget kFileLines = {.median = 120, .p95 = 400, .limit = 600};
/// The median of functions needs no budget.
constexpr Budget kFunctionLines = {.median = 50, .p95 = 50, .limit = 100};

/// `exceptions` are paths that may be longer than the limit; one that need not be is a violation.
std::vector<std::string> CheckFileSizes(const std::vector<SourceFile>& files,
                                        const std::set<std::string>& exceptions = {});
std::vector<std::string> CheckFunctionSizes(const std::vector<SourceFile>& files);

constexpr size_t kMostFilesInARoom = 30;
/// Headers and sources of the product that stand in one folder; tests beside them do not count.
std::vector<std::string> CheckRoomSizes(const std::vector<SourceFile>& files);

/// A source includes a header that stands beside it, or, as one of a family, the table in the folder around
/// it. `exceptions` are paths; one that is none is a violation.
std::vector<std::string> CheckSourcesStandBesideHeaders(const std::vector<SourceFile>& files,
                                                        const std::set<std::string>& exceptions);

/// Every program text names its licence in its first two lines.
std::vector<std::string> CheckLicenceLines(const std::vector<SourceFile>& files);

/// No file is called after nothing in particular: utils, common, misc, manager, helpers.
std::vector<std::string> CheckFileNames(const std::vector<SourceFile>& files);

/// x_test.cc and x_what_test.cc stand beside x.h or x.cc.
std::vector<std::string> CheckTestsHaveSubjects(const std::vector<SourceFile>& files);

/// Nothing points to a developer's machine or to a private host.
std::vector<std::string> CheckNoPrivatePlaces(const std::vector<SourceFile>& files);

}  // namespace culprit::tests
