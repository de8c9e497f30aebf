// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "process/settings.h"

namespace {

// tests/not_yet.txt names tests that are not ported to PyTorch 2.13 yet: "Suite.Test  reason".
std::string NotYet() {
  std::ifstream file("tests/not_yet.txt");
  std::string names;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') names += (names.empty() ? "" : ":") + line.substr(0, line.find(' '));
  }
  return names;
}

}  // namespace

int main(int argc, char** argv) {
  culprit::process::ApplySettings();
  testing::InitGoogleTest(&argc, argv);
  if (const std::string names = NotYet(); !names.empty()) {
    const std::string filter = GTEST_FLAG_GET(filter);
    GTEST_FLAG_SET(filter, filter + (filter.find('-') == std::string::npos ? "-" : ":") + names);
  }
  const int status = RUN_ALL_TESTS();
  // libtorch takes a tenth of a second to tear down, for nothing.
  std::fflush(nullptr);
  _exit(status);
}
