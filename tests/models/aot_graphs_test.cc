// SPDX-License-Identifier: Apache-2.0
//
// Graphs that PyTorch's own AOTAutograd makes of models, in the files that PyTorch writes.
#include <gtest/gtest.h>

#include "tests/lib/run_program.h"
#include "tests/lib/temporary_folder.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

std::vector<std::string> Models() {
  if (!FullVolume()) return {"hf_gpt2", "hf_llama", "hf_vit"};
  return {"hf_bert",   "hf_convnext", "hf_gpt2", "hf_llama", "hf_regnet",
          "hf_resnet", "hf_swin",     "hf_t5",   "hf_vit",   "hf_whisper"};
}

TEST(AotGraphsTest, RunWithEveryCompilerForwardAndBackward) {
  const TemporaryFolder folder;
  std::vector<std::string> make = {CULPRIT_PYTHON, "tests/fixtures/make_aot_graphs.py", folder.path()};
  for (const std::string& model : Models()) make.push_back(model);
  const ProgramRun made = RunProgram(make);
  ASSERT_EQ(made.exit_code, 0) << made.err;
  for (const std::string& model : Models()) {
    for (const char* part : {"forward", "backward", "inference"}) {
      const std::string stem = folder / (model + "_" + part);
      for (const char* backend : {"eager", "aot-eager", "native"}) {
        const ProgramRun run =
            RunProgram({CULPRIT_PROGRAM, "run", stem + ".py", "--store", stem, "--backend", backend});
        EXPECT_EQ(run.exit_code, 0) << stem << " with " << backend << ":\n" << run.out << run.err;
      }
    }
  }
}

}  // namespace
}  // namespace culprit::tests
