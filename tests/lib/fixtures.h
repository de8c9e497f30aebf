// SPDX-License-Identifier: Apache-2.0
//
// The scripts in tests/fixtures. Tests run in the root of the source tree.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "graph/text/script/script.h"

namespace culprit::tests {

inline std::string ReadFixture(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The paths of all scripts in a folder below tests/fixtures, sorted.
inline std::vector<std::string> FixturesIn(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator("tests/fixtures/" + folder)) {
    if (entry.path().extension() == ".py") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

inline graph::text::Script ReadFixtureScript(const std::string& path) {
  base::Result<graph::text::Script> script = graph::text::ReadScript(path, ReadFixture(path), {.which = 1});
  EXPECT_TRUE(script.ok()) << script.error().Render();
  return *std::move(script);
}

}  // namespace culprit::tests
