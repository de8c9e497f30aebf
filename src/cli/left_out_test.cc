// SPDX-License-Identifier: Apache-2.0
#include "cli/left_out.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::cli {
namespace {

using testing::ElementsAre;

TEST(LeftOutTest, OptionsGoWithTheirValues) {
  constexpr LeftOut kLeftOut[] = {{"--out", true}, {"--quiet"}};
  const std::vector<std::string> words = {"culprit", "run", "--out",     "x",
                                          "--quiet", "net", "--out=y=z", "--output=1"};
  EXPECT_THAT(Without(kLeftOut, words), ElementsAre("culprit", "run", "net", "--output=1"));
}

}  // namespace
}  // namespace culprit::cli
