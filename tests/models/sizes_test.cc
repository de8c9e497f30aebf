// SPDX-License-Identifier: Apache-2.0
//
// Models that are called with many sizes: two compilations are enough for all of them, and outputs, buffers
// and gradients are those of the module itself, to the last bit.
#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/rand.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include <random>

#include "culprit/compile.h"
#include "model/load_model.h"
#include "tests/lib/volume.h"
#include "tests/models/model_archives.h"

namespace culprit::tests {
namespace {

struct Range {
  int64_t least = 0;
  int64_t most = 0;
};

struct Example {
  /// A name of an archive, or a file in tests/fixtures/training.
  std::string model;
  /// Of each dimension of the input.
  std::vector<Range> sizes;
  bool in_sample = false;
};

const std::vector<Example>& Examples() {
  static const std::vector<Range> images = {{2, 4}, {3, 3}, {33, 70}, {33, 70}};
  static const std::vector<Example> examples = {
      {"resnet18", images, true},
      {"mobilenet_v3_small", images},
      {"shufflenet_v2_x0_5", images},
      {"squeezenet1_1", images},
      {"mnasnet0_5", images},
      {"densenet121", images},
      {"efficientnet_b0", images},
      {"regnet_y_400mf", images},
      {"vgg11_bn", images},
      // What is 1 by 1 at its end is summed up in another way below autograd.
      {"convnext_tiny", {{2, 4}, {3, 3}, {64, 127}, {64, 127}}},
      // Its last pooling wants some pixels left.
      {"alexnet", {{2, 4}, {3, 3}, {64, 99}, {64, 99}}},
      {"googlenet", {{2, 4}, {3, 3}, {64, 99}, {64, 99}}},
      // One image size: a parameter has a row for each part of it.
      {"vit_b_32", {{2, 9}, {3, 3}, {224, 224}, {224, 224}}},
      // Windows are moved unless one is enough, which is another way: in this range, at the same places.
      {"swin_t", {{2, 4}, {3, 3}, {64, 96}, {64, 96}}},
      // With 8 steps all of the positions are taken, which is another graph below autograd.
      {"encoder.py", {{2, 9}, {2, 7}}, true},
  };
  return examples;
}

/// Nothing if it is not in the sample.
std::optional<torch::jit::Module> Load(const std::string& name) {
  std::string path = "tests/fixtures/training/" + name;
  if (!name.ends_with(".py")) {
    path.clear();
    for (const nlohmann::json& row : ModelArchives(/*all=*/FullVolume())) {
      if (row["name"] == name) path = ArchiveOf(row);
    }
    if (path.empty()) return std::nullopt;
  }
  base::Result<model::LoadedModel> loaded = model::LoadModel(path);
  return loaded.ok() ? loaded->module() : std::nullopt;
}

/// What a call leaves behind: outputs, then gradients and buffers.
std::vector<at::Tensor> TensorsOf(const c10::IValue& value) {
  if (value.isTensor()) return {value.toTensor()};
  std::vector<at::Tensor> tensors;
  if (value.isTuple()) {
    for (const c10::IValue& element : value.toTupleRef().elements()) {
      for (const at::Tensor& tensor : TensorsOf(element)) tensors.push_back(tensor);
    }
  }
  return tensors;
}

template <typename Forward>
std::vector<at::Tensor> CallAndTrain(const torch::jit::Module& module, Forward&& forward,
                                     const at::Tensor& input, bool train) {
  at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
  generator.set_current_seed(7);
  const c10::AutoGradMode grad_mode(train);
  std::vector<at::Tensor> left = TensorsOf(forward(input));
  if (train) {
    for (const at::Tensor& parameter : module.parameters()) parameter.mutable_grad() = at::Tensor();
    left.at(0).sum().backward();
    for (const at::Tensor& parameter : module.parameters()) left.push_back(parameter.grad());
  }
  for (const at::Tensor& buffer : module.buffers()) left.push_back(buffer.clone());
  return left;
}

void ExpectSame(const std::vector<at::Tensor>& expected, const std::vector<at::Tensor>& actual) {
  ASSERT_EQ(expected.size(), actual.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(expected[i].defined(), actual[i].defined()) << i;
    if (!expected[i].defined()) continue;
    ASSERT_EQ(expected[i].sizes(), actual[i].sizes()) << i;
    EXPECT_TRUE(expected[i].equal(actual[i])) << i;
  }
}

std::vector<int64_t> Draw(const std::vector<Range>& ranges, std::mt19937& random) {
  std::vector<int64_t> sizes;
  for (const Range& range : ranges)
    sizes.push_back(std::uniform_int_distribution<int64_t>(range.least, range.most)(random));
  return sizes;
}

/// The second call differs in all that may differ.
std::vector<std::vector<int64_t>> CallsOf(const Example& example) {
  std::mt19937 random(11);
  std::vector<std::vector<int64_t>> calls(2);
  for (const Range& range : example.sizes) {
    calls[0].push_back(range.least);
    calls[1].push_back(range.most);
  }
  while (calls.size() < (FullVolume() ? 50U : 4U)) calls.push_back(Draw(example.sizes, random));
  return calls;
}

void ExpectTwoCompilations(const Example& example, const std::string& backend, bool train) {
  SCOPED_TRACE(example.model + " with " + backend + (train ? ", trained" : ""));
  std::optional<torch::jit::Module> loaded = Load(example.model);
  if (!loaded) return;
  torch::jit::Module module = *std::move(loaded);
  torch::jit::Module plain = *Load(example.model);
  module.train(train);
  plain.train(train);
  std::vector<std::string> log;
  const CompiledModule compiled =
      Compile(module, {.backend = backend, .log = [&](const std::string& line) { log.push_back(line); }});
  for (const std::vector<int64_t>& sizes : CallsOf(example)) {
    const at::Tensor input = at::rand(sizes);
    SCOPED_TRACE(c10::str(input.sizes()));
    const auto expected = CallAndTrain(
        plain, [&](const at::Tensor& x) { return plain.forward({x}); }, input, train);
    const auto actual = CallAndTrain(
        module, [&](const at::Tensor& x) { return compiled.forward({x}); }, input, train);
    ExpectSame(expected, actual);
    if (testing::Test::HasFailure()) break;
  }
  EXPECT_LE(compiled.get_method("forward").counters().graphs, 2) << testing::PrintToString(log);
  // Below autograd, too.
  for (const std::string& line : log) {
    EXPECT_THAT(line, testing::Not(testing::HasSubstr("for each size")));
    EXPECT_THAT(line, testing::Not(testing::HasSubstr("compiled again for other sizes")));
  }
}

class SizesTest : public testing::TestWithParam<Example> {};

TEST_P(SizesTest, TwoCompilationsAreEnoughForAllSizes) {
  if (!GetParam().in_sample && !FullVolume()) GTEST_SKIP() << "only in full volume";
  const torch::jit::GraphOptimizerEnabledGuard as_written(false);
  for (const char* backend : {"eager", "aot-eager"}) {
    ExpectTwoCompilations(GetParam(), backend, /*train=*/false);
    ExpectTwoCompilations(GetParam(), backend, /*train=*/true);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, SizesTest, testing::ValuesIn(Examples()), [](const auto& info) {
  return info.param.model.substr(0, info.param.model.find('.'));
});

}  // namespace
}  // namespace culprit::tests
