// SPDX-License-Identifier: Apache-2.0
#include "tests/house/named_tests.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace culprit::tests {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
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

/// Functions, files and classes of PyTorch's that everybody looks for who knows its minifier.
constexpr std::string_view kNames[] = {"same_two_models",
                                       "same",
                                       "run_fwd_maybe_bwd",
                                       "reduce_to_scalar_loss",
                                       "cast_to_fp64",
                                       "minifier/minifier_launcher.py",
                                       "wrap_compiler_debug",
                                       "deferred_for_real_inputs",
                                       "inner_debug_fn",
                                       "dump_to_minify",
                                       "dump_compiler_graph_state",
                                       "save_graph_repro",
                                       "repro_common",
                                       "repro_run",
                                       "compile_fx_inner",
                                       "FakeTensorMode",
                                       "step_graph_break",
                                       "compile_subgraph",
                                       "inline_call_",
                                       "run_compiler_collective",
                                       "BuckTargetWriter"};

TEST(NamedTestsTest, TheMapFromPyTorchHasTheNamesThatPeopleLookFor) {
  EXPECT_EQ(std::size(kNames), 21U);
  std::istringstream lines(ReadFile("docs/from-pytorch.md"));
  // What stands in the first columns.
  std::string names;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("| ")) names += line.substr(0, line.find(" | ")) + "\n";
  }
  for (const std::string_view name : kNames) EXPECT_THAT(names, HasSubstr(fmt::format("`{}`", name)));
}

TEST(NamedTestsTest, TheMapFromPyTorchSaysHowManyFaultsThereAre) {
  constexpr std::string_view kRow = ", FaultMoment::k";
  const std::string table = ReadFile("src/faults/fault.cc");
  int kinds = 0;
  for (size_t at = table.find(kRow); at != std::string::npos; at = table.find(kRow, at + 1)) ++kinds;
  EXPECT_THAT(ReadFile("docs/from-pytorch.md"), HasSubstr(fmt::format("and {} more kinds", kinds - 3)));
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

TEST(NamedTestsCheckTest, TestsOfPythonAreFoundInTheirClasses) {
  const SourceFile file = {"test_x.py",
                           "class OneTest(unittest.TestCase):\n"
                           "    def test_a(self) -> None:\n"
                           "    def helper(self) -> None:\n"
                           "class TwoTest(Base):\n"
                           "    def test_a(self) -> None:\n"
                           "# def test_b(self):\n"};
  EXPECT_THAT(FindTests({file}), UnorderedElementsAre("OneTest.test_a", "TwoTest.test_a"));
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
