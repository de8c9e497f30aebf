// SPDX-License-Identifier: Apache-2.0
//
// The files of the repository, for tests that look at the sources themselves. Tests run in its root.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace culprit::tests {

struct SourceFile {
  /// With '/' between folders.
  std::string path;
  std::string text;
};

/// All files below `folder`, in the order of their paths, which are relative to it. What .gitignore names
/// (build, culprit_runs, __pycache__, .venv) and .git are left out.
std::vector<SourceFile> ReadTree(const std::string& folder);

std::string ReadFile(const std::string& path);

/// Without line ends.
std::vector<std::string_view> Lines(std::string_view text);

/// "graph/text/x_test.cc" => "x_test"
std::string_view StemOf(std::string_view path);

bool IsCpp(std::string_view path);

}  // namespace culprit::tests
