// SPDX-License-Identifier: Apache-2.0
#include "base/write_signals.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace culprit::base {
namespace {

/// In a process of its own, which the signals would end: the number of the error.
int ErrorOfWrite(int descriptor) {
  const WriteSignalsBlocked blocked;
  return write(descriptor, "x", 1) < 0 ? errno : 0;
}

TEST(WriteSignalsBlocked, AFileThatMayNotGrowIsAnError) {
  const auto write_too_much = [] {
    const rlimit limit{0, 0};
    setrlimit(RLIMIT_FSIZE, &limit);
    const int error = ErrorOfWrite(fileno(std::tmpfile()));
    std::exit(error == EFBIG ? 7 : 1);
  };
  EXPECT_EXIT(write_too_much(), testing::ExitedWithCode(7), "");
}

TEST(WriteSignalsBlocked, APipeThatNobodyReadsIsAnErrorAndAfterwardsASignalAgain) {
  const auto write_to_nobody = [](bool again) {
    int ends[2];
    if (pipe(ends) != 0) std::exit(1);
    close(ends[0]);
    const int error = ErrorOfWrite(ends[1]);
    if (again) static_cast<void>(!write(ends[1], "x", 1));
    std::exit(error == EPIPE ? 7 : 1);
  };
  EXPECT_EXIT(write_to_nobody(false), testing::ExitedWithCode(7), "");
  EXPECT_EXIT(write_to_nobody(true), testing::KilledBySignal(SIGPIPE), "");
}

}  // namespace
}  // namespace culprit::base
