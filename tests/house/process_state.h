// SPDX-License-Identifier: Apache-2.0
//
// State of the process: variables that belong to no object and change while the program runs, in namespaces,
// functions and threads. Each is named in tests/process_state.txt with its reason, so that whoever asks what
// two threads, two calls or a forked child share has one place to look.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/house/source_tree.h"

namespace culprit::tests {

/// "watch/watchdog.cc shared", in the order of the files.
std::vector<std::string> FindProcessState(const std::vector<SourceFile>& files);

/// What is there and not in the list, and the other way round. A line of the list: file, variable, reason;
/// lines that begin with # are comments.
std::vector<std::string> CompareProcessState(const std::vector<std::string>& found, std::string_view list);

}  // namespace culprit::tests
