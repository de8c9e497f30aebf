// SPDX-License-Identifier: Apache-2.0
#include "autograd/with_autograd.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include <thread>

#include "autograd/trace/trace_modes.h"
#include "tests/lib/watched_program.h"

namespace culprit::autograd {
namespace {

using graph::SameTensor;
using testing::ElementsAre;
using tests::ShortText;
using tests::WatchedProgram;

at::Tensor Leaf(int64_t size = 3) {
  return at::arange(static_cast<double>(size)).add(1).div(7).requires_grad_();
}

constexpr const char* kProduct = "x, w\na = sin.default(x)\ny = mul.Tensor(a, w)\nreturn (y,)";

/// Gradients of x and w, computed by the program or by libtorch.
std::vector<at::Tensor> Gradients(WatchedProgram& program, bool compiled, int64_t size = 3) {
  const backend::Values inputs = {Leaf(size), Leaf(size)};
  (compiled ? program.First(inputs) : program.Plain(inputs)[0].toTensor()).sum().backward();
  return {inputs[0].toTensor().grad(), inputs[1].toTensor().grad()};
}

void ExpectEqualGradients(WatchedProgram& program, int64_t size = 3) {
  const std::vector<at::Tensor> expected = Gradients(program, false, size);
  const std::vector<at::Tensor> actual = Gradients(program, true, size);
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_TRUE(SameTensor(expected[i], actual[i])) << i;
}

TEST(WithAutogradTest, OutputsAndGradientsAreThoseOfTheGraph) {
  WatchedProgram program(kProduct);
  ExpectEqualGradients(program);
  EXPECT_THAT(program.CompiledNames(), ElementsAre("net_0_forward", "net_0_backward"));
}

TEST(WithAutogradTest, AnotherSizeIsCompiledAgain) {
  WatchedProgram program(kProduct);
  ExpectEqualGradients(program, 3);
  ExpectEqualGradients(program, 4);
  ExpectEqualGradients(program, 3);
  EXPECT_EQ(program.watch.graphs.size(), 4U);
}

TEST(WithAutogradTest, BeyondALimitItRunsAsItIs) {
  WatchedProgram program(kProduct, {.most_variants = 2});
  for (const int64_t size : {3, 4, 5, 6, 3}) ExpectEqualGradients(program, size);
  EXPECT_EQ(program.watch.graphs.size(), 4U);
  EXPECT_EQ(program.log,
            "net_0_captured runs as it is for inputs of further kinds: it was compiled 2 times\n");
}

TEST(WithAutogradTest, AnotherGradnessIsCompiledAgain) {
  WatchedProgram program(kProduct);
  ExpectEqualGradients(program);
  const at::Tensor x = Leaf();
  program.First({x, at::ones({3})}).sum().backward();
  EXPECT_TRUE(x.grad().equal(x.detach().cos()));
  EXPECT_EQ(program.watch.graphs.size(), 4U);
}

TEST(WithAutogradTest, WithoutGradModeAnInferenceGraphIsCompiled) {
  WatchedProgram program(kProduct);
  const at::NoGradGuard no_grad;
  EXPECT_FALSE(program.First({Leaf(), Leaf()}).requires_grad());
  EXPECT_THAT(program.CompiledNames(), ElementsAre("net_0_inference"));
}

TEST(WithAutogradTest, InferenceModeGivesInferenceTensors) {
  WatchedProgram program("x\ny = exp.default(x)\nz = t.default(y)\nw = add_.Tensor(x, 1)\nreturn (y, z)");
  const c10::InferenceMode inference;
  const at::Tensor x = at::ones({2, 3});
  const backend::Values outputs = program({x});
  EXPECT_EQ(program.log, "");
  EXPECT_TRUE(outputs[0].toTensor().is_inference());
  EXPECT_TRUE(outputs[1].toTensor().is_inference());
  EXPECT_TRUE(x.equal(at::ones({2, 3}).add(1)));
}

TEST(WithAutogradTest, NormalInputsInInferenceModeAreFine) {
  const at::Tensor x = Leaf();
  WatchedProgram program(kProduct);
  const c10::InferenceMode inference;
  EXPECT_TRUE(program.First({x, at::ones({3})}).equal(x.detach().sin()));
  EXPECT_EQ(program.log, "");
}

struct AutocastCase {
  at::Tensor tangent;
  bool keeps_casts = true;
  /// It keeps none of those of views.
  bool weight_is_view = false;
};

/// The gradient of w in exp(x @ w) + x @ w, which is computed under autocast and differentiated without it.
at::Tensor GradientOf(const AutocastCase& example,
                      const std::function<backend::Values(backend::Values)>& call) {
  const at::Tensor x = at::arange(6.0).div(7).view({2, 3});
  const at::Tensor view = at::arange(12.0).div(9).view({3, 4});
  const at::Tensor w = (example.weight_is_view ? view : view.clone()).requires_grad_();
  at::Tensor y;
  {
    const TraceModesScope autocast({.grad = true, .autocast = true, .autocast_cache = example.keeps_casts});
    y = call({x, w})[0].toTensor();
    at::autocast::clear_cache();
  }
  y.backward(example.tangent.to(y.scalar_type()));
  return w.grad();
}

TEST(WithAutogradTest, AutocastOfForwardHoldsForBackwardThatRunsWithoutIt) {
  WatchedProgram program(
      "x, w\na = mm.default(x, w)\nb = mm.default(x, w)\nc = exp.default(a)\ny = add.Tensor(b, c)\nreturn "
      "(y,)");
  for (const bool keeps_casts : {true, false}) {
    for (const bool weight_is_view : {true, false}) {
      for (const at::Tensor& tangent : {at::ones({2, 4}), at::ones({4, 2}).t()}) {
        const AutocastCase example{tangent, keeps_casts, weight_is_view};
        EXPECT_TRUE(
            SameTensor(GradientOf(example, [&](const backend::Values& in) { return program(in); }),
                       GradientOf(example, [&](const backend::Values& in) { return program.Plain(in); })))
            << keeps_casts << weight_is_view << tangent.strides();
      }
    }
  }
  EXPECT_EQ(program.watch.graphs.size(), 4U * 3U) << "in each case a forward and two backward graphs";
}

TEST(WithAutogradTest, SeveralThreadsCallForwardAndBackwardAtOnce) {
  WatchedProgram program(kProduct);
  const std::vector<at::Tensor> expected = Gradients(program, false);
  Gradients(program, true, 5);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 50; ++i) {
        const std::vector<at::Tensor> actual = Gradients(program, true, thread % 2 == 0 ? 3 : 4 + i % 3);
        if (thread % 2 == 0)
          wrong += !SameTensor(actual[0], expected[0]) || !SameTensor(actual[1], expected[1]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(program.watch.graphs.size(), 2U * 4U) << "sizes 3 to 6, each once";
}

TEST(WithAutogradTest, OneOutputIsDifferentiatedByTwoThreadsAtOnce) {
  WatchedProgram program(kProduct);
  const at::Tensor x = Leaf();
  const at::Tensor y = program.First({x, at::ones({3})});
  std::vector<std::thread> threads;
  threads.reserve(2);
  for (int thread = 0; thread < 2; ++thread)
    threads.emplace_back([&] { y.sum().backward({}, /*retain_graph=*/true); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(x.grad().equal(x.detach().cos().mul(2)));
}

TEST(WithAutogradTest, AGraphThatCannotBeTracedRunsAsItIs) {
  WatchedProgram program("x\ny = nonzero.default(x)\nreturn (y,)");
  EXPECT_EQ(program.First({at::ones({3})}).size(0), 3);
  EXPECT_EQ(program.log, "net_0_captured runs as it is: aten::nonzero depends on data\n");
  EXPECT_TRUE(program.watch.graphs.empty());
}

TEST(WithAutogradTest, AGraphThatFailsDoesSoWhenItRuns) {
  WatchedProgram program("x, y\nz = mm.default(x, y)\nreturn (z,)");
  try {
    program({at::ones({2, 3}), at::ones({2, 3})});
    FAIL();
  } catch (const c10::Error& error) {
    EXPECT_THAT(error.what_without_backtrace(), testing::HasSubstr("cannot be multiplied (2x3 and 2x3)"));
  }
}

TEST(WithAutogradTest, WhatTheCompilerThrowsComesOutOfCompile) {
  WatchedProgram program(kProduct);
  program.watch.compiling = [](const graph::Graph&) { throw std::runtime_error("no code"); };
  EXPECT_THROW(program({Leaf(), Leaf()}), std::runtime_error);
}

TEST(WithAutogradTest, OutputsShareMemoryAsThoseOfTheGraphDo) {
  WatchedProgram program(
      "x\ny = exp.default(x)\nz = t.default(y)\nv = view.default(x, [-1])\nreturn (y, z, v, x)");
  const at::Tensor x = at::arange(6.0).view({2, 3}).requires_grad_().mul(1);
  const backend::Values outputs = program({x});
  EXPECT_TRUE(outputs[1].toTensor()._base().is_same(outputs[0].toTensor()));
  EXPECT_TRUE(outputs[2].toTensor()._base().is_same(x));
  EXPECT_TRUE(outputs[3].toTensor().is_same(x));
}

TEST(WithAutogradTest, AWrittenInputIsWrittenAndHasAHistory) {
  WatchedProgram program("x\ny = exp_.default(x)\nreturn (y,)");
  const at::Tensor leaf = Leaf();
  const at::Tensor x = leaf.mul(1);
  EXPECT_TRUE(program.First({x}).is_same(x));
  EXPECT_EQ(x._version(), 1U);
  x.sum().backward();
  EXPECT_TRUE(leaf.grad().equal(leaf.detach().exp()));
}

/// y = 2x, whose gradient, which libtorch could not know, is three times what it gets.
class TwiceWithOwnGradient : public torch::autograd::Function<TwiceWithOwnGradient> {
 public:
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x) {
    const at::AutoDispatchBelowADInplaceOrView below;
    context->save_for_backward({x});
    static const auto twice = c10::Dispatcher::singleton()
                                  .findSchemaOrThrow("culprit_test::twice", "")
                                  .typed<at::Tensor(const at::Tensor&)>();
    return twice.call(x);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list tangents) {
    return {tangents[0] * 3 * context->get_saved_variables()[0]};
  }
};

at::Tensor Twice(const at::Tensor& x) {
  return x.mul(2);
}
at::Tensor TwiceAboveAutograd(const at::Tensor& x) {
  return TwiceWithOwnGradient::apply(x);
}

TORCH_LIBRARY(culprit_test, library) {
  library.def("twice(Tensor x) -> Tensor");
}
TORCH_LIBRARY_IMPL(culprit_test, CPU, library) {
  library.impl("twice", Twice);
}
TORCH_LIBRARY_IMPL(culprit_test, Autograd, library) {
  library.impl("twice", TwiceAboveAutograd);
}

TEST(WithAutogradTest, ACustomOperatorHasTheGradientThatItsAutogradKernelGives) {
  WatchedProgram program("x\ny = torch.ops.culprit_test.twice.default(x)\nreturn (y,)");
  const at::Tensor x = Leaf();
  program.First({x}).sum().backward();
  EXPECT_EQ(program.log, "");
  EXPECT_TRUE(x.grad().equal(x.detach().mul(3)));
  EXPECT_EQ(ShortText(program.watch.graphs[0]),
            "twice = torch.ops.culprit_test.twice.default(x)\n"
            "return (twice,)\n");
  EXPECT_EQ(ShortText(program.watch.graphs[1]),
            "mul = mul.Scalar(tangent_0, 3)\n"
            "mul_1 = mul.Tensor(mul, x)\n"
            "return (mul_1,)\n");
}

}  // namespace
}  // namespace culprit::autograd
