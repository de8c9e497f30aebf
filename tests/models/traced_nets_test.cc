// SPDX-License-Identifier: Apache-2.0
//
// Small nets that Python traces (tests/python/trace_nets.py), as the program shows and runs them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/run_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

using testing::HasSubstr;
using testing::Not;

class TracedNetsTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    const ProgramRun run = RunProgram({CULPRIT_PYTHON, "tests/python/trace_nets.py", folder_->path()});
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }
  static void TearDownTestSuite() { delete folder_; }

  static ProgramRun Culprit(const std::string& command, const std::string& net,
                            const std::vector<std::string>& more) {
    std::vector<std::string> words = {CULPRIT_PROGRAM, command, *folder_ / (net + ".pt")};
    words.insert(words.end(), more.begin(), more.end());
    return RunProgram(words);
  }
  /// The number of the line in the script that has this text.
  static size_t LineOf(const std::string& text) {
    const std::string script = ReadWholeFile("tests/python/trace_nets.py");
    const size_t at = script.find(text);
    return static_cast<size_t>(
               std::count(script.begin(), script.begin() + static_cast<ptrdiff_t>(at), '\n')) +
           1;
  }

  static inline TemporaryFolder* folder_ = nullptr;
};

TEST_F(TracedNetsTest, SizesAreNumbersOfOneGraph) {
  const ProgramRun run = Culprit("explain", "net", {"--inputs", "f32[2,4,6,6]"});
  EXPECT_THAT(run.out, HasSubstr("net.forward: 1 graph, ")) << run.err;
  EXPECT_THAT(run.out, Not(HasSubstr("lift_fresh_copy")));
}

TEST_F(TracedNetsTest, SizesThatDifferAreSymbols) {
  const ProgramRun run = Culprit("explain", "net", {"--inputs", "f32[?2,4,6,?6]"});
  EXPECT_THAT(run.out, HasSubstr("x is a Float tensor of [s0, 4, 6, s1]")) << run.out << run.err;
  EXPECT_THAT(run.out, Not(HasSubstr("is fixed to"))) << run.out;
}

TEST_F(TracedNetsTest, TheLineOfTheModelAndTheModuleAreNamed) {
  const ProgramRun run =
      Culprit("explain", "net", {"--inputs", "f32[2,4,6,6]", "--graphs", *folder_ / "graphs"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::string graph;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*folder_ / "graphs")) {
    if (entry.is_regular_file() && entry.path().extension() == ".py") graph += ReadWholeFile(entry.path());
  }
  EXPECT_THAT(graph,
              HasSubstr("tests/python/trace_nets.py:" + std::to_string(LineOf("# the line of the conv")) +
                        " in forward, module: blocks.1.conv"));
  EXPECT_THAT(graph, Not(HasSubstr("modules/conv.py")));
  EXPECT_THAT(graph, Not(HasSubstr("File: :0")));
}

TEST_F(TracedNetsTest, AFailureThatNeedsAConstantIsFound) {
  const ProgramRun run =
      Culprit("run", "constant", {"--inputs", "f32[3]", "--backend", "torchscript:stage=freeze"});
  EXPECT_EQ(run.exit_code, 1) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("aten::add"));
}

TEST_F(TracedNetsTest, AFailureThatNeedsAConstantIsHuntedToItsOperator) {
  const ProgramRun run = Culprit(
      "hunt", "constant",
      {"--inputs", "f32[3]", "--backend", "torchscript:stage=freeze", "--json", "--out", *folder_ / "runs"});
  EXPECT_EQ(run.exit_code, 1) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("\"after\": {\n    \"operators\": 1,"));
  EXPECT_THAT(run.out, HasSubstr("\"verified\": true"));
}

}  // namespace
}  // namespace culprit::tests
