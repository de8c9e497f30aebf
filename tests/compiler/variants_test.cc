// SPDX-License-Identifier: Apache-2.0
//
// A compiled graph that is called with other inputs than those it was compiled for, by several threads, and
// again and again.
#include <ATen/ops/_efficientzerotensor.h>
#include <ATen/ops/_neg_view.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/record_function.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "backends/native/native.h"
#include "graph/run/interpreter.h"
#include "tests/lib/compile_short.h"
#include "tests/lib/holds_in_fork.h"
#include "tests/lib/process_census.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

using backend::Values;
using compiler::pipeline::Applies;
using compiler::pipeline::Compilation;
using compiler::pipeline::DefaultPipeline;
using compiler::pipeline::Pipeline;

std::unique_ptr<backend::Compiled> CompileNative(const std::string& text, const Values& inputs,
                                                 Pipeline pipeline = DefaultPipeline()) {
  return backends::native::OpenPipeline(std::move(pipeline), WithoutCache())
      ->Compile(ShortGraph(text), inputs);
}

at::Tensor FirstOutput(backend::Compiled& compiled, Values inputs) {
  return compiled.Call(inputs).at(0).toTensor();
}

bool IsAsEager(backend::Compiled& compiled, const std::string& text, const Values& inputs) {
  const at::Tensor expected = graph::Interpreter(ShortGraph(text)).Run(inputs).at(0).toTensor();
  return at::allclose(FirstOutput(compiled, inputs), expected, 1e-5, 1e-6);
}

constexpr const char* kExp = "x\na = exp.default(x)\nreturn (a,)";

TEST(VariantsTest, MemoryThatStandsForItsNegativeIsNotReadAsItIs) {
  const at::Tensor x = at::randn({5});
  const auto compiled = CompileNative(kExp, {x});
  EXPECT_TRUE(IsAsEager(*compiled, kExp, {x}));
  EXPECT_TRUE(IsAsEager(*compiled, kExp, {at::_neg_view(x)}));
  EXPECT_TRUE(IsAsEager(*compiled, kExp, {x}));
}

TEST(VariantsTest, ZerosThatHaveNoMemoryAreNotRead) {
  const at::Tensor x = at::randn({5});
  const at::Tensor zeros = at::_efficientzerotensor({5}, at::kFloat);
  EXPECT_TRUE(IsAsEager(*CompileNative(kExp, {x}), kExp, {zeros}));
  EXPECT_TRUE(IsAsEager(*CompileNative(kExp, {zeros}), kExp, {x}));
  EXPECT_TRUE(IsAsEager(*CompileNative(kExp, {zeros}), kExp, {zeros}));
}

TEST(VariantsTest, ZerosThatACallGivesWithoutMemoryAreNotRead) {
  const std::string text = "x\nz = _efficientzerotensor.default([5])\na = exp.default(z)\nreturn (a,)";
  const Values inputs = {at::randn({5})};
  const auto native =
      backends::native::OpenPipeline(DefaultPipeline(), WithoutCache(), /*off=*/{{"lower", 1}});
  EXPECT_TRUE(IsAsEager(*native->Compile(ShortGraph(text), inputs), text, inputs));
}

/// The default pipeline, in which the pass behind lowering calls `when_five` for inputs of five numbers.
Pipeline WithPause(const std::function<void()>& when_five) {
  Pipeline pipeline = DefaultPipeline();
  const auto pass = std::ranges::find(pipeline, "inline", &compiler::pipeline::Pass::name);
  pass->run = [run = pass->run, when_five](Compilation& compilation, const Applies& applies) {
    if (compilation.inputs[0].toTensor().numel() == 5) when_five();
    run(compilation, applies);
  };
  return pipeline;
}

/// `meanwhile` runs while another thread compiles; whether it did before somebody lost patience.
bool RunsWhileAnotherThreadCompiles(const std::function<void(backend::Compiled&)>& meanwhile) {
  std::promise<void> started;
  std::promise<void> done;
  bool was_in_time = false;
  const auto compiled = CompileNative(kExp, {at::randn({4})}, WithPause([&] {
                                        started.set_value();
                                        was_in_time = done.get_future().wait_for(std::chrono::seconds(5)) ==
                                                      std::future_status::ready;
                                      }));
  std::jthread other([&] { EXPECT_TRUE(IsAsEager(*compiled, kExp, {at::randn({5})})); });
  started.get_future().wait();
  meanwhile(*compiled);
  done.set_value();
  other.join();
  return was_in_time;
}

TEST(VariantsTest, NobodyWaitsForACompilationThatAnotherThreadNeeds) {
  EXPECT_TRUE(RunsWhileAnotherThreadCompiles(
      [](backend::Compiled& compiled) { EXPECT_TRUE(IsAsEager(compiled, kExp, {at::randn({4})})); }));
}

TEST(VariantsTest, AProcessThatIsForkedDuringACompilationCanCall) {
  EXPECT_TRUE(RunsWhileAnotherThreadCompiles([](backend::Compiled& compiled) {
    EXPECT_TRUE(HoldsInFork([&] { return IsAsEager(compiled, kExp, {at::randn({4})}); }));
  }));
}

TEST(VariantsTest, TwoThreadsThatCompileTheSameGetTheSame) {
  const auto compiled = CompileNative(kExp, {at::randn({4})});
  const auto call = [&] {
    for (const int64_t size : {1, 2, 3}) EXPECT_TRUE(IsAsEager(*compiled, kExp, {at::randn({size})}));
  };
  const std::jthread threads[] = {std::jthread(call), std::jthread(call), std::jthread(call)};
}

/// Of the input of a call, looked at when the second product begins.
c10::weak_intrusive_ptr<c10::StorageImpl> watched{c10::intrusive_ptr<c10::StorageImpl>()};
int products = 0;
bool was_gone = false;

std::unique_ptr<at::ObserverContext> OnCall(const at::RecordFunction& function) {
  if (std::string_view(function.name()) == "aten::mm" && ++products == 2) was_gone = watched.expired();
  return nullptr;
}

TEST(VariantsTest, AnInputIsGivenBackBeforeTheCallEnds) {
  const std::string text = "x, w\nm = mm.default(x, w)\no = mm.default(m, w)\nreturn (o,)";
  Values inputs = {at::randn({8, 8}), at::randn({8, 8})};
  const auto compiled = CompileNative(text, inputs);
  watched = inputs[0].toTensor().storage().getWeakStorageImpl();
  const at::CallbackHandle handle = at::addThreadLocalCallback(at::RecordFunctionCallback(&OnCall));
  compiled->Call(inputs);
  at::removeCallback(handle);
  EXPECT_EQ(products, 2);
  EXPECT_TRUE(was_gone);
}

/// Compiled for two layouts, called and dropped; kernels differ from number to number.
void Cycle(int number) {
  constexpr const char* kTexts[] = {
      "x\na = mul.Tensor(x, {0}.5)\nb = tanh.default(a)\nreturn (b,)",
      "x\na = add.Tensor(x, {0}.5)\nb = _softmax.default(a, 1, False)\nreturn (b,)",
      "x\na = mul.Tensor(x, 0.{0})\nm = mm.default(x, a)\nb = sum.dim_IntList(m, [0])\nreturn (b,)",
  };
  const std::string text = fmt::format(fmt::runtime(kTexts[number % std::size(kTexts)]), number);
  const at::Tensor x = at::rand({8, 8});
  const auto compiled = CompileNative(text, {x});
  ASSERT_TRUE(IsAsEager(*compiled, text, {x})) << text;
  ASSERT_TRUE(IsAsEager(*compiled, text, {x.t()})) << text;
}

TEST(VariantsTest, CompilingCallingAndDroppingKeepsMemoryConstant) {
  const int cycles = Volume(100, 5'000);
  for (int i = 0; i < cycles; ++i) Cycle(i);
  const size_t ranges = MappedRanges();
  const size_t bytes = HeapBytes();
  for (int i = 0; i < cycles; ++i) Cycle(cycles + i);
  EXPECT_LE(MappedRanges(), ranges + 4);
  // A program that stays takes thousands of bytes.
  EXPECT_LE(HeapBytes(), bytes + 200 * cycles);
}

}  // namespace
}  // namespace culprit::tests
