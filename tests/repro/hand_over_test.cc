// SPDX-License-Identifier: Apache-2.0
//
// The main part of a repro hands over to PyTorch's run_repro.
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "repro/write_repro.h"
#include "tests/lib/graph_builder.h"
#include "tests/lib/run_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

TEST(HandOver, TheReaderOfPyTorchGetsTheSameArguments) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x"), y = g.Placeholder("y"),
                       c = g.Constant("c", at::randn({40, 40}));
  g.Return({g.Call("aten::mm", {g.Call("aten::mm", {x, y}), c})});
  const TemporaryFolder folder;
  const std::string path = folder / "repro.py";
  // One small enough for the text, one in the store, and a constant in the store.
  const auto written =
      repro::WriteRepro(path, {g.graph(), {at::randn({5, 4}).t(), at::randn({5, 400}).narrow(1, 7, 40)}, {}});
  ASSERT_TRUE(written.ok()) << written.error().message;
  const ProgramRun run = RunProgram({CULPRIT_PYTHON, "tests/python/hand_over.py", path});
  EXPECT_EQ(run.out, "run False None real None False\nsame\n") << run.err;
}

TEST(HandOver, PyTorchJudgesAsTheFileSays) {
  TestGraph g;
  g.Return({g.Call("aten::relu", {g.Placeholder("x")})});
  repro::Repro repro{g.graph(), {at::randn({5})}, {}};
  const TemporaryFolder folder;
  const std::string path = folder / "repro.py";
  for (const auto& [accuracy, handed] : {std::pair(repro::Accuracy::kOn, "accuracy"),
                                         std::pair(repro::Accuracy::kStrict, "strict_accuracy")}) {
    repro.header.accuracy = accuracy;
    const auto written = repro::WriteRepro(path, repro);
    ASSERT_TRUE(written.ok()) << written.error().message;
    const ProgramRun run = RunProgram({CULPRIT_PYTHON, "tests/python/hand_over.py", path});
    EXPECT_EQ(run.out, std::string("run ") + handed + " None real None False\nsame\n") << run.err;
  }
}

// A compiled sum of 1,000 numbers that is right: PyTorch compares, and has nothing to say about it.
TEST(HandOver, PyTorchCompilesAndComparesIt) {
  TestGraph g;
  g.Return({g.Call("aten::sum", {g.Call("aten::sin", {g.Placeholder("x")})})});
  repro::Repro repro{g.graph(), {at::randn({1000})}, {}};
  repro.header.accuracy = repro::Accuracy::kStrict;
  const TemporaryFolder folder;
  const std::string path = folder / "repro.py";
  ASSERT_TRUE(repro::WriteRepro(path, repro).ok());
  const ProgramRun run = RunProgram({CULPRIT_PYTHON, path}, {{"TORCHINDUCTOR_CACHE_DIR", folder / "cache"}});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "cache")) << "nothing was compiled";
}

}  // namespace
}  // namespace culprit::tests
