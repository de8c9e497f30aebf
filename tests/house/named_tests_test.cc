// SPDX-License-Identifier: Apache-2.0
#include "tests/house/named_tests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::tests {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST(NamedTestsTest, EveryTestThatAPageNamesExists) {
  const std::vector<SourceFile> files = ReadTree(".");
  const std::set<std::string> tests = FindTests(files);
  EXPECT_THAT(tests, Contains("NamedTestsTest.EveryTestThatAPageNamesExists"));
  EXPECT_THAT(CheckNamedTests(files, tests), IsEmpty());
}

TEST(NamedTestsTest, TheMapFromPyTorchNamesTests) {
  const std::vector<SourceFile> map = {{"from-pytorch.md", ReadFile("docs/from-pytorch.md")}};
  EXPECT_GE(CheckNamedTests(map, {}).size(), 100u) << "the rows are no longer recognised";
}

// From here on: that the check above can fail.

std::vector<std::string> CheckCell(const std::string& cell) {
  const std::string page = "| name | test |\n|---|---|\n| `a` | " + cell + " |\n";
  return CheckNamedTests({{"page.md", page}}, {"FooTest.Works", "FooTest.WorksTwice"});
}

TEST(NamedTestsCheckTest, TestsAreFoundInEveryForm) {
  const SourceFile file = {"x_test.cc",
                           "TEST(A, One) {}\n"
                           "  TEST_F(B,\n       Two) {}\n"
                           "TEST_P(C, Three) {}\n"
                           "// TEST(D, Four)\n"
                           "const char* text = \"TEST(E, Five)\";\n"
                           "BIGTEST(F, Six)\n"};
  EXPECT_THAT(FindTests({file, {"page.md", "TEST(G, Seven)"}}),
              UnorderedElementsAre("A.One", "B.Two", "C.Three"));
}

TEST(NamedTestsCheckTest, TestsThatExistAreFine) {
  EXPECT_THAT(CheckCell("`FooTest.Works`, `FooTest.WorksTwice`"), IsEmpty());
  EXPECT_THAT(CheckCell("`FooTest.*`"), IsEmpty());
  EXPECT_THAT(CheckCell("-"), IsEmpty());
}

TEST(NamedTestsCheckTest, AMissingOneIsFoundWithItsRow) {
  EXPECT_THAT(
      CheckCell("`FooTest.Works`, `FooTest.Work`"),
      ElementsAre("page.md:3: there is no test FooTest.Work: | `a` | `FooTest.Works`, `FooTest.Work` |"));
  EXPECT_THAT(CheckCell("`Foo.*`"), ElementsAre("page.md:3: there is no test Foo.*: | `a` | `Foo.*` |"));
}

TEST(NamedTestsCheckTest, ARowHasToSaySomething) {
  EXPECT_THAT(CheckCell("FooTest"), ElementsAre("page.md:3: names no test: | `a` | FooTest |"));
}

TEST(NamedTestsCheckTest, WhatIsToComeIsNotThere) {
  EXPECT_THAT(CheckCell("to come: `BarTest.*`"), IsEmpty());
  EXPECT_THAT(
      CheckCell("to come: `FooTest.Works`"),
      ElementsAre(
          "page.md:3: FooTest.Works is not to come, it is there: | `a` | to come: `FooTest.Works` |"));
}

TEST(NamedTestsCheckTest, OtherTablesSayNothingAboutTests) {
  EXPECT_THAT(
      CheckNamedTests(
          {{"page.md", "| name | test |\n|---|---|\n\n| name | use |\n|---|---|\n| a | `b.c` |\n"}}, {}),
      IsEmpty());
}

}  // namespace
}  // namespace culprit::tests
