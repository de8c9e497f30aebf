// SPDX-License-Identifier: Apache-2.0
#include "cli/run_guarded.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <system_error>

namespace culprit::cli {
namespace {

/// The exit code and what was printed.
struct Ended {
  int code = 0;
  std::string err;
};

template <typename Error>
Ended Throw(const Error& error) {
  testing::internal::CaptureStderr();
  const int code = RunGuarded([&]() -> int { throw error; });
  return {code, testing::internal::GetCapturedStderr()};
}

TEST(RunGuarded, GivesTheExitCodeOfTheWork) {
  EXPECT_EQ(RunGuarded([] { return 17; }), 17);
}

TEST(RunGuarded, AnExceptionIsAnErrorOfTheProgram) {
  const Ended ended = Throw(std::runtime_error("what nobody expected"));
  EXPECT_EQ(ended.code, 3);
  EXPECT_EQ(ended.err, "culprit: internal error: what nobody expected\n");
}

TEST(RunGuarded, NoMemoryIsTheMachines) {
  const Ended ended = Throw(std::bad_alloc());
  EXPECT_EQ(ended.code, 4);
  EXPECT_EQ(ended.err, "culprit: error: there is no memory left: Cannot allocate memory\n");
}

TEST(RunGuarded, AThreadThatCannotBeStartedIsTheMachines) {
  const Ended ended = Throw(std::system_error(EAGAIN, std::generic_category()));
  EXPECT_EQ(ended.code, 4);
  EXPECT_EQ(ended.err, "culprit: error: it cannot go on: Resource temporarily unavailable\n");
  EXPECT_EQ(Throw(std::system_error(EINVAL, std::generic_category(), "odd")).code, 3);
}

}  // namespace
}  // namespace culprit::cli
