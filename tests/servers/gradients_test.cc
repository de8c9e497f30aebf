// SPDX-License-Identifier: Apache-2.0
//
// Gradients of what a compiler in a process of its own has made of a captured graph: they are those of eager,
// and what is wrong with them is seen.
#include <ATen/ops/arange.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string_view>

#include "backends/table.h"
#include "check/query/query_task.h"
#include "tests/lib/graph_builder.h"
#include "tests/lib/volume.h"
#include "tests/question/query_zygote.h"

namespace culprit::tests {
namespace {

using check::Finding;
using graph::ValueId;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;
using namespace std::chrono_literals;

const std::string kInductor = "inductor:graphs=captured";

std::string Toy(const std::string& fault = "", const std::string& arguments = " --gradients") {
  return fmt::format("exec:{} -P {}/tests/servers/toy.py{}{}", CULPRIT_PYTHON, CULPRIT_SOURCE_FOLDER,
                     arguments, fault.empty() ? "" : ":fault=" + fault);
}

struct Program {
  std::string_view name;
  graph::Graph graph;
  std::vector<c10::IValue> inputs;
};

Finding Ask(const Program& program, const std::string& backend, const repro::RunSettings& run = {}) {
  repro::Repro repro{program.graph, program.inputs};
  repro.header.accuracy = repro::Accuracy::kStrict;
  repro.header.backend = backend;
  repro.header.run = run;
  check::IsolatedQuery query(QueryZygote(), {.wall_time = 120s});
  return *query.Ask(repro);
}

std::string Shown(const Finding& finding) {
  if (!finding.invalid.empty()) return "invalid: " + finding.invalid;
  return finding.failure ? finding.failure->ToString() : "passes";
}

at::Tensor Numbers(at::IntArrayRef sizes) {
  return at::arange(c10::multiply_integers(sizes), at::kFloat).div(7).sub(1).view(sizes).contiguous();
}
at::Tensor Leaf(at::IntArrayRef sizes) {
  return Numbers(sizes).clone().requires_grad_();
}
/// What an operator has computed may be written into.
at::Tensor Computed(at::IntArrayRef sizes) {
  return Leaf(sizes).mul(1.5);
}

/// tanh(x @ w), and the sum of w
Program Product() {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId w = g.Placeholder("w", graph::PlaceholderKind::kParameter);
  g.Return({g.Call("aten::tanh", {g.Call("aten::mm", {x, w})}), g.Call("aten::sum", {w})});
  return {"product", g.graph(), {Leaf({2, 3}), Leaf({3, 4})}};
}

/// Running statistics are written.
Program BatchNorm() {
  TestGraph g;
  const ValueId x = g.Placeholder("x"), weight = g.Placeholder("weight"), bias = g.Placeholder("bias");
  const ValueId mean = g.Placeholder("mean"), variance = g.Placeholder("variance");
  const auto results =
      g.CallAll("aten::native_batch_norm", {x, weight, bias, mean, variance, true, 0.1, 1e-5});
  g.Return({g.Call("aten::sin", {results[0]})});
  return {"batch norm", g.graph(), {Leaf({4, 3, 2}), Leaf({3}), Leaf({3}), Numbers({3}), Leaf({3}).detach()}};
}

/// x.add_(w), or mul_: x has a gradient from then on, or another one.
Program Written(const char* name, at::Tensor x, const char* op = "aten::add_.Tensor") {
  TestGraph g;
  const ValueId to = g.Placeholder("x"), w = g.Placeholder("w");
  const ValueId written = g.Call(op, {to, w});
  g.Return({g.Call("aten::exp", {written})});
  return {name, g.graph(), {std::move(x), Leaf({3})}};
}

/// x itself, a view of x, a value and a view of it, indices, and nothing of y.
Program Aliases() {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Placeholder("y");
  const ValueId sine = g.Call("aten::sin", {x});
  g.Return({x, g.Call("aten::t", {x}), sine, g.Call("aten::t", {sine}), g.Call("aten::argmax", {sine})});
  return {"aliases", g.graph(), {Leaf({2, 3}), Leaf({2})}};
}

std::vector<Program> Programs() {
  return {Product(), BatchNorm(), Written("a write that brings a gradient", Numbers({3})),
          Written("a write into what was computed", Computed({3})), Aliases()};
}

/// Inductor takes seconds for each: all of them in full volume, two of them otherwise.
bool IsAsked(const Program& program, const std::string& backend) {
  return backend != kInductor || FullVolume() || program.name == "batch norm" || program.name == "aliases";
}

TEST(ServerGradientsTest, AreThoseOfEager) {
  for (const Program& program : Programs()) {
    for (const std::string& backend : {Toy(), kInductor}) {
      if (!IsAsked(program, backend)) continue;
      const Finding finding = Ask(program, backend);
      EXPECT_EQ(Shown(finding), "passes") << program.name << " " << backend;
      EXPECT_THAT(finding.warnings, testing::Not(Contains(HasSubstr("gradients")))) << program.name;
    }
  }
}

/// AOTAutograd saves what it writes back into: PyTorch 2.13 fails so with `aot_eager`, too.
TEST(ServerGradientsTest, WhatAutogradOfTheCompilerDoesWrongIsSeen) {
  const Program program = Written("a write into what is saved", Numbers({3}), "aten::mul_.Tensor");
  EXPECT_EQ(Shown(Ask(program, Toy())), "passes");
  EXPECT_THAT(Shown(Ask(program, kInductor)),
              StartsWith("backward: exception RuntimeError: one of the variables needed for gradient"));
}

TEST(ServerGradientsTest, ComeUnderAutocast) {
  const repro::RunSettings run{.autocast = repro::Autocast{}};
  EXPECT_EQ(Shown(Ask(Product(), Toy(), run)), "passes");
  EXPECT_EQ(Shown(Ask(Product(), kInductor, run)), "passes");
}

TEST(ServerGradientsTest, AreNotRecordedWhereTheProgramRecordsNone) {
  EXPECT_EQ(Shown(Ask(Product(), Toy("wrong_gradient"), {.grad = false})), "passes");
  EXPECT_EQ(Shown(Ask(Product(), kInductor, {.grad = false})), "passes");
}

TEST(ServerGradientsTest, AreSeenIfTheyAreWrong) {
  EXPECT_EQ(Shown(Ask(Product(), Toy("wrong_gradient"))),
            "compare: wrong gradient in gradients.inputs[0] (call 1)");
}

TEST(ServerGradientsTest, AnExceptionOnTheWayBackIsOneOfTheBackwardPass) {
  EXPECT_EQ(Shown(Ask(Product(), Toy("throw_backward"))),
            "backward: exception __main__.ToyError: it does not go back (call 1)");
}

TEST(ServerGradientsTest, ACrashOnTheWayBackIsOneOfTheBackwardPass) {
  EXPECT_THAT(Shown(Ask(Product(), Toy("crash_backward"))), StartsWith("backward: signal SIGSEGV in "));
}

TEST(ServerGradientsTest, OfAServerThatGivesNoneAreNotCompared) {
  const Finding finding = Ask(Product(), Toy("wrong_gradient", ""));
  EXPECT_EQ(Shown(finding), "passes");
  EXPECT_THAT(finding.warnings,
              Contains("the compiler gives no gradients for 2 inputs: they were not compared"));
}

/// As a program of C++ calls what was compiled.
class Called {
 public:
  explicit Called(const Program& program)
      : backend_(*backends::Open(*backend::ParseSpec(Toy()))),
        compiled_(backend_->Compile(program.graph, program.inputs)) {}
  at::Tensor operator()(backend::Values inputs) { return compiled_->Call(inputs).at(0).toTensor().sum(); }

 private:
  std::unique_ptr<backend::Backend> backend_;
  std::unique_ptr<backend::Compiled> compiled_;
};

TEST(ServerGradientsTest, OfSeveralCallsComeInAnyOrder) {
  const Program program = Product();
  Called call(program);
  const at::Tensor x = Leaf({2, 3}), w = Leaf({3, 4}), other = Leaf({2, 3});
  const at::Tensor first = call({x, w}), second = call({other, w});
  call({x, w});
  second.backward();
  first.backward();
  EXPECT_TRUE(x.grad().equal(other.grad()));
  EXPECT_FALSE(w.grad().equal(at::zeros({3, 4})));
}

TEST(ServerGradientsTest, ComeTwiceIfTheyAreKept) {
  Called call(Product());
  const at::Tensor x = Leaf({2, 3}), w = Leaf({3, 4});
  const at::Tensor sum = call({x, w});
  sum.backward({}, /*retain_graph=*/true);
  const at::Tensor once = x.grad().clone();
  sum.backward();
  EXPECT_TRUE(x.grad().equal(once.mul(2)));
  EXPECT_THAT([&] { sum.backward(); }, testing::ThrowsMessage<std::exception>(HasSubstr("a second time")));
}

TEST(ServerGradientsTest, HaveNoGradientsThemselves) {
  Called call(Product());
  const at::Tensor x = Leaf({2, 3});
  call({x, Leaf({3, 4})}).backward({}, std::nullopt, /*create_graph=*/true);
  EXPECT_THAT([&] { x.grad().sum().backward(); },
              testing::ThrowsMessage<std::exception>(HasSubstr("no second derivatives")));
}

}  // namespace
}  // namespace culprit::tests
