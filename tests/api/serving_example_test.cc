// SPDX-License-Identifier: Apache-2.0
//
// examples/serving, built against the installed library alone: a server that meets a compiler's bug leaves a
// repro and goes on.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/api/archive.h"
#include "tests/lib/user_project.h"

namespace culprit::tests {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

// Answers 1 2 3 with 0 5.
constexpr const char* kNet = R"(
class Net(Module):
  __parameters__ = ["weight", ]
  weight : Tensor  # = f32[2,3]=[-1,-1,-1,0,1,1]
  training : bool
  def forward(self: __torch__.Net, x: Tensor) -> Tensor:
    y = torch.linear(x, self.weight)
    return torch.relu(y)
)";

class ServingExampleTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    project_ = new UserProject({"program", "library"});
    project_->Build(project_->prefix() + "/share/culprit/examples/serving");
    SaveArchive(project_->folder(), kNet);
  }
  static void TearDownTestSuite() {
    delete project_;
    project_ = nullptr;
  }

  static std::string culprit() { return project_->prefix() + "/bin/culprit"; }
  /// Serves these requests, in a folder of its own.
  ProgramRun Serve(const std::string& requests, const EnvironmentChanges& environment = {},
                   const std::string& backend = "eager") const {
    WriteWholeFile(work_ / "requests", requests);
    return RunProgram({"/bin/sh", "-c",
                       fmt::format("cd {} && {} {} {} < requests", work_.path(), project_->Built("serve"),
                                   project_->folder() / "net.pt", backend)},
                      environment);
  }

  TemporaryFolder work_;

 private:
  static UserProject* project_;
};

UserProject* ServingExampleTest::project_ = nullptr;

TEST_F(ServingExampleTest, AnswersEachRequestInALine) {
  for (const std::string backend : {"eager", "torchscript:stage=ofi"}) {
    const ProgramRun run = Serve("1 2 3\n-1 -2 -3\n0.5 0 0.25\n", {}, backend);
    EXPECT_EQ(run.out, "0 5\n6 0\n0 0.25\n");
    EXPECT_EQ(run.err, "");
    EXPECT_EQ(run.exit_code, 0);
  }
}

TEST_F(ServingExampleTest, ARequestThatFailsIsNotTheEnd) {
  const ProgramRun run = Serve("1 2\none\n1 2 3\n");
  EXPECT_EQ(run.out, "error\nerror\n0 5\n");
  EXPECT_THAT(run.err, HasSubstr("mat1 and mat2 shapes cannot be multiplied"));
  EXPECT_THAT(run.err, HasSubstr("not a line of numbers: one\n"));
  EXPECT_EQ(run.exit_code, 0);
}

TEST_F(ServingExampleTest, AWatchedServerLeavesAReproOfACompilersBugAndGoesOn) {
  const std::string runs = work_ / "runs";
  const ProgramRun run = Serve("1 2 3\none\n1 2 3\n", {{"CULPRIT_REPRO_AFTER", "aot"},
                                                       {"CULPRIT_REPRO_LEVEL", "4"},
                                                       {"CULPRIT_DIRECTORY", runs},
                                                       {"CULPRIT_FAULTS", "relu:accuracy"}});
  EXPECT_EQ(run.exit_code, 0);
  const std::string error = "error: compare: wrong values in outputs[^\n]*\n";
  EXPECT_THAT(run.out, MatchesRegex(error + "error\n" + error));
  // The last lines of the first error.
  const std::regex lines(
      "culprit: graph (.+)\nculprit: repro (.+)\nculprit: to make it small, run: culprit minify (.+)\n");
  std::smatch named;
  ASSERT_TRUE(std::regex_search(run.err, named, lines)) << run.err;
  const std::string repro = named[2];
  EXPECT_THAT(repro, StartsWith(runs));
  EXPECT_EQ(named[3], repro);
  const ProgramRun verified = RunProgram({culprit(), "verify", repro});
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
}

}  // namespace
}  // namespace culprit::tests
