// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/culprit_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

using testing::HasSubstr;

TEST(CliConvertTest, CppWritesAProjectAndSaysHowToRunIt) {
  const TemporaryFolder folder;
  const std::string project = folder / "project";
  const ProgramRun run = Culprit({"convert", Script("net.py"), "--to", "cpp", "--output", project});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, "Wrote " + project + "/main.cc and " + project +
                         "/CMakeLists.txt\n"
                         "The data of these was not kept; they hold random numbers: x, w\n"
                         "To run it: cmake -S " +
                         project + " -B " + project + "/build && cmake --build " + project + "/build && " +
                         project + "/build/repro\n");
  EXPECT_EQ(NamesIn(project), (std::set<std::string>{"CMakeLists.txt", "main.cc"}));
}

TEST(CliConvertTest, PythonWritesAReproThatOpensAgain) {
  const TemporaryFolder folder;
  const ProgramRun run =
      Culprit({"convert", Script("net.py"), "--to", "python", "--output", folder / "repro"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("To run it: culprit run " + (folder / "repro/repro.py")));
  EXPECT_EQ(Culprit({"graph", folder / "repro/repro.py"}).exit_code, 0);
}

TEST(CliConvertTest, AFolderWithSomethingInItIsLeftAlone) {
  const TemporaryFolder folder;
  WriteWholeFile(folder / "notes", "mine");
  ExpectRefused({"convert", Script("net.py"), "--to", "cpp", "--output", folder.path()},
                folder.path() +
                    ": error: exists already, and is not an empty folder\n"
                    "  help: to write to another folder, add: --output DIR\n");
  EXPECT_EQ(NamesIn(folder.path()), std::set<std::string>{"notes"});
}

}  // namespace
}  // namespace culprit::tests
