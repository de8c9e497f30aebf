// SPDX-License-Identifier: Apache-2.0
//
// A sample of the attempts in `make test`, all of them in `make test-long`.
#include "tests/attempts/attempt.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

struct Row {
  const char* name;
  Attempts (*attempts)();
};

class AttemptsTest : public testing::TestWithParam<Row> {};

TEST_P(AttemptsTest, AreSurvived) {
  const Attempts attempts = GetParam().attempts();
  const size_t step = FullVolume() ? 1 : 8;
  size_t tried = 0;
  for (size_t i = 0; i < attempts.size(); i += step, ++tried) {
    const std::string wrong = Try(attempts[i]);
    EXPECT_EQ(wrong, "") << attempts[i].command;
  }
  fmt::print("{}: {} of {} attempts tried\n", GetParam().name, tried, attempts.size());
}

INSTANTIATE_TEST_SUITE_P(All, AttemptsTest,
                         testing::Values(Row{"BadScripts", BadScripts}, Row{"FileKinds", FileKinds},
                                         Row{"Archives", Archives}, Row{"WrongOptions", WrongOptions},
                                         Row{"Descriptors", Descriptors}, Row{"FullDisks", FullDisks},
                                         Row{"Kills", Kills}, Row{"Limits", Limits}, Row{"Plugins", Plugins},
                                         Row{"Traversal", Traversal}),
                         [](const auto& row) { return row.param.name; });

// From here on: that an attempt can fail.

TEST(TryTest, ADeathIsNoticed) {
  EXPECT_THAT(Try({"kill -SEGV $$"}), testing::StartsWith("exit code 139 is none of 0, 1, 2"));
}

TEST(TryTest, WhatIsPrintedIsLookedAt) {
  EXPECT_THAT(Try({"printf '\\033[2J'"}), testing::StartsWith("byte 0x1b reached the terminal"));
  EXPECT_THAT(Try({"echo 'culprit: internal error: x' >&2"}), testing::StartsWith("says 'internal error'"));
  EXPECT_THAT(Try({"yes | head -c 300000"}), testing::StartsWith("printed 300000 bytes"));
}

TEST(TryTest, WhatIsLeftIsLookedAt) {
  EXPECT_THAT(Try({"./judge.sh"}), testing::StartsWith("code of the file was run"));
  EXPECT_THAT(Try({"touch ../outside/x"}), testing::StartsWith("something was written outside"));
  EXPECT_THAT(Try({"touch $TMPDIR/x"}), testing::StartsWith("left x in the temporary folder"));
  EXPECT_EQ(Try({"./judge.sh", {0}, /*may_run_code=*/true}), "");
}

TEST(TryTest, TheLibraryShowsThatItWasLoaded) {
  EXPECT_THAT(Try({"culprit backends ./evil.so", {0, 1, 2}}),
              testing::StartsWith("code of the file was run"));
}

}  // namespace
}  // namespace culprit::tests
