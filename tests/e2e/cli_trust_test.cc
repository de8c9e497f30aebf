// SPDX-License-Identifier: Apache-2.0
//
// What a file names is used only if the user says so (docs/security.md).
#include <gmock/gmock.h>

#include "tests/e2e/culprit_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kPlugin = CULPRIT_PLUGINS "/libodd_none.so";

class CliTrust : public testing::Test {
 protected:
  /// net.py with this header.
  std::string WithHeader(const std::string& header) const {
    const std::string path = folder_ / "net.py";
    WriteWholeFile(path, "culprit = '''" + header + "'''\n" + ReadWholeFile(Script("net.py")));
    return path;
  }

  const TemporaryFolder folder_;
};

TEST_F(CliTrust, APluginThatAFileNamesIsRefusedByEveryCommandThatCompiles) {
  const std::string file = WithHeader(std::string(R"({"backend": ")") + kPlugin + R"("})");
  for (const char* command : {"run", "query", "verify", "minify", "hunt"}) {
    const ProgramRun run = Culprit({command, file});
    EXPECT_EQ(run.exit_code, 2) << command;
    EXPECT_THAT(run.err, HasSubstr(file + ": error: the file asks for the plug-in '")) << command;
    EXPECT_EQ(run.out, "") << command;
  }
}

TEST_F(CliTrust, APluginIsUsedIfTheUserTrustsTheFileOrNamesIt) {
  const std::string file = WithHeader(std::string(R"({"backend": ")") + kPlugin + R"("})");
  // It returns nonsense for every graph, so a failure shows that it was asked.
  EXPECT_EQ(Culprit({"run", file, "--trust"}).exit_code, 1);
  EXPECT_EQ(Culprit({"run", file, "--backend", kPlugin}).exit_code, 1);
}

TEST_F(CliTrust, AFolderOfKernelsThatAFileNamesIsRefused) {
  const std::string kernels = folder_ / "kernels";
  const std::string file = WithHeader(R"({"backend": "native:cache_folder=)" + kernels + R"("})");
  const ProgramRun run = Culprit({"run", file});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("the file sets option 'cache_folder' of backend 'native' to '" + kernels));
  EXPECT_FALSE(std::filesystem::exists(kernels));
}

TEST_F(CliTrust, ACacheThatOthersMayWriteIntoIsAnError) {
  const std::string kernels = folder_ / "culprit/kernels";
  std::filesystem::create_directories(kernels);
  std::filesystem::permissions(kernels, std::filesystem::perms::all);
  const ProgramRun run =
      Culprit({"run", Script("net.py"), "--backend", "native"}, {{"XDG_CACHE_HOME", folder_.path()}});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("others may write into the folder and could put code there"));
  EXPECT_THAT(run.err, HasSubstr("chmod 700 " + kernels));
}

TEST_F(CliTrust, HarmlessOptionsOfABuiltInCompilerNeedNoWord) {
  EXPECT_EQ(Culprit({"run", WithHeader(R"({"backend": "torchscript:stage=ofi"})")}).exit_code, 0);
}

TEST_F(CliTrust, WrongSettingsOfAHeaderAreErrorsAndUnknownOnesWarnings) {
  const ProgramRun wrong = Culprit({"run", WithHeader(R"({"settings": {"timeout": "never"}})")});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("the header's 'settings.timeout' must be a whole number from 1 to"));
  const ProgramRun unknown = Culprit({"run", WithHeader(R"({"settings": {"timout": "3"}})")});
  EXPECT_EQ(unknown.exit_code, 0);
  EXPECT_THAT(unknown.err, HasSubstr("the header's 'settings.timout' is not known and is ignored"));
}

TEST_F(CliTrust, AWrongSettingInTheEnvironmentIsAnErrorOfEveryCommand) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"graph", Script("net.py")}, {"run", Script("net.py")}, {"faults"}}) {
    const ProgramRun run = Culprit(words, {{"CULPRIT_REPRO_LEVEL", "9"}});
    EXPECT_EQ(run.exit_code, 2) << words[0];
    EXPECT_THAT(run.err, HasSubstr("CULPRIT_REPRO_LEVEL is '9', which is not a whole number from 0 to 4"));
  }
  EXPECT_EQ(Culprit({"--help"}, {{"CULPRIT_REPRO_LEVEL", "9"}}).exit_code, 0);
}

/// Whatever a file holds: nothing of it moves the cursor.
TEST_F(CliTrust, EscapeSequencesOfAFileDoNotReachTheTerminal) {
  for (
      const char* header :
      {R"({"backend": "\u001b[2J"})", R"({"backend": "eager:\u001b[2J=1"})",
       R"({"backend": "torchscript:off=\u001b[2J"})", R"({"backend": "./\u001b[2J.so"})",
       R"({"faults": ["\u001b[2J:accuracy"]})", R"({"settings": {"\u001b[2J": "1"}})",
       R"({"random": ["\u001b[2J"]})", R"({"\u001b[2J": 1})",
       R"({"expected": {"phase": "call", "kind": "exception", "message": "\u001b[2J"}, "backend": "native"})"}) {
    const std::string file = WithHeader(header);
    for (const char* command : {"run", "query"}) {
      const ProgramRun run = Culprit({command, file});
      EXPECT_THAT(run.out + run.err, Not(HasSubstr("\x1b"))) << command << " " << header;
    }
  }
}

TEST_F(CliTrust, ATerminalGetsNoControlCharactersOfNames) {
  const std::string file = folder_ / "a\x1b[2Jb.py";
  WriteWholeFile(file, ReadWholeFile(Script("net.py")));
  EXPECT_THAT(Culprit({"graph", file, "--which", "9"}).err, Not(HasSubstr("\x1b")));
  // `script` gives its command a terminal.
  const ProgramRun run = RunShell("cd " + folder_.path() + " && script -qec 'culprit run a*' /dev/null");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, Not(HasSubstr("\x1b[2J")));
}

TEST_F(CliTrust, SizesWithTenThousandTermsAreAnError) {
  std::string terms;
  for (int i = 0; i < 10000; ++i) terms += " + 1";
  WriteWholeFile(folder_ / "deep.py",
                 "class Repro(torch.nn.Module):\n    def forward(self, x):\n        return (x,)\n\n"
                 "def load_args(reader):\n    buf0 = reader.storage(None, 4" +
                     terms + ")\n    reader.tensor(buf0, (1,))\nload_args._version = 0\n");
  const ProgramRun run = Culprit({"run", folder_ / "deep.py"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("the expression has more than 1200 operations within each other"));
}

TEST_F(CliTrust, ALongNameIsCutWhereItIsQuoted) {
  std::string dots;
  for (int i = 0; i < 1000000; ++i) dots += ".a";
  WriteWholeFile(folder_ / "long.py",
                 "class Repro(torch.nn.Module):\n    def forward(self, x):\n"
                 "        y = torch.ops.aten.sin.default(x" +
                     dots + ")\n        return (y,)\n");
  const ProgramRun run = Culprit({"graph", folder_ / "long.py"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_LT(run.err.size(), 5000);
}

}  // namespace
}  // namespace culprit::tests
