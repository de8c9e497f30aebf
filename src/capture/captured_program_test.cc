// SPDX-License-Identifier: Apache-2.0
#include "capture/captured_program.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/custom_class.h>
#include <torch/library.h>

#include <thread>

#include "tests/lib/captured_function.h"

namespace culprit::capture {
namespace {

using c10::IValue;
using testing::ElementsAre;
using testing::HasSubstr;

struct Counter : torch::CustomClassHolder {
  int64_t Next() { return ++value; }
  int64_t value = 0;
};

TORCH_LIBRARY(culprit_capture_test, m) {
  m.class_<Counter>("Counter").def(torch::init<>()).def("next", &Counter::Next);
}

using Captured = tests::CapturedFunction;

constexpr const char* kScale = "def f(x: Tensor, n: int):\n  return x * n + 1\n";

TEST(ProgramTest, ACallIsOneGraphThatIsUsedAgain) {
  Captured f(kScale);
  EXPECT_EQ(f({at::ones({2}), 3}).toTensor()[0].item<float>(), 4);
  EXPECT_EQ(f({at::zeros({2}), 3}).toTensor()[0].item<float>(), 1);
  EXPECT_THAT(f.operators(), ElementsAre(2));
  EXPECT_TRUE(f.log().empty());
}

TEST(ProgramTest, GraphsHaveNamesOfTheirOwn) {
  Captured f("def f(x: Tensor):\n  print('a')\n  return x * 2\n");
  f({at::ones({2})});
  EXPECT_EQ(f.program().segments()[0]->name, "f_0_captured");
  EXPECT_EQ(f.program().segments()[1]->graph.name(), "f_1_captured");
}

TEST(ProgramTest, WhatWasComputedIsWrittenInsideAGraphBehindABreak) {
  Captured f("def f(x: Tensor):\n  y = x * 2\n  print('a')\n  return y.add_(1)\n");
  f({at::ones({2}).requires_grad_()});
  EXPECT_THAT(f.breaks(), ElementsAre("B04", ""));
}

TEST(ProgramTest, AnotherNumberIsCapturedAgainWithTheReason) {
  Captured f(kScale);
  f({at::ones({2}), 3});
  f({at::ones({2}), 4});
  EXPECT_THAT(f.log(), ElementsAre("captured again: n is 4, not 3"));
}

TEST(ProgramTest, AnotherTensorIsCapturedAgainWithTheReason) {
  Captured f(kScale);
  f({at::ones({2}), 3});
  f({at::ones({3}), 3});
  f({at::ones({2}, at::kDouble), 3});
  f({at::ones({4}).slice(0, 0, 4, 2), 3});
  f({at::ones({2}).requires_grad_(), 3});
  ASSERT_EQ(f.log().size(), 4);
  EXPECT_THAT(f.log()[0],
              HasSubstr("x is a Float tensor of [3] with strides [1], not a Float tensor of [2]"));
  EXPECT_THAT(f.log()[1], HasSubstr("x is a Double tensor"));
  EXPECT_THAT(f.log()[2], HasSubstr("with strides [2], not"));
  EXPECT_THAT(f.log()[3], HasSubstr("that requires grad"));
}

TEST(ProgramTest, GradModeIsGuarded) {
  Captured f(kScale);
  f({at::ones({2}), 3});
  const at::NoGradGuard no_grad;
  f({at::ones({2}), 3});
  EXPECT_THAT(f.log(), ElementsAre("captured again: grad mode is off, not on"));
}

TEST(ProgramTest, ATensorThatIsHandedOverTwiceIsCapturedAgain) {
  Captured f("def f(x: Tensor, y: Tensor):\n  x.add_(1)\n  return y * 2\n");
  const at::Tensor x = at::ones({2});
  EXPECT_EQ(f({at::ones({2}), at::ones({2})}).toTensor()[0].item<float>(), 2);
  EXPECT_EQ(f({x, x}).toTensor()[0].item<float>(), 4);
  EXPECT_THAT(f.log(), ElementsAre("captured again: whether x and y share memory has changed"));
  EXPECT_EQ(f({at::ones({2}), at::ones({2})}).toTensor()[0].item<float>(), 2);
}

TEST(ProgramTest, ListsAreGuardedByLengthAndKeysOfDictsByOrder) {
  Captured f(
      "def f(l: List[int], d: Dict[str, int]):\n  s = 0\n  for k in d.keys():\n    s = s * 2 + d[k]\n  "
      "return s + len(l)\n");
  const auto dict = [](const std::vector<std::string>& keys) {
    c10::Dict<std::string, int64_t> made;
    for (const std::string& key : keys) made.insert(key, key == "a" ? 1 : 5);
    return made;
  };
  EXPECT_EQ(f({c10::List<int64_t>({1}), dict({"a", "b"})}).toInt(), 8);
  EXPECT_EQ(f({c10::List<int64_t>({1}), dict({"b", "a"})}).toInt(), 12);
  EXPECT_EQ(f({c10::List<int64_t>({1, 2}), dict({"a", "b"})}).toInt(), 9);
  EXPECT_EQ(f.log().size(), 2);
}

TEST(ProgramTest, AfterManyCapturesAPlaceRunsAsWritten) {
  Captured f(kScale, {.segments_per_place = 3, .has_symbols = false});
  for (int64_t n = 0; n < 10; ++n) EXPECT_EQ(f({at::ones({2}), n}).toTensor()[0].item<float>(), n + 1);
  EXPECT_EQ(f.operators().size(), 3);
  EXPECT_THAT(f.warnings(),
              ElementsAre("f: from its beginning on it runs as written: captured 3 times there, 3 times in "
                          "all, the last one does not fit since n is 3, not 2"));
  EXPECT_EQ(f.program().counters().as_written, 1);
}

TEST(ProgramTest, AllPlacesTogetherHaveALimitToo) {
  Captured f("def f(x: Tensor):\n  for i in range(6):\n    print(i)\n    x = x + 1\n  return x\n",
             {.segments = 4, .has_symbols = false});
  EXPECT_EQ(f({at::zeros({2})}).toTensor()[0].item<float>(), 6);
  EXPECT_EQ(f.operators().size(), 4);
}

TEST(ProgramTest, WithFullGraphTheFirstBreakIsAnError) {
  Captured f("def f(x: Tensor):\n  y = x * 2\n  print(y)\n  return y\n", {.fullgraph = true});
  try {
    f({at::ones({2})});
    FAIL() << "no error";
  } catch (const NotOneGraph& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("B04: the program prints (prim::Print), at <string>:3 in f, code: print(y)"));
  }
}

TEST(ProgramTest, WithFullGraphAnExceptionOfTheProgramStaysOne) {
  Captured f("def f(x: Tensor):\n  assert x.dim() == 2, 'two'\n  return x\n", {.fullgraph = true});
  try {
    f({at::ones({2})});
    FAIL() << "no error";
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("AssertionError: two"));
  }
}

TEST(ProgramTest, AnExcludedFunctionRunsAsWritten) {
  Captured f("def g(x: Tensor):\n  return x * 2\ndef f(x: Tensor):\n  return g(x + 1) + 1\n",
             {.walk = {.disabled = {"g"}}});
  EXPECT_EQ(f({at::ones({2})}).toTensor()[0].item<float>(), 5);
  EXPECT_THAT(f.breaks(), testing::Contains("B13").Times(1));
  EXPECT_THAT(f.operators(), ElementsAre(1, 1)) << "in front of the call and behind it";
}

TEST(ProgramTest, AFunctionWrittenInCxxBreaks) {
  Captured f(
      "def f(x: Tensor, counter: __torch__.torch.classes.culprit_capture_test.Counter):\n  return x + "
      "counter.next()\n");
  const IValue counter = c10::make_intrusive<Counter>();
  EXPECT_EQ(f({at::ones({2}), counter}).toTensor()[0].item<float>(), 2);
  EXPECT_EQ(f({at::ones({2}), counter}).toTensor()[0].item<float>(), 3);
  EXPECT_EQ(f.breaks()[0], "B12");
}

TEST(ProgramTest, AnOperatorWithOtherResultsThanTensorsBreaks) {
  Captured f("def f(x: Tensor):\n  s, n = torch._choose_qparams_per_tensor(x, False)\n  return x * s\n");
  f({at::ones({3})});
  EXPECT_EQ(f.breaks()[0], "B09");
}

TEST(ProgramTest, ALongLoopBecomesSeveralGraphs) {
  Captured f("def f(x: Tensor):\n  for i in range(10):\n    x = x + i\n  return x\n",
             {.walk = {.limits = {.operators = 4}}});
  EXPECT_EQ(f({at::zeros({2})}).toTensor()[0].item<float>(), 45);
  EXPECT_THAT(f.breaks(), ElementsAre("B16", "B16", ""));
}

TEST(ProgramTest, WhatIsKeptForOperatorsThatMayFailHasALimit) {
  Captured f(
      "def f(xs: List[Tensor], x: Tensor, i: Tensor):\n"
      "  for k in range(4):\n    xs.append(torch.take(x, i))\n",
      {.walk = {.limits = {.checkpointed = 3}}});
  const c10::List<at::Tensor> xs;
  f({xs, at::ones({2}), at::zeros({1}, at::kLong)});
  EXPECT_EQ(xs.size(), 4);
  // In front of the second and the third operator: one value and two.
  EXPECT_THAT(f.breaks(), ElementsAre("B16", ""));
}

TEST(ProgramTest, ALoopOnDataUsesItsGraphAgain) {
  Captured f("def f(x: Tensor):\n  while bool(x.sum() < 100):\n    x = x * 2\n  return x\n");
  EXPECT_EQ(f({at::ones({2})}).toTensor()[0].item<float>(), 64);
  EXPECT_EQ(f.operators().size(), 4) << "before the loop, the first iteration, the others, the end";
}

TEST(ProgramTest, WhatIsOnlyCarriedAlongIsNotGuarded) {
  Captured f("def f(x: Tensor, n: int):\n  print('a')\n  y = x * 2\n  print('b')\n  return y, n\n");
  f({at::ones({2}), 3});
  const size_t captured = f.operators().size();
  EXPECT_EQ(f({at::ones({2}), 4}).toTupleRef().elements()[1].toInt(), 4);
  EXPECT_EQ(f.operators().size(), captured + 1) << "only where n is put into the result";
}

TEST(ProgramTest, SeveralThreadsCallOneProgram) {
  Captured f("def f(x: Tensor, n: int):\n  y = x * n\n  if bool(y.sum() > 10):\n    y = y + 1\n  return y\n",
             {.has_symbols = false});
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int64_t i = 0; i < 50; ++i) {
        const int64_t n = (t + i) % 4;
        const float expected = n * 6 > 10 ? static_cast<float>(n) * 3 + 1 : static_cast<float>(n) * 3;
        if (f({at::ones({2}).mul(3), n}).toTensor()[0].item<float>() != expected) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(f.operators().size(), 6) << "four numbers, and two branches; each captured once";
}

TEST(ProgramTest, CaptureDoesNotDrawRandomNumbers) {
  Captured f("def f(x: Tensor):\n  return torch.rand_like(x) + torch.rand([2])\n");
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  generator.set_current_seed(5);
  const at::Tensor first = f({at::ones({2})}).toTensor();
  generator.set_current_seed(5);
  EXPECT_TRUE(f({at::ones({2})}).toTensor().equal(first));
}

struct Warnings : c10::WarningHandler {
  void process(const c10::Warning& /*warning*/) override { ++count; }
  int count = 0;
};

// Libtorch makes chain_matmul of other operators, and warns before it does.
TEST(ProgramTest, CaptureDoesNotWarn) {
  Captured f("def f(x: Tensor):\n  return torch.chain_matmul([x, x])\n");
  Warnings warnings;
  const c10::WarningUtils::WarningHandlerGuard guard(&warnings);
  const c10::WarningUtils::WarnAlways always;
  for (int calls = 1; calls <= 2; ++calls) {
    f({at::ones({2, 2})});
    EXPECT_EQ(warnings.count, calls);
  }
}

/// What ranks have shown each other; the others see what this one sees, but for the rows of x.
struct OtherRanks {
  std::vector<PlaceView> shown;
  int64_t rows = 0;

  std::vector<PlaceView> Share(const PlaceView& view) {
    shown.push_back(view);
    PlaceView other = view;
    if (!other.inputs.empty()) other.inputs.back().sizes[0] = rows;
    return {view, other};
  }
  ShareView hook() {
    return [this](const PlaceView& view) { return Share(view); };
  }
};

constexpr const char* kDouble = "def f(x: Tensor):\n  return x * 2\n";

TEST(ProgramTest, APlaceIsSharedBeforeItIsCompiledForTheFirstTime) {
  OtherRanks ranks{.rows = 7};
  Captured f(kDouble, {.share = ranks.hook()});
  for (const int64_t rows : {3, 4, 7, 1}) f({at::ones({rows, 2})});
  EXPECT_THAT(f.operators(), ElementsAre(1, 1));
  ASSERT_EQ(ranks.shown.size(), 1);
  EXPECT_EQ(ranks.shown[0],
            (PlaceView{.place = "f: from its beginning",
                       .inputs = {{.name = "x", .type = "Float tensor", .sizes = {3, 2}, .strides = {2, 1}}},
                       .operators = 1}));
}

TEST(ProgramTest, TogetherTheFailedGuardIsSharedToo) {
  OtherRanks ranks{.rows = 3};
  Captured f(kDouble, {.share = ranks.hook(), .captures_together = true});
  f({at::ones({3, 2})});
  f({at::ones({3, 2})});
  f({at::ones({4, 2})});
  ASSERT_EQ(ranks.shown.size(), 5);
  EXPECT_EQ(ranks.shown[2].failed_guard, "");
  EXPECT_EQ(ranks.shown[3].failed_guard, "nothing that was compiled fits");
  EXPECT_THAT(ranks.shown[4].failed_guard, HasSubstr("x is a Float tensor of [4, 2]"));
}

TEST(ProgramTest, WithoutTheOthersAPlaceRunsAsWrittenWithOneWarning) {
  int asked = 0;
  const ShareView nobody = [&](const PlaceView&) -> std::vector<PlaceView> {
    ++asked;
    throw NoViews("rank 1 is away", /*is_told=*/false);
  };
  Captured f(kDouble, {.share = nobody});
  for (int call = 0; call < 3; ++call) EXPECT_EQ(f({at::ones({2})}).toTensor()[0].item<float>(), 2);
  EXPECT_THAT(f.warnings(), ElementsAre("f: from its beginning on it runs as written: rank 1 is away"));
  EXPECT_EQ(asked, 1);
  EXPECT_TRUE(f.operators().empty());
}

}  // namespace
}  // namespace culprit::capture
