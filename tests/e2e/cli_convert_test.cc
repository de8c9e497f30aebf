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
                         "To run it:\n"
                         "  cmake -S " +
                         project + " -B " + project + "/build\n  cmake --build " + project + "/build\n  " +
                         project + "/build/repro\n");
  EXPECT_EQ(NamesIn(project), (std::set<std::string>{"CMakeLists.txt", "main.cc"}));
}

TEST(CliConvertTest, PythonWritesAReproThatOpensAgain) {
  const TemporaryFolder folder;
  const ProgramRun run =
      Culprit({"convert", Script("net.py"), "--to", "python", "--output", folder / "repro"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("To run it, one of:\n  culprit run " + (folder / "repro/repro.py")));
  EXPECT_EQ(Culprit({"graph", folder / "repro/repro.py"}).exit_code, 0);
}

// Converts to Python; returns the text of the script.
std::string ToPython(const std::string& file, const std::string& folder,
                     const std::vector<std::string>& options = {}) {
  std::vector<std::string> arguments = {"convert", file, "--to", "python", "--output", folder};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const ProgramRun run = Culprit(arguments);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return ReadWholeFile(folder + "/repro.py");
}

TEST(CliConvertTest, AReproIsWrittenTheSameAgain) {
  const TemporaryFolder folder;
  const std::string text = ToPython(Script("net.py"), folder / "a");
  EXPECT_THAT(text, HasSubstr("\"threads\": "));
  EXPECT_THAT(text, HasSubstr("\"written_by\": "));
  EXPECT_EQ(ToPython(folder / "a/repro.py", folder / "b"), text);
}

TEST(CliConvertTest, ThreadsThatTheFileNamesStay) {
  const TemporaryFolder folder;
  std::string text = ToPython(Script("net.py"), folder / "a", {"--stable-output"});
  const std::string backend = "\"backend\": \"eager\"";
  text.replace(text.find(backend), backend.size(), backend + ", \"run\": {\"threads\": 77}");
  WriteWholeFile(folder / "a/repro.py", text);
  EXPECT_THAT(ToPython(folder / "a/repro.py", folder / "b"), HasSubstr("\"threads\": 77"));
}

TEST(CliConvertTest, StableOutputNamesNoMachine) {
  const TemporaryFolder folder;
  const std::string text = ToPython(Script("net.py"), folder / "a", {"--stable-output"});
  EXPECT_THAT(text, testing::Not(HasSubstr("written_by")));
  EXPECT_THAT(text, testing::Not(HasSubstr("\"threads\"")));
  EXPECT_EQ(ToPython(folder / "a/repro.py", folder / "b", {"--stable-output"}), text);
}

TEST(CliConvertTest, WithoutDataTheFileSaysWhatIsDrawn) {
  const TemporaryFolder folder;
  const std::string text = ToPython(Script("net.py"), folder / "a", {"--no-data"});
  EXPECT_THAT(text, HasSubstr("torch.randn(8, dtype=torch.float32, generator=seeded(1))"));
  EXPECT_EQ(NamesIn(folder / "a"), std::set<std::string>{"repro.py"});
  EXPECT_EQ(ToPython(folder / "a/repro.py", folder / "b", {"--no-data"}), text);
  const ProgramRun run = Culprit({"run", folder / "a/repro.py"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "note: the file does not hold the data of x, w; these are random numbers\n");
}

constexpr std::string_view kOpaqueInput =
    "class Repro:\n"
    "    def forward(self, x, state):\n"
    "        add = torch.ops.aten.add.Tensor(x, state)\n"
    "        return (add,)\n"
    "def load_args(reader):\n"
    "    buf0 = reader.storage(None, 4)\n"
    "    reader.tensor(buf0, (1,))\n"
    "    reader.opaque('BackwardState')\n"
    "load_args._version = 0\n";

TEST(CliConvertTest, AnInputThatCouldNotBeRecordedIsOneSentence) {
  const TemporaryFolder folder;
  const std::string file = folder / "net.py";
  WriteWholeFile(file, std::string(kOpaqueInput));
  const std::string sentence = file +
                               ": error: input 'state' is of a kind that could not be recorded "
                               "(BackwardState), and the graph needs it\n";
  ExpectRefused({"run", file}, sentence);
  ExpectRefused({"convert", file, "--to", "python", "--output", folder / "out"}, sentence);
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
