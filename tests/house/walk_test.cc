// SPDX-License-Identifier: Apache-2.0
#include "tests/house/walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace culprit::tests {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(WalkTest, TheFunctionsOfTheWalkAreWhereArchitectureSaysTheyAre) {
  EXPECT_THAT(FindMissingSteps(ReadFile("ARCHITECTURE.md"), ReadTree("src")), IsEmpty());
}

TEST(WalkTest, TheMapIsShort) {
  const std::string page = ReadFile("ARCHITECTURE.md");
  EXPECT_LE(std::ranges::count(page, '\n'), 200);
}

// From here on: that the check above can fail.

const std::vector<SourceFile> kTree = {{"hunt/hunt.cc",
                                        "int Plan(int);\n\nint Hunt() { return Open(1); }\n\n// Search() "
                                        "looks.\nint Plan(int x) {\n  return Ask(x);\n}\n"}};

TEST(WalkCheckTest, AFunctionThatIsGoneIsFound) {
  EXPECT_THAT(FindMissingSteps("```walk\nhunt/hunt.cc  Hunt Plan  all of it\n```\n", kTree), IsEmpty());
  EXPECT_THAT(FindMissingSteps("```walk\nhunt/hunt.cc  Hunt Close  all of it\n```\n", kTree),
              ElementsAre("hunt/hunt.cc has no function Close"));
}

TEST(WalkCheckTest, ACallOrACommentIsNoFunction) {
  EXPECT_THAT(FindMissingSteps("```walk\nhunt/hunt.cc  Ask Open Search  all of it\n```\n", kTree),
              ElementsAre("hunt/hunt.cc has no function Ask", "hunt/hunt.cc has no function Open",
                          "hunt/hunt.cc has no function Search"));
}

TEST(WalkCheckTest, AFileThatIsGoneIsFound) {
  EXPECT_THAT(FindMissingSteps("```walk\nhunt/job.cc  Hunt  all of it\n```\n", kTree),
              ElementsAre("there is no file hunt/job.cc"));
}

TEST(WalkCheckTest, AStepWithoutAFunctionAndAPageWithoutAWalkAreFound) {
  EXPECT_THAT(FindMissingSteps("```walk\nhunt/hunt.cc  all of it\n```\n", kTree),
              ElementsAre("the step hunt/hunt.cc names no function"));
  EXPECT_THAT(FindMissingSteps("no walk", kTree), ElementsAre("there is no walk"));
}

}  // namespace
}  // namespace culprit::tests
