// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>

#include "process/settings.h"

int main(int argc, char** argv) {
  culprit::process::ApplySettings();
  testing::InitGoogleTest(&argc, argv);
  const int status = RUN_ALL_TESTS();
  // libtorch takes a tenth of a second to tear down, for nothing.
  std::fflush(nullptr);
  _exit(status);
}
