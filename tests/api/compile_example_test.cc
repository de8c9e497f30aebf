// SPDX-License-Identifier: Apache-2.0
//
// examples/compile, built against the installed library and libtorch alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/api/archive.h"
#include "tests/lib/user_project.h"

namespace culprit::tests {
namespace {

using testing::HasSubstr;

constexpr const char* kNet = R"(
class Net(Module):
  __parameters__ = ["weight", ]
  weight : Tensor  # = f32[4,3]:grad
  training : bool
  def forward(self: __torch__.Net, x: Tensor) -> Tensor:
    y = torch.linear(x, self.weight)
    return torch.relu(y)
)";

TEST(CompileExampleTest, BuildsAgainstWhatIsInstalledAndComputesTheSame) {
  const UserProject project({"library"});
  project.Build(project.prefix() + "/share/culprit/examples/compile");
  const std::string program = project.Built("compile_model");
  const std::string net = SaveArchive(project.folder(), kNet);
  for (const std::string backend : {"eager", "torchscript:stage=ofi"}) {
    const ProgramRun run = RunProgram({program, net, backend});
    EXPECT_EQ(run.out, "1 graph, 2 operators, the same numbers\n") << run.err;
    EXPECT_EQ(run.exit_code, 0);
  }
  EXPECT_THAT(RunProgram({program, net, "torchscrpt"}).err, HasSubstr("torchscript"));
}

}  // namespace
}  // namespace culprit::tests
