// SPDX-License-Identifier: Apache-2.0
//
// A file of another kind than the command is about: the error says what it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/culprit_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

using testing::StartsWith;

constexpr const char* kNet = "examples/04_model/net.torchscript";

class CliFileKinds : public testing::Test {
 protected:
  TemporaryFolder folder_;
};

TEST_F(CliFileKinds, AGraphIsNoModel) {
  const std::string net = "examples/01_first_graph/net.py";
  for (const char* command : {"explain", "run"}) {
    ExpectRefused({command, net, "--inputs", "f32[2]"},
                  net +
                      ": error: is a script with a graph, where a TorchScript model is expected\n"
                      "  note: --inputs, --method, --disable and --train are about models\n"
                      "  help: to see the graph, run: culprit graph " +
                      net + "\n");
  }
}

TEST_F(CliFileKinds, AModelIsNoGraph) {
  for (const char* command : {"graph", "run", "verify", "query"}) {
    const ProgramRun run = Culprit({command, kNet});
    EXPECT_EQ(run.exit_code, 2) << command;
    EXPECT_EQ(run.err,
              std::string(kNet) +
                  ": error: is the text of a TorchScript model, where a script with a graph is expected\n"
                  "  note: explain, run and hunt take models, with --inputs for each argument of the call\n"
                  "  help: to see its graphs, run: culprit explain " +
                  kNet + " --inputs f32[1,3,224,224]\n")
        << command;
  }
}

TEST_F(CliFileKinds, AnArchiveIsNoGraph) {
  const std::string archive = folder_ / "net.pt";
  ASSERT_EQ(RunProgram({CULPRIT_PYTHON, "-c",
                        "import torch; torch.jit.script(torch.nn.Linear(2, 2)).save('" + archive + "')"})
                .exit_code,
            0);
  const std::string error = archive +
                            ": error: is a TorchScript archive, where a script with a graph is expected\n"
                            "  help: to see its graphs, run: culprit explain " +
                            archive + " --inputs f32[1,3,224,224]\n";
  ExpectRefused({"graph", archive}, error);
  ExpectRefused({"convert", archive, "--to", "cpp"}, error);
  ExpectRefused({"verify", archive}, error);
  ExpectRefused({"minify", archive, "--backend", "torchscript"}, error);
}

TEST_F(CliFileKinds, FilesOfOtherKindsAreNamed) {
  const std::string expected = ", where a script with a graph is expected\n";
  const auto told = [&](const std::string& contents) {
    const std::string file = folder_ / "file";
    WriteWholeFile(file, contents);
    const ProgramRun run = Culprit({"graph", file});
    EXPECT_EQ(run.exit_code, 2);
    return run.err.substr(file.size(), run.err.find('\n') + 1 - file.size());
  };
  EXPECT_EQ(told("\x1f\x8b\x08 and more"), ": error: is compressed with gzip" + expected);
  EXPECT_EQ(told("\x80\x04 and more"), ": error: is a pickle of Python" + expected);
  EXPECT_EQ(told("\x08\x07\x12\x07pytorch"), ": error: is an ONNX model" + expected);
  EXPECT_EQ(told("PK\x03\x04 and no end"), ": error: is a broken zip archive" + expected);
  ExpectRefused({"graph", "src"}, "src: error: is a folder" + expected + "  help: name a file in it\n");
  const ProgramRun piped = RunShell("printf '\\037\\213\\010' | culprit graph -");
  EXPECT_EQ(piped.exit_code, 2);
  EXPECT_THAT(piped.err, StartsWith("<stdin>: error: is compressed with gzip" + expected));
}

}  // namespace
}  // namespace culprit::tests
