// SPDX-License-Identifier: Apache-2.0
//
// A program that is trained by four threads while both points are watched at level 4: nothing fails, nothing
// is left behind, and no memory either.
#include <ATen/ops/rand.h>
#include <culprit/compile.h>
#include <culprit/config.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/frontend/resolver.h>
#include <torch/csrc/jit/serialization/import_source.h>

#include <thread>

#include "tests/lib/process_census.h"
#include "tests/lib/temporary_folder.h"
#include "tests/lib/volume.h"
#include "tests/watch/memory_slope.h"

namespace culprit::tests {
namespace {

constexpr const char* kNet = R"(
def net(x, weight):
    return torch.relu(torch.matmul(x, weight))
)";

void Train(const CompiledFunction& net, int steps) {
  for (int i = 0; i < steps; ++i) {
    // Checks of other threads change the default.
    const at::Tensor x = at::rand({3, 4}, at::kFloat).sub(0.5);
    const at::Tensor weight = at::rand({4, 4}, at::kFloat).sub(0.5).set_requires_grad(true);
    net({x, weight}).toTensor().sum().backward();
    const at::Tensor passed = x.matmul(weight.detach()).gt(0).to(at::kFloat);
    EXPECT_TRUE(weight.grad().allclose(x.t().matmul(passed)));
  }
}

void TrainInThreads(const CompiledFunction& net, int steps) {
  constexpr int kThreads = 4;
  std::vector<std::jthread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back([&] { Train(net, steps / kThreads); });
}

TEST(WatchSoakTest, TrainingAtLevel4LeavesNothingBehind) {
  constexpr size_t kParts = 8;
  const int steps = Volume(/*sample=*/80, /*full=*/2000);
  const TemporaryFolder folder;
  const config::Patch patch({{"repro_after", "auto"}, {"repro_level", "4"}, {"directory", folder / "runs"}});
  torch::jit::CompilationUnit unit;
  unit.define(std::nullopt, kNet, torch::jit::nativeResolver(), nullptr);
  const auto net = Compile(unit.get_function("net"), {.backend = "aot-eager"});
  TrainInThreads(net, 2 * steps);
  const Census before = SettledCensus();
  std::vector<double> memory;
  while (memory.size() < kParts) {
    TrainInThreads(net, steps);
    memory.push_back(ResidentMemory());
  }
  const Census after = SettledCensus();
  EXPECT_EQ(after.descriptors, before.descriptors);
  EXPECT_EQ(after.threads, before.threads);
  ExpectNoSlope(memory, steps);
  EXPECT_EQ(net.counters().failures, 0U);
  EXPECT_GE(net.counters().checked, static_cast<size_t>(kParts * steps));
  EXPECT_EQ(NamesIn(folder.path()), std::set<std::string>{});
}

}  // namespace
}  // namespace culprit::tests
