// SPDX-License-Identifier: Apache-2.0
//
// Steps of training: with the graphs that autograd makes, run operator by operator, losses, gradients and
// buffers are those of the module itself, to the last bit.
#include <ATen/Context.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/serialization/import.h>

#include "culprit/compile.h"
#include "graph/graph.h"
#include "tests/models/torchvision_models.h"

namespace culprit::tests {
namespace {

struct Example {
  std::string model;
  std::vector<int64_t> sizes;
  bool autocast = false;
  /// Every other parameter requires no gradient.
  bool mixed = false;
};

using Forward = std::function<c10::IValue(std::vector<c10::IValue>)>;

at::Tensor LossOf(const c10::IValue& result, const at::Tensor& target) {
  if (result.isTensor()) return at::cross_entropy_loss(result.toTensor().to(at::kFloat), target);
  at::Tensor loss;
  for (const c10::IValue& part : result.toTupleRef().elements()) {
    if (part.isNone()) continue;
    const at::Tensor each = LossOf(part, target);
    loss = loss.defined() ? loss + each * 0.3 : each;
  }
  return loss;
}

class AutocastScope {
 public:
  explicit AutocastScope(bool on) : on_(on) {
    if (!on_) return;
    at::autocast::set_cpu_enabled(true);
    at::autocast::increment_nesting();
  }
  ~AutocastScope() {
    if (!on_) return;
    at::autocast::decrement_nesting();
    at::autocast::clear_cache();
    at::autocast::set_cpu_enabled(false);
  }

 private:
  bool on_;
};

/// What a number of steps leaves behind: losses, and at the end gradients, parameters and buffers, all by
/// name.
std::vector<std::pair<std::string, at::Tensor>> Train(const Example& example,
                                                      const torch::jit::Module& module,
                                                      const Forward& forward, int steps) {
  std::vector<std::pair<std::string, at::Tensor>> left;
  at::manual_seed(1);
  for (int step = 0; step < steps; ++step) {
    const at::Tensor images = at::randn(example.sizes);
    const at::Tensor target = at::randint(10, {example.sizes[0]});
    c10::IValue result;
    {
      const AutocastScope autocast(example.autocast);
      result = forward({images});
    }
    const at::Tensor loss = LossOf(result, target);
    left.emplace_back("loss", loss.detach().clone());
    loss.backward();
    const at::NoGradGuard no_grad;
    for (const auto& parameter : module.named_parameters()) {
      if (!parameter.value.grad().defined()) continue;
      left.emplace_back("gradient of " + parameter.name, parameter.value.grad().clone());
      parameter.value.sub_(parameter.value.grad(), 0.01);
      parameter.value.mutable_grad().reset();
    }
  }
  for (const auto& attribute : module.named_buffers())
    left.emplace_back(attribute.name, attribute.value.clone());
  return left;
}

torch::jit::Module LoadForTraining(const Example& example) {
  torch::jit::Module module;
  for (const nlohmann::json& row : TorchvisionModels(true)) {
    if (row["name"] == example.model) module = torch::jit::load(ArchiveOf(row));
  }
  module.train();
  size_t index = 0;
  for (const auto& parameter : module.named_parameters())
    parameter.value.set_requires_grad(!example.mixed || index++ % 2 == 0);
  return module;
}

class TrainingTest : public testing::TestWithParam<Example> {};

TEST_P(TrainingTest, LossesGradientsAndBuffersAreThoseOfTheModule) {
  torch::jit::setGraphExecutorOptimize(false);
  torch::jit::Module plain = LoadForTraining(GetParam());
  torch::jit::Module other = LoadForTraining(GetParam());
  const CompiledModule compiled = Compile(other, {.backend = "aot-eager"});
  const int steps = 2;
  const auto expected = Train(
      GetParam(), plain, [&](std::vector<c10::IValue> inputs) { return plain.forward(std::move(inputs)); },
      steps);
  const auto actual = Train(
      GetParam(), other, [&](std::vector<c10::IValue> inputs) { return compiled.forward(std::move(inputs)); },
      steps);
  ASSERT_EQ(expected.size(), actual.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(expected[i].first, actual[i].first);
    EXPECT_TRUE(graph::SameTensor(expected[i].second, actual[i].second)) << expected[i].first;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, TrainingTest,
                         testing::Values(Example{"resnet18", {2, 3, 64, 64}},
                                         Example{"mobilenet_v2", {2, 3, 64, 64}},
                                         Example{"googlenet", {2, 3, 96, 96}},
                                         Example{"densenet121", {2, 3, 64, 64}}));

}  // namespace
}  // namespace culprit::tests
