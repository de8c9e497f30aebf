// SPDX-License-Identifier: Apache-2.0
#include "process/renew_threads.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

namespace culprit::process {
namespace {

TEST(RenewThreadsTest, TheNumberOfThreadsStays) {
  const int before = at::get_num_threads();
  for (const int threads : {1, 2, 3}) {
    at::set_num_threads(threads);
    RenewThreads();
    EXPECT_EQ(at::get_num_threads(), threads);
  }
  at::set_num_threads(before);
}

}  // namespace
}  // namespace culprit::process
