// SPDX-License-Identifier: Apache-2.0
#include "tests/house/budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::tests {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<SourceFile>& Repository() {
  static const std::vector<SourceFile>& files = *new std::vector<SourceFile>(ReadTree("."));
  return files;
}

TEST(HouseTest, FilesAreShort) {
  EXPECT_THAT(CheckFileSizes(ReadTree("src")), IsEmpty());
  EXPECT_THAT(CheckFileSizes(Repository()), IsEmpty());
}

TEST(HouseTest, FunctionsAreShort) {
  EXPECT_THAT(CheckFunctionSizes(ReadTree("src")), IsEmpty());
  EXPECT_THAT(CheckFunctionSizes(Repository()), IsEmpty());
}

TEST(HouseTest, EveryProgramTextNamesItsLicence) {
  EXPECT_THAT(CheckLicenceLines(Repository()), IsEmpty());
}

TEST(HouseTest, NoFileIsCalledAfterNothingInParticular) {
  EXPECT_THAT(CheckFileNames(Repository()), IsEmpty());
}

TEST(HouseTest, EveryUnitTestStandsBesideItsSubject) {
  EXPECT_THAT(CheckTestsHaveSubjects(ReadTree("src")), IsEmpty());
}

TEST(HouseTest, RoomsAreSmall) {
  EXPECT_THAT(CheckRoomSizes(ReadTree("src")), IsEmpty());
}

TEST(HouseTest, SourcesStandBesideTheHeadersThatDeclareThem) {
  EXPECT_THAT(
      CheckSourcesStandBesideHeaders(
          ReadTree("src"),
          {
              // Declared by what is installed, include/culprit.
              "api/config.cc",
              // Nobody calls them: they are there for what they define, or for what runs before main().
              "base/fmt/fmt.cc",
              "isolate/crash_notes/note_crashes.cc",
              "process/precompiled/precompiled.cc",
              "process/startup/standard_streams.cc",
              "process/startup/startup.cc",
          }),
      IsEmpty());
}

TEST(HouseTest, NothingPointsToADevelopersMachine) {
  EXPECT_THAT(CheckNoPrivatePlaces(Repository()), IsEmpty());
}

// From here on: that the checks above can fail.

std::string LinesOfCode(size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += "  x();\n";
  return text;
}

std::vector<SourceFile> FilesOfLines(const std::vector<size_t>& counts) {
  std::vector<SourceFile> files;
  for (const size_t count : counts)
    files.push_back({"file" + std::to_string(files.size()) + ".cc", LinesOfCode(count)});
  return files;
}

TEST(BudgetTest, LongFilesAreFound) {
  EXPECT_THAT(CheckFileSizes(FilesOfLines({120, 120, 120})), IsEmpty());
  EXPECT_THAT(CheckFileSizes(FilesOfLines({1, 121, 122})),
              ElementsAre("the median of all files is 121 lines, more than 120"));
  EXPECT_THAT(CheckFileSizes(FilesOfLines({1, 1, 401})),
              ElementsAre("the 95th percentile of all files is 401 lines, more than 400"));
  EXPECT_THAT(CheckFileSizes(FilesOfLines({1, 1, 601})), Contains("file2.cc: 601 lines, more than 600"));
}

TEST(HouseCheckTest, ASourceWhoseHeaderIsElsewhereIsFound) {
  const auto source = [](const std::string& path, const std::string& included) {
    return SourceFile{path, "#include <vector>\n#include \"" + included + "\"\n"};
  };
  EXPECT_THAT(CheckSourcesStandBesideHeaders(
                  {source("watch/a.cc", "watch/a.h"), source("watch/b.cc", "watch/table.h"),
                   source("watch/rules/c.cc", "watch/table.h"),
                   source("watch/rules/c_test.cc", "base/text.h"), source("cli/main.cc", "base/text.h")},
                  {}),
              IsEmpty());
  EXPECT_THAT(CheckSourcesStandBesideHeaders(
                  {source("watch/d.cc", "check/d.h"), source("watch/e.cc", "watch/rules/e.h")}, {}),
              ElementsAre("watch/d.cc: no header beside it declares it",
                          "watch/e.cc: no header beside it declares it"));
  EXPECT_THAT(
      CheckSourcesStandBesideHeaders({source("watch/d.cc", "check/d.h")}, {"watch/d.cc", "watch/e.cc"}),
      ElementsAre("watch/e.cc is no exception"));
}

TEST(HouseCheckTest, ARoomWithManyFilesIsFound) {
  std::vector<SourceFile> files;
  for (size_t i = 0; i < kMostFilesInARoom; ++i) files.push_back({fmt::format("room/file{}.cc", i), ""});
  files.push_back({"room/file0_test.cc", ""});
  EXPECT_THAT(CheckRoomSizes(files), IsEmpty());
  files.push_back({"room/more.h", ""});
  EXPECT_THAT(CheckRoomSizes(files), ElementsAre("room: 31 files, more than 30"));
}

TEST(BudgetTest, AnExceptionHasToBeNeeded) {
  std::vector<size_t> counts(40, 1);
  counts.push_back(601);
  EXPECT_THAT(CheckFileSizes(FilesOfLines(counts), {"file40.cc"}), IsEmpty());
  EXPECT_THAT(CheckFileSizes(FilesOfLines(counts), {"file40.cc", "file0.cc"}),
              ElementsAre("file0.cc: needs no exception any more"));
}

TEST(BudgetTest, AFunctionOf120LinesIsFound) {
  const std::string planted = "namespace a {\nvoid Planted(int b) {\n" + LinesOfCode(118) + "}\n}\n";
  std::vector<SourceFile> files = {{"a.cc", planted}};
  for (int i = 0; i < 40; ++i) files.push_back({"b.cc", "void Short() {\n}\n"});
  EXPECT_THAT(CheckFunctionSizes(files), ElementsAre("a.cc:2: void Planted: 120 lines, more than 100"));
}

TEST(BudgetTest, ManyFunctionsOf51LinesAreFound) {
  const std::vector<SourceFile> files = {{"a.cc", "void A() {\n" + LinesOfCode(49) + "}\n"}};
  EXPECT_THAT(CheckFunctionSizes(files),
              Contains("the 95th percentile of all functions is 51 lines, more than 50"));
}

TEST(BudgetTest, AMissingLicenceLineIsFound) {
  EXPECT_THAT(CheckLicenceLines({{"a.cc", "int x;\n// SPDX-License-Identifier: MIT\n"},
                                 {"b.h", "// SPDX-License-Identifier: Apache-2.0\n"},
                                 {"tools/c", "#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n"},
                                 {"tools/d", "#!/bin/sh\necho\n"},
                                 {"e.txt", "data\n"}}),
              ElementsAre(HasSubstr("a.cc"), HasSubstr("tools/d")));
}

TEST(BudgetTest, EmptyNamesAreFound) {
  EXPECT_THAT(CheckFileNames(
                  {{"graph/graph_utils.h", ""}, {"common/x.h", ""}, {"helpers.py", ""}, {"command.h", ""}}),
              ElementsAre(HasSubstr("graph_utils.h"), HasSubstr("common/x.h"), HasSubstr("helpers.py")));
}

TEST(BudgetTest, ATestWithoutASubjectIsFound) {
  EXPECT_THAT(CheckTestsHaveSubjects({{"a/x.h", ""},
                                      {"a/x_test.cc", ""},
                                      {"a/x_random_cuts_test.cc", ""},
                                      {"b/x_test.cc", ""},
                                      {"a_b/y_test.cc", ""}}),
              ElementsAre(HasSubstr("a_b/y_test.cc"), HasSubstr("b/x_test.cc")));
}

TEST(BudgetTest, PrivatePlacesAreFound) {
  const std::string slash = "/";
  EXPECT_THAT(CheckNoPrivatePlaces({{"a.md", "see " + slash + "home/someone/x\n"},
                                    {"b.txt", "\n" + slash + "root\n"},
                                    {"c.sh",
                                     "pull registry.gc"
                                     "r.io/x\n"},
                                    {"d.md", "the network, a/root and /rooted, homework\n"}}),
              ElementsAre(HasSubstr("a.md:1"), HasSubstr("b.txt:2"), HasSubstr("c.sh:1")));
}

}  // namespace
}  // namespace culprit::tests
