// SPDX-License-Identifier: Apache-2.0
//
// examples/ranks, built against the installed library alone: processes that are started with one command.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "tests/lib/user_project.h"

namespace culprit::tests {
namespace {

using testing::ElementsAre;

class RanksExampleTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    project_ = new UserProject({"program", "library"});
    project_->Build(project_->prefix() + "/share/culprit/examples/ranks");
  }
  static void TearDownTestSuite() {
    delete project_;
    project_ = nullptr;
  }

  static ProgramRun Start(int size, const std::vector<std::string>& arguments = {}) {
    std::vector<std::string> command = {project_->prefix() + "/share/culprit/examples/ranks/start",
                                        std::to_string(size), project_->Built("ranks")};
    command.insert(command.end(), arguments.begin(), arguments.end());
    // Whoever tests two builds at the same time.
    return RunProgram(command, {{"MASTER_PORT", std::to_string(20000 + getpid() % 10000)}});
  }
  static std::vector<std::string> Lines(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    std::ranges::sort(lines);
    return lines;
  }
  static UserProject* project_;
};

UserProject* RanksExampleTest::project_ = nullptr;

TEST_F(RanksExampleTest, RanksWithDifferentBatchesCompileOneGraph) {
  const ProgramRun two = Start(2);
  EXPECT_THAT(Lines(two.out), ElementsAre("rank 0 of 2: batches of 2, 5 and 8, 1 graph",
                                          "rank 1 of 2: batches of 3, 6 and 9, 1 graph"));
  EXPECT_EQ(two.err, "");
  EXPECT_EQ(two.exit_code, 0);
  const ProgramRun four = Start(4);
  EXPECT_THAT(Lines(four.out), ElementsAre("rank 0 of 4: batches of 2, 5 and 8, 1 graph",
                                           "rank 1 of 4: batches of 3, 6 and 9, 1 graph",
                                           "rank 2 of 4: batches of 4, 7 and 10, 1 graph",
                                           "rank 3 of 4: batches of 5, 8 and 11, 1 graph"));
  EXPECT_EQ(four.exit_code, 0) << four.err;
}

TEST_F(RanksExampleTest, RanksThatDifferHearItBoth) {
  const ProgramRun run = Start(2, {"odd"});
  const std::string error =
      "net: from its beginning: error: ranks 0 and 1 differ: x is a Float tensor on rank 0 and a Double "
      "tensor "
      "on rank 1\n  help: run the same program on all ranks, with inputs that differ in sizes and numbers "
      "only\n";
  EXPECT_EQ(run.err, error + error);
  EXPECT_EQ(run.exit_code, 1);
}

TEST_F(RanksExampleTest, WrongUsage) {
  const ProgramRun run = RunProgram({project_->prefix() + "/share/culprit/examples/ranks/start"});
  EXPECT_EQ(run.err, "usage: start N PROGRAM [ARGUMENT...]\n");
  EXPECT_EQ(run.exit_code, 2);
}

TEST_F(RanksExampleTest, ANumberOfRanksThatIsNone) {
  for (const std::string size : {"x", "0", "-2", ""}) {
    const ProgramRun run =
        RunProgram({project_->prefix() + "/share/culprit/examples/ranks/start", size, "true"});
    EXPECT_EQ(run.err, "start: '" + size + "' is no number of ranks\n");
    EXPECT_EQ(run.exit_code, 2);
  }
}

}  // namespace
}  // namespace culprit::tests
