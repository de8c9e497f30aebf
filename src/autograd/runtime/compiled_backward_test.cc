// SPDX-License-Identifier: Apache-2.0
#include "autograd/runtime/compiled_backward.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <functional>

#include "graph/tensors/torch_error.h"
#include "tests/lib/watched_program.h"

namespace culprit::autograd {
namespace {

using testing::HasSubstr;
using tests::WatchedProgram;

at::Tensor Leaf() {
  return at::arange(3.0).add(1).requires_grad_();
}

/// The first line of what it throws.
std::string ErrorOf(const std::function<void()>& function) {
  try {
    function();
  } catch (const std::exception& error) {
    const std::string text = graph::TorchMessage(error);
    return text.substr(0, text.find('\n'));
  }
  return "";
}

constexpr const char* kExp = "x\ny = exp.default(x)\nreturn (y,)";
constexpr const char* kProduct = "x, w\na = sin.default(x)\ny = mul.Tensor(a, w)\nreturn (y,)";

TEST(CompiledBackwardTest, RunsAsOftenAsItIsAskedWhileTheGraphIsRetained) {
  WatchedProgram program(kExp);
  const at::Tensor x = Leaf();
  const at::Tensor y = program.First({x});
  y.sum().backward({}, /*retain_graph=*/true);
  y.sum().backward();
  EXPECT_TRUE(x.grad().equal(x.detach().exp().mul(2)));
}

TEST(CompiledBackwardTest, WithoutThatTheSecondTimeFailsAsInLibtorch) {
  WatchedProgram program(kProduct);
  const at::Tensor x = Leaf();
  const auto twice = [&](const at::Tensor& y) {
    return ErrorOf([&] {
      y.sum().backward();
      y.sum().backward();
    });
  };
  const std::string expected = twice(program.Plain({x, Leaf()})[0].toTensor());
  EXPECT_THAT(expected, HasSubstr("backward through the graph a second time"));
  EXPECT_EQ(twice(program.First({x, Leaf()})), expected);
}

TEST(CompiledBackwardTest, GradientsOfSeveralCallsAddUp) {
  WatchedProgram program(kExp);
  const at::Tensor x = Leaf();
  const at::Tensor first = program.First({x});
  const at::Tensor second = program.First({x});
  second.sum().backward();
  first.sum().backward();
  EXPECT_TRUE(x.grad().equal(x.detach().exp().mul(2)));
  EXPECT_EQ(program.watch.graphs.size(), 2U);
}

TEST(CompiledBackwardTest, HasTheNameOfItsGraph) {
  WatchedProgram program(kExp);
  EXPECT_EQ(program.First({Leaf()}).grad_fn()->name(), "net_0_backward");
}

TEST(CompiledBackwardTest, GivesFirstDerivativesWithCreateGraphAndRefusesSecondOnes) {
  WatchedProgram program(kExp);
  const at::Tensor x = Leaf();
  const at::Tensor y = program.First({x});
  const at::Tensor gradient =
      torch::autograd::grad({y.sum()}, {x}, {}, /*retain_graph=*/true, /*create_graph=*/true)[0];
  EXPECT_TRUE(gradient.equal(x.detach().exp()));
  EXPECT_TRUE(gradient.requires_grad());
  EXPECT_EQ(ErrorOf([&] { gradient.sum().backward(); }),
            "net_0_backward was compiled: it has no second derivatives");
}

TEST(CompiledBackwardTest, DerivativesOfWhatIsLinearAreConstants) {
  WatchedProgram program("x\ny = mul.Tensor(x, 2)\nreturn (y,)");
  const at::Tensor x = Leaf();
  const at::Tensor gradient =
      torch::autograd::grad({program.First({x}).sum()}, {x}, {}, std::nullopt, /*create_graph=*/true)[0];
  EXPECT_FALSE(gradient.requires_grad());
}

TEST(CompiledBackwardTest, AnInputThatIsWrittenBetweenForwardAndBackwardFailsAsInLibtorch) {
  WatchedProgram program(kProduct);
  const auto write_between = [](const at::Tensor& y, const at::Tensor& w) {
    w.zero_();
    return ErrorOf([&] { y.sum().backward(); });
  };
  const at::Tensor w = at::ones({3});
  const std::string expected = write_between(program.Plain({Leaf(), w})[0].toTensor(), w);
  const at::Tensor other = at::ones({3});
  EXPECT_THAT(expected, HasSubstr("modified by an inplace operation"));
  EXPECT_EQ(write_between(program.First({Leaf(), other}), other), expected);
}

TEST(CompiledBackwardTest, AnOutputThatIsSavedAndWrittenFailsAsInLibtorch) {
  WatchedProgram program(kExp);
  const auto write_output = [](const at::Tensor& y) {
    y.detach().zero_();
    return ErrorOf([&] { y.sum().backward(); });
  };
  const std::string text = write_output(program.First({Leaf()}));
  EXPECT_THAT(text, HasSubstr("modified by an inplace operation: [CPUFloatType [3]], which is output 0 of "
                              "net_0_backward, is at version 1; expected version 0 instead"));
}

/// Weak references to what a forward graph returns.
class Remembered {
 public:
  explicit Remembered(tests::Watch& watch) {
    watch.returned = [this](const std::string& graph, const backend::Values& values) {
      if (!graph.ends_with("forward")) return;
      for (const c10::IValue& value : values) tensors_.emplace_back(value.toTensor().getIntrusivePtr());
    };
  }
  /// Letters: alive or gone.
  std::string State() const {
    std::string state;
    for (const auto& tensor : tensors_) state += tensor.expired() ? "-" : "a";
    return state;
  }

 private:
  std::vector<c10::weak_intrusive_ptr<c10::TensorImpl>> tensors_;
};

constexpr const char* kChain = "x\na = exp.default(x)\nb = sin.default(a)\ny = mul.Tensor(b, 2)\nreturn (y,)";

TEST(CompiledBackwardTest, WhatIsSavedIsFreedByBackward) {
  WatchedProgram program(kChain);
  const Remembered remembered(program.watch);
  const at::Tensor y = program.First({Leaf()});
  EXPECT_EQ(remembered.State(), "aa") << "the output and exp";
  y.sum().backward({}, /*retain_graph=*/true);
  EXPECT_EQ(remembered.State(), "aa");
  y.sum().backward();
  EXPECT_EQ(remembered.State(), "a-");
}

TEST(CompiledBackwardTest, WhatIsSavedIsFreedWithTheOutputs) {
  WatchedProgram program(kChain);
  const Remembered remembered(program.watch);
  at::Tensor y = program.First({Leaf()});
  y.reset();
  EXPECT_EQ(remembered.State(), "--");
}

TEST(CompiledBackwardTest, AnOutputThatIsSavedDoesNotHoldItself) {
  WatchedProgram program(kExp);
  const Remembered remembered(program.watch);
  at::Tensor y = program.First({Leaf()});
  EXPECT_EQ(remembered.State(), "aa") << "once for the program and once for backward";
  y.reset();
  EXPECT_EQ(remembered.State(), "--");
}

TEST(CompiledBackwardTest, AnInputThatIsWrittenAndSavedDoesNotHoldItself) {
  WatchedProgram program("x\ny = exp_.default(x)\nz = mul.Tensor(y, 2)\nreturn (z,)");
  const Remembered remembered(program.watch);
  at::Tensor x = Leaf().mul(1);
  const c10::weak_intrusive_ptr<c10::TensorImpl> input(x.getIntrusivePtr());
  at::Tensor z = program.First({x});
  x.sum().backward({}, /*retain_graph=*/true);
  z.reset();
  x.reset();
  EXPECT_TRUE(input.expired());
  EXPECT_THAT(remembered.State(), testing::Not(HasSubstr("a")));
}

TEST(CompiledBackwardTest, InputsAreNotHeldBehindBackward) {
  WatchedProgram program(kProduct);
  at::Tensor x = Leaf();
  const c10::weak_intrusive_ptr<c10::TensorImpl> input(x.getIntrusivePtr());
  const at::Tensor y = program.First({x, Leaf()});
  y.sum().backward();
  x.reset();
  EXPECT_FALSE(input.expired()) << "its gradient is added up there";
  const_cast<at::Tensor&>(y).reset();
  EXPECT_TRUE(input.expired());
}

}  // namespace
}  // namespace culprit::autograd
