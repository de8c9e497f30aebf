// SPDX-License-Identifier: Apache-2.0
//
// find_package(culprit), with all parts of Culprit installed or some of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/lib/user_project.h"

namespace culprit::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

/// Lets a project look for Culprit and print "targets:" with those that it finds.
ProgramRun Find(const UserProject& project, const std::string& arguments,
                const std::vector<std::string>& options = {}) {
  const std::string source = project.folder() / "source";
  std::filesystem::create_directories(source);
  WriteWholeFile(source + "/CMakeLists.txt",
                 "cmake_minimum_required(VERSION 3.16)\n"
                 "project(user LANGUAGES CXX)\n"
                 "find_package(culprit " +
                     arguments +
                     ")\n"
                     "set(found targets:)\n"
                     "foreach(name culprit::plugin culprit::culprit)\n"
                     "  if(TARGET ${name})\n"
                     "    string(APPEND found \" ${name}\")\n"
                     "  endif()\n"
                     "endforeach()\n"
                     "message(STATUS \"${found}\")\n");
  ProgramRun run = project.Configure(source, options);
  // CMake breaks the lines of errors.
  run.err = std::regex_replace(run.err, std::regex("\\s+"), " ");
  return run;
}

TEST(PackageTest, ThePluginAloneIsAPackageThatNeedsNoLibtorch) {
  const UserProject project({"plugin"});
  for (const char* arguments : {"REQUIRED", "0.1 REQUIRED COMPONENTS plugin"}) {
    const ProgramRun run = Find(project, arguments, {"-Dculprit_TORCH=nowhere"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("-- targets: culprit::plugin\n"));
  }
}

TEST(PackageTest, TheLibraryAloneHasTheHeadersOfPrograms) {
  const UserProject project({"library"});
  EXPECT_THAT(NamesIn(project.prefix() + "/include/culprit"), IsSupersetOf({"compile.h", "errors.h"}));
  EXPECT_THAT(NamesIn(project.prefix() + "/include/culprit"), Not(testing::Contains("backend.h")));
  EXPECT_THAT(Find(project, "REQUIRED").out, HasSubstr("-- targets: culprit::culprit\n"));
}

TEST(PackageTest, AComponentThatIsNotInstalledIsAnErrorThatNamesIt) {
  const UserProject project({"plugin"});
  const ProgramRun run = Find(project, "REQUIRED COMPONENTS plugin library");
  EXPECT_NE(run.exit_code, 0);
  EXPECT_THAT(run.err, HasSubstr("component 'library': it is not installed in"));
  EXPECT_THAT(run.err, Not(HasSubstr("component 'plugin'")));
  EXPECT_EQ(Find(project, "REQUIRED COMPONENTS plugin OPTIONAL_COMPONENTS library").exit_code, 0);
}

TEST(PackageTest, AnUnknownComponentIsAnErrorThatListsThem) {
  const UserProject project({"plugin"});
  const ProgramRun run = Find(project, "REQUIRED COMPONENTS libary");
  EXPECT_NE(run.exit_code, 0);
  EXPECT_THAT(run.err,
              HasSubstr("component 'libary': there is no such component; there are plugin and library"));
}

TEST(PackageTest, WithoutLibtorchTheLibraryIsMissedAndThePluginIsThere) {
  const UserProject project({"plugin", "library"});
  const std::vector<std::string> without_torch = {"-Dculprit_TORCH=nowhere"};
  const ProgramRun any = Find(project, "REQUIRED", without_torch);
  EXPECT_EQ(any.exit_code, 0) << any.err;
  EXPECT_THAT(any.out, HasSubstr("there is no target culprit::culprit, since libtorch was not found"));
  EXPECT_THAT(any.out, HasSubstr("-- targets: culprit::plugin\n"));
  const ProgramRun library = Find(project, "REQUIRED COMPONENTS library", without_torch);
  EXPECT_NE(library.exit_code, 0);
  EXPECT_THAT(library.err, HasSubstr("libtorch was not found: set culprit_TORCH to the folder of PyTorch"));
}

TEST(PackageTest, AllOfItIsOnePackage) {
  const UserProject project({"program", "plugin", "library"});
  EXPECT_THAT(Find(project, "REQUIRED").out, HasSubstr("-- targets: culprit::plugin culprit::culprit\n"));
  EXPECT_THAT(NamesIn(project.prefix() + "/lib/cmake"), ElementsAre("culprit"));
  EXPECT_THAT(RunProgram({project.prefix() + "/bin/culprit", "--version"}).out, HasSubstr("culprit "));
}

TEST(PackageTest, TheLibraryNeedsNothingElseOfTheProject) {
  const UserProject project({"library"});
  const ProgramRun run = RunProgram({"/usr/bin/ldd", project.prefix() + "/lib/libculprit.so"});
  EXPECT_THAT(run.out, HasSubstr("libtorch_cpu.so"));
  EXPECT_THAT(run.out, Not(HasSubstr("not found")));
  EXPECT_THAT(run.out, Not(HasSubstr("libculprit")));
}

// What `make install` does is what the tests above do; this is that it does it.
TEST(PackageTest, MakeInstallsAllPartsBelowAPrefix) {
  const ProgramRun run =
      RunProgram({"/usr/bin/make", "--dry-run", "install", "PREFIX=/opt/culprit", "DESTDIR=/image"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("for component in program plugin library"));
  EXPECT_THAT(run.out, HasSubstr("DESTDIR='/image' cmake --install build/release --prefix '/opt/culprit'"));
}

}  // namespace
}  // namespace culprit::tests
