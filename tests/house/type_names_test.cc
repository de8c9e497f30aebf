// SPDX-License-Identifier: Apache-2.0
#include "tests/house/type_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace culprit::tests {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const SharedNames kShared = {
    {"Expression", "languages have expressions: scripts, sizes, loops"},
    {"Options", "of the job that the namespace does: compare::Options"},
    {"ReadOptions", "of the job that the namespace does: repro::ReadOptions"},
    {"Sizes", "the same list of numbers"},
    {"Value", "of a graph, and of the loops that a graph becomes"},
};

TEST(TypeNamesTest, EachNameMeansOneThing) {
  std::vector<SourceFile> files = ReadTree("src");
  std::ranges::move(ReadTree("include"), std::back_inserter(files));
  EXPECT_THAT(FindSharedNames(files, kShared), IsEmpty());
}

// From here on: that the check above can fail.

TEST(TypeNamesCheckTest, ANameInTwoHeadersIsFound) {
  const std::vector<SourceFile> files = {{"ranks/a.h", "class Session {\n};\n"},
                                         {"watch/b.h", "struct Session : Base {\n};\n"},
                                         {"watch/c.h", "using Numbers = std::vector<\n    int>;\n"},
                                         {"check/d.h", "enum class Numbers : uint8_t { kNone };\n"}};
  EXPECT_THAT(FindSharedNames(files, {}),
              ElementsAre("Numbers: check/d.h, watch/c.h", "Session: ranks/a.h, watch/b.h"));
  EXPECT_THAT(FindSharedNames(files, {{"Numbers", ""}, {"Session", ""}}), IsEmpty());
}

TEST(TypeNamesCheckTest, WhatIsDeclaredInsideAndInSourcesIsNobodysBusiness) {
  EXPECT_THAT(FindSharedNames({{"a.h", "class A;\nstruct B {\n  struct C {};\n};\n"},
                               {"b.h", "class A {};\nstruct D {\n  struct C {};\n};\n"},
                               {"c.cc", "struct B {};\n"}},
                              {}),
              IsEmpty());
}

TEST(TypeNamesCheckTest, AnExceptionThatIsNoneIsFound) {
  EXPECT_THAT(FindSharedNames({{"a.h", "class A {};\n"}}, {{"A", ""}, {"B", ""}}),
              ElementsAre("A may be shared, and is not", "B may be shared, and is not"));
}

}  // namespace
}  // namespace culprit::tests
