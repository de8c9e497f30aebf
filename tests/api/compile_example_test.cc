// SPDX-License-Identifier: Apache-2.0
//
// Does as a user does who compiles models in a C++ program: installs Culprit's library, builds
// examples/compile against that and libtorch alone, and runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include "model/load_model.h"
#include "tests/lib/run_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ProgramRun RunOrFail(const std::vector<std::string>& command) {
  const ProgramRun run = RunProgram(command);
  EXPECT_EQ(run.exit_code, 0) << command[0] << " fails:\n" << run.out << run.err;
  return run;
}

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
  const TemporaryFolder folder;
  const std::string prefix = folder / "prefix";
  RunOrFail({CULPRIT_CMAKE, "--install", CULPRIT_BUILD_FOLDER, "--prefix", prefix, "--component", "library"});
  EXPECT_THAT(NamesIn(prefix + "/include/culprit"), ElementsAre("compile.h"));
  RunOrFail({CULPRIT_CMAKE, "-S", prefix + "/share/culprit/examples/compile", "-B", folder / "build",
             "-DCMAKE_PREFIX_PATH=" + prefix, "-DCMAKE_CXX_COMPILER=" CULPRIT_COMPILER,
             "-DCMAKE_CXX_FLAGS=-Wall -Wextra"});
  RunOrFail({CULPRIT_CMAKE, "--build", folder / "build"});
  WriteWholeFile(folder / "net.py", kNet);
  const auto model = model::LoadModel(folder / "net.py");
  ASSERT_TRUE(model.ok()) << model.error().Render();
  model->module()->save(folder / "net.pt");
  for (const std::string backend : {"eager", "torchscript:stage=ofi"}) {
    EXPECT_EQ(RunOrFail({folder / "build/compile_model", folder / "net.pt", backend}).out,
              "1 graph, 2 operators, the same numbers\n");
  }
  const ProgramRun wrong = RunProgram({folder / "build/compile_model", folder / "net.pt", "torchscrpt"});
  EXPECT_THAT(wrong.err, HasSubstr("torchscript"));
}

}  // namespace
}  // namespace culprit::tests
