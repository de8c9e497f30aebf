// SPDX-License-Identifier: Apache-2.0
//
// Blocks of autocast, which libtorch's own executors turn into casts: beside the module itself, not its plain
// code.
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "tests/capture/captured.h"
#include "tests/lib/run_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

TEST(AutocastTest, BlocksCastAsInTheModuleItself) {
  const TemporaryFolder folder;
  const ProgramRun run = RunProgram({CULPRIT_PYTHON, "tests/python/save_autocast.py", folder / "net.pt"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto model = model::LoadModel(folder / "net.pt");
  ASSERT_TRUE(model.ok()) << model.error().Render();
  const model::Entry entry = *model->FindEntry();
  Coverage coverage;
  for (const float number : {1.0F, -0.5F}) {
    const std::vector<c10::IValue> inputs = {entry.self, at::ones({8, 8}).mul(number)};
    const Observation expected =
        Observe([&](std::vector<c10::IValue> values) { return (*entry.function)(std::move(values)); }, inputs,
                {}, {.no_grad = true});
    const Observation actual = Observe(Captured(entry, coverage), inputs, {}, {.no_grad = true});
    EXPECT_EQ(Differences(expected, actual), "");
    EXPECT_NE(expected.facts.front().first, "exception") << expected.facts.front().second;
  }
  EXPECT_GT(coverage.operators, 8);
  EXPECT_EQ(coverage.internal_errors, "");
}

}  // namespace
}  // namespace culprit::tests
