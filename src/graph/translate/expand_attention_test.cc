// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/cat.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "graph/translate/expansions.h"
#include "tests/lib/graph_emitter.h"

namespace culprit::graph::translate {
namespace {

using testing::ElementsAre;

constexpr double kScale = 0.25;

// Query of length 4, key and value of length 5, with gradients for autograd.
struct Problem {
  at::Tensor query = at::randn({2, 3, 4, 8}).requires_grad_();
  at::Tensor key = at::randn({2, 3, 5, 8}).requires_grad_();
  at::Tensor value = at::randn({2, 3, 5, 8}).requires_grad_();
  at::Tensor bias = at::randn({2, 3, 4, 5}).requires_grad_();
  at::Tensor grad = at::randn({2, 3, 4, 8});
};

struct Options {
  bool bias = false;
  bool causal = false;
  double scale = kScale;
};

struct Expected {
  at::Tensor out, logsumexp;
};

Expected Reference(const Problem& problem, const Options& options) {
  at::Tensor scores = problem.query.matmul(problem.key.transpose(-2, -1)).mul(options.scale);
  if (options.bias) scores = scores.add(problem.bias);
  if (options.causal) {
    const at::Tensor allowed = at::ones({4, 5}, at::kBool).tril();
    scores = scores.masked_fill(allowed.logical_not(), -INFINITY);
  }
  return {scores.softmax(-1).matmul(problem.value), scores.logsumexp({-1})};
}

class Attention : public testing::Test {
 protected:
  void SetUp() override {
    query_ = emitter_.Input(problem_.query.detach());
    key_ = emitter_.Input(problem_.key.detach());
    value_ = emitter_.Input(problem_.value.detach());
    bias_ = emitter_.Input(problem_.bias.detach());
    grad_ = emitter_.Input(problem_.grad);
  }

  std::vector<at::Tensor> Run(Expansion expand, std::vector<Argument> arguments) {
    const auto results = expand({.positional = std::move(arguments), .keyword = {}}, emitter_);
    std::vector<at::Tensor> tensors;
    for (const c10::IValue& value : emitter_.Run(results.value())) {
      tensors.push_back(value.isTensor() ? value.toTensor() : at::Tensor());
    }
    return tensors;
  }

  void ExpectForward(const std::vector<at::Tensor>& results, const Options& options) {
    const Expected expected = Reference(problem_, options);
    EXPECT_TRUE(results[0].allclose(expected.out, 1e-5, 1e-5));
    EXPECT_TRUE(results[1].allclose(expected.logsumexp, 1e-5, 1e-5));
  }

  void ExpectGradients(const std::vector<at::Tensor>& results) {
    EXPECT_TRUE(results[0].allclose(problem_.query.grad(), 1e-4, 1e-5));
    EXPECT_TRUE(results[1].allclose(problem_.key.grad(), 1e-4, 1e-5));
    EXPECT_TRUE(results[2].allclose(problem_.value.grad(), 1e-4, 1e-5));
  }

  // Runs autograd; what the forward would have saved.
  Expected Saved(const Options& options) {
    const Expected expected = Reference(problem_, options);
    expected.out.backward(problem_.grad);
    return {expected.out.detach(), expected.logsumexp.detach()};
  }

  Problem problem_;
  GraphEmitter emitter_;
  Argument query_, key_, value_, bias_, grad_;
  const Argument none_ = {};
  const Argument no_ = Constant(false);
  const Argument yes_ = Constant(true);
  const Argument no_dropout_ = Constant(0.0);
  const Argument scale_ = Constant(kScale);
};

TEST_F(Attention, FlashWithDefaultScale) {
  ExpectForward(Run(ExpandFlashAttention, {query_, key_, value_, no_dropout_, no_, no_, none_}),
                {.scale = 1 / std::sqrt(8.0)});
}

TEST_F(Attention, FlashCausalWithScale) {
  const auto results = Run(ExpandFlashAttention, {query_, key_, value_, no_dropout_, yes_, no_, scale_});
  ExpectForward(results, {.causal = true});
  EXPECT_EQ(results.size(), 9);
}

TEST_F(Attention, FlashGivesTheLengths) {
  const auto results = ExpandFlashAttention(
      {.positional = {query_, key_, value_, no_dropout_, no_, no_, scale_}, .keyword = {}}, emitter_);
  const std::vector<c10::IValue> lengths = emitter_.Run({(*results)[4], (*results)[5]});
  EXPECT_EQ(lengths[0].toInt(), 4);
  EXPECT_EQ(lengths[1].toInt(), 5);
}

TEST_F(Attention, EfficientCausalWithBias) {
  ExpectForward(Run(ExpandEfficientAttention, {query_, key_, value_, bias_, yes_, no_dropout_, yes_, scale_}),
                {.bias = true, .causal = true});
}

TEST_F(Attention, CudnnWithBias) {
  ExpectForward(Run(ExpandCudnnAttention, {query_, key_, value_, bias_, yes_, no_dropout_, no_, no_, scale_}),
                {.bias = true});
}

TEST_F(Attention, OverrideableWithBias) {
  ExpectForward(
      Run(ExpandOverrideableAttention, {query_, key_, value_, bias_, no_dropout_, no_, no_, scale_}),
      {.bias = true});
}

TEST_F(Attention, ResultHasTheHeadsBehindTheLengthInMemory) {
  const at::Tensor out = Run(ExpandFlashAttention, {query_, key_, value_, no_dropout_, no_, no_, scale_})[0];
  EXPECT_THAT(out.sizes(), ElementsAre(2, 3, 4, 8));
  EXPECT_TRUE(out.transpose(1, 2).is_contiguous());
}

TEST_F(Attention, DropoutKeepsTheMean) {
  const at::Tensor ones = at::ones({1, 1, 2000, 8});
  const Argument value = emitter_.Input(at::ones({1, 1, 5, 8}));
  const Argument key = emitter_.Input(at::zeros({1, 1, 5, 8}));
  const at::Tensor out =
      Run(ExpandFlashAttention, {emitter_.Input(ones), key, value, Constant(0.5), no_, no_, scale_})[0];
  EXPECT_NEAR(out.mean().item<double>(), 1.0, 0.05);
  EXPECT_GT(out.var().item<double>(), 0.1);
}

TEST_F(Attention, FlashBackwardAgreesWithAutograd) {
  const Expected saved = Saved({.causal = true, .scale = 1 / std::sqrt(8.0)});
  ExpectGradients(
      Run(ExpandFlashAttentionBackward,
          {grad_, query_, key_, value_, emitter_.Input(saved.out), emitter_.Input(saved.logsumexp), none_,
           none_, Constant(4), Constant(5), no_dropout_, yes_, none_, none_, none_}));
}

TEST_F(Attention, EfficientBackwardTakesAPaddedLogsumexp) {
  const Expected saved = Saved({.bias = true, .causal = true});
  const at::Tensor padded = at::cat({saved.logsumexp, at::zeros({2, 3, 28})}, -1);
  const auto results = Run(ExpandEfficientAttentionBackward,
                           {grad_, query_, key_, value_, bias_, emitter_.Input(saved.out),
                            emitter_.Input(padded), none_, none_, no_dropout_, none_, yes_, scale_});
  ExpectGradients(results);
  EXPECT_TRUE(results[3].allclose(problem_.bias.grad(), 1e-4, 1e-5));
}

TEST_F(Attention, CudnnBackwardTakesALogsumexpWithALastDimension) {
  const Expected saved = Saved({});
  ExpectGradients(Run(
      ExpandCudnnAttentionBackward,
      {grad_, query_, key_, value_, emitter_.Input(saved.out), emitter_.Input(saved.logsumexp.unsqueeze(-1)),
       none_, none_, none_, none_, none_, Constant(4), Constant(5), no_dropout_, no_, scale_}));
}

TEST_F(Attention, OverrideableBackwardAgreesWithAutograd) {
  const Expected saved = Saved({.bias = true});
  const auto results = Run(
      ExpandOverrideableAttentionBackward,
      {grad_, query_, key_, value_, bias_, none_, emitter_.Input(saved.out), emitter_.Input(saved.logsumexp),
       none_, none_, Constant(4), Constant(5), no_dropout_, no_, none_, none_, scale_});
  ExpectGradients(results);
  EXPECT_TRUE(results[3].allclose(problem_.bias.grad(), 1e-4, 1e-5));
}

TEST_F(Attention, BackwardOfHalfPrecisionStaysInHalfPrecision) {
  const Expected saved = Saved({});
  const auto half = [&](const at::Tensor& tensor) {
    return emitter_.Input(tensor.detach().to(at::kBFloat16));
  };
  const auto results = Run(ExpandFlashAttentionBackward,
                           {half(problem_.grad), half(problem_.query), half(problem_.key),
                            half(problem_.value), half(saved.out), emitter_.Input(saved.logsumexp), none_,
                            none_, Constant(4), Constant(5), no_dropout_, no_, none_, none_, scale_});
  EXPECT_EQ(results[0].scalar_type(), at::kBFloat16);
  EXPECT_TRUE(results[2].to(at::kFloat).allclose(problem_.value.grad(), 0.05, 0.05));
}

TEST_F(Attention, BackwardWithDropoutRuns) {
  const Expected saved = Saved({});
  const auto results =
      Run(ExpandFlashAttentionBackward,
          {grad_, query_, key_, value_, emitter_.Input(saved.out), emitter_.Input(saved.logsumexp), none_,
           none_, Constant(4), Constant(5), Constant(0.5), no_, none_, none_, scale_});
  EXPECT_THAT(results[1].sizes(), ElementsAre(2, 3, 5, 8));
  EXPECT_FALSE(results[2].allclose(problem_.value.grad(), 1e-2, 1e-2));
}

TEST_F(Attention, OptionsMustBeConstants) {
  const auto result = ExpandFlashAttention(
      {.positional = {query_, key_, value_, no_dropout_, query_, no_, scale_}, .keyword = {}}, emitter_);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "argument 'is_causal' must be True or False here");
}

}  // namespace
}  // namespace culprit::graph::translate
