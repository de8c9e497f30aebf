// SPDX-License-Identifier: Apache-2.0
//
// Steps of training: with the graphs that autograd makes, run operator by operator, losses, gradients and
// buffers are those of the module itself, to the last bit. Every graph is split, and none of its operators
// had to be computed on zeros for that.
#include <ATen/Context.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include "autograd/functional/untraceable.h"
#include "autograd/trace/trace.h"
#include "backends/table.h"
#include "capture/captured_program.h"
#include "graph/tensors/torch_error.h"
#include "model/load_model.h"
#include "tests/lib/volume.h"
#include "tests/models/model_archives.h"

namespace culprit::tests {
namespace {

struct Example {
  /// A name of an archive, or a file in tests/fixtures/training.
  std::string model;
  std::vector<int64_t> sizes;
  /// The whole list is run in full volume.
  bool in_sample = false;
  enum class Setting : uint8_t {
    kPlain,
    kAutocast,
    /// Every other parameter requires no gradient.
    kMixed,
    /// Backward recomputes what is cheap.
    kMinCut
  };
  Setting setting = Setting::kPlain;
};
using Setting = Example::Setting;

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
    at::autocast::set_autocast_enabled(at::kCPU, true);
    at::autocast::increment_nesting();
  }
  ~AutocastScope() {
    if (!on_) return;
    at::autocast::decrement_nesting();
    at::autocast::clear_cache();
    at::autocast::set_autocast_enabled(at::kCPU, false);
  }
  AutocastScope(const AutocastScope&) = delete;
  AutocastScope& operator=(const AutocastScope&) = delete;

 private:
  bool on_;
};

/// What a number of steps leaves behind: losses and gradients of each, buffers at the end, all by name.
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
      const AutocastScope autocast(example.setting == Setting::kAutocast);
      result = forward({module._ivalue(), images});
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

std::string PathOf(const std::string& name) {
  if (name.ends_with(".py")) return "tests/fixtures/training/" + name;
  static const nlohmann::json rows = ModelArchives(/*all=*/FullVolume());
  for (const nlohmann::json& row : rows) {
    if (row["name"] == name) return ArchiveOf(row);
  }
  throw std::invalid_argument("no model is called " + name);
}

torch::jit::Module LoadForTraining(const Example& example) {
  const auto model = model::LoadModel(PathOf(example.model));
  if (!model.ok()) throw std::runtime_error(model.error().Render());
  torch::jit::Module module = *model->module();
  module.train();
  size_t index = 0;
  for (const auto& parameter : module.named_parameters())
    parameter.value.set_requires_grad(example.setting != Setting::kMixed || index++ % 2 == 0);
  return module;
}

/// What is known of the graphs that were captured.
struct Met {
  size_t graphs = 0;
  size_t with_gradients = 0;
  std::vector<std::string> reasons_to_run_as_they_are;
  std::map<std::string, int64_t> fallbacks;

  void Count(const graph::Graph& graph, const backend::Values& inputs) {
    ++graphs;
    try {
      const autograd::Traced traced = autograd::Trace(graph, inputs);
      with_gradients += !traced.gradients.empty();
      for (const auto& [op, count] : traced.fallbacks) fallbacks[op] += count;
    } catch (const autograd::Untraceable& reason) {
      reasons_to_run_as_they_are.emplace_back(reason.what());
    }
  }
};

std::shared_ptr<capture::CapturedProgram> Compiled(const Example& example, const torch::jit::Module& module,
                                                   Met& met) {
  capture::Options options;
  const bool is_cut = example.setting == Setting::kMinCut;
  const std::shared_ptr<backend::Backend> backend =
      *backends::Open(*backend::ParseSpec(is_cut ? "aot-eager:partition=min-cut" : "aot-eager"));
  options.compile = [backend, &met](const capture::Segment& segment, const backend::Values& inputs) {
    met.Count(segment.graph, inputs);
    return std::shared_ptr<backend::Compiled>(backend->Compile(segment.graph, inputs));
  };
  return std::make_shared<capture::CapturedProgram>(module.get_method("forward").function(), options);
}

/// As libtorch interprets it.
Forward ForwardOf(const torch::jit::Module& module) {
  return [function = &module.get_method("forward").function()](std::vector<c10::IValue> inputs) {
    return (*function)(std::move(inputs));
  };
}

/// Equal numbers would mean little if they were all zero or not finite.
void ExpectLearns(const torch::jit::Module& module,
                  const std::vector<std::pair<std::string, at::Tensor>>& left) {
  for (const auto& [name, tensor] : left) EXPECT_TRUE(tensor.isfinite().all().item<bool>()) << name;
  for (const auto& parameter : module.named_parameters()) {
    const auto gradient =
        std::ranges::find(left, "gradient of " + parameter.name, [](const auto& each) { return each.first; });
    ASSERT_EQ(gradient != left.end(), parameter.value.requires_grad()) << parameter.name;
    if (gradient != left.end())
      EXPECT_TRUE(gradient->second.count_nonzero().item<int64_t>() > 0) << parameter.name;
  }
}

void ExpectSame(const Example& example, int steps) {
  torch::jit::setGraphExecutorOptimize(false);
  const torch::jit::Module plain = LoadForTraining(example);
  const torch::jit::Module other = LoadForTraining(example);
  Met met;
  const auto compiled = Compiled(example, other, met);
  const auto expected = Train(example, plain, ForwardOf(plain), steps);
  const auto actual = Train(
      example, other, [&](std::vector<c10::IValue> inputs) { return compiled->Call(std::move(inputs)); },
      steps);
  ASSERT_EQ(expected.size(), actual.size());
  ExpectLearns(plain, expected);
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(expected[i].first, actual[i].first);
    EXPECT_TRUE(graph::SameTensor(expected[i].second, actual[i].second)) << i << " " << expected[i].first;
  }
  EXPECT_EQ(met.graphs, 1U);
  EXPECT_EQ(met.with_gradients, 1U);
  EXPECT_THAT(met.reasons_to_run_as_they_are, testing::IsEmpty());
  EXPECT_THAT(met.fallbacks, testing::IsEmpty());
}

std::vector<Example> Examples() {
  const Example models[] = {
      {"resnet18", {2, 3, 64, 64}, true},  {"mobilenet_v2", {2, 3, 64, 64}},
      {"googlenet", {2, 3, 96, 96}, true}, {"densenet121", {2, 3, 64, 64}},
      {"encoder.py", {4, 7}, true},        {"lstm.py", {4, 5, 6}, true},
  };
  std::vector<Example> examples;
  for (Example example : models) {
    for (const Setting setting : {Setting::kPlain, Setting::kAutocast, Setting::kMixed, Setting::kMinCut}) {
      example.setting = setting;
      if (example.model == "mobilenet_v2" && setting == Setting::kAutocast) continue;
      // Convolutions take their time.
      const bool is_short = example.model.ends_with(".py") || setting == Setting::kPlain;
      if (FullVolume() || (example.in_sample && is_short)) examples.push_back(example);
    }
  }
  return examples;
}

std::string NameOf(const testing::TestParamInfo<Example>& info) {
  constexpr const char* kSettings[] = {"plain", "autocast", "mixed", "min_cut"};
  const std::string& model = info.param.model;
  return model.substr(0, model.find('.')) + "_" + kSettings[static_cast<size_t>(info.param.setting)];
}

class TrainingTest : public testing::TestWithParam<Example> {};

TEST_P(TrainingTest, LossesGradientsAndBuffersAreThoseOfTheModule) {
  ExpectSame(GetParam(), /*steps=*/2);
}

INSTANTIATE_TEST_SUITE_P(Models, TrainingTest, testing::ValuesIn(Examples()), NameOf);

/// Those of both ways.
std::pair<std::string, std::string> ErrorsOf(const Example& example) {
  const torch::jit::Module plain = LoadForTraining(example);
  const torch::jit::Module other = LoadForTraining(example);
  Met met;
  const auto compiled = Compiled(example, other, met);
  const auto error_of = [&](const torch::jit::Module& module, const Forward& forward) {
    try {
      Train(example, module, forward, /*steps=*/1);
    } catch (const std::exception& error) {
      return graph::TorchMessage(error);
    }
    return std::string();
  };
  return {error_of(plain, ForwardOf(plain)), error_of(other, [&](std::vector<c10::IValue> inputs) {
            return compiled->Call(std::move(inputs));
          })};
}

TEST(FailingTrainingTest, WhatLibtorchCannotDoFailsWithItsText) {
  if (!FullVolume()) GTEST_SKIP() << "in full volume";
  const auto [expected, actual] = ErrorsOf({"mobilenet_v2", {2, 3, 64, 64}, false, Setting::kAutocast});
  EXPECT_THAT(expected, testing::HasSubstr("hardshrink_backward_cpu\" not implemented for 'BFloat16'"));
  EXPECT_EQ(actual, expected);
}

TEST(LongTrainingTest, TenStepsGiveTheSameLosses) {
  ExpectSame({"resnet18", {4, 3, 64, 64}}, /*steps=*/10);
  ExpectSame({"lstm.py", {4, 5, 6}}, /*steps=*/10);
}

}  // namespace
}  // namespace culprit::tests
