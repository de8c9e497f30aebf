// SPDX-License-Identifier: Apache-2.0
//
// What goes to a child and comes back, whatever it is.
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/library.h>

#include <chrono>
#include <thread>

#include "check/query/query_limits.h"
#include "check/query/query_task.h"
#include "tests/lib/process_census.h"
#include "tests/question/faulty_repro.h"
#include "tests/question/query_zygote.h"

namespace culprit::tests {
namespace {

using check::Finding;
using testing::HasSubstr;
using namespace std::chrono_literals;

at::Tensor Slow(const at::Tensor& x, int64_t milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  return x.clone();
}

TORCH_LIBRARY(culprit_question_test, library) {
  library.def("slow(Tensor x, int milliseconds) -> Tensor", Slow);
}

class IsolatedQueryTest : public testing::Test {
 protected:
  Finding Ask(const repro::Repro& repro) { return *query_.Ask(repro); }

  check::IsolatedQuery query_{QueryZygote(), {}};
};

/// A sum of as many inputs as are wanted.
repro::Repro Adding(std::vector<c10::IValue> inputs) {
  TestGraph g;
  graph::ValueId sum = g.Placeholder("x");
  for (size_t i = 1; i < inputs.size(); ++i)
    sum = g.Call("aten::add.Tensor", {sum, g.Placeholder(fmt::format("x_{}", i))});
  g.Return({sum});
  repro::Repro repro{g.graph(), std::move(inputs)};
  repro.header.accuracy = repro::Accuracy::kStrict;
  return repro;
}

size_t SharedMemoryOfThisProcess() {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const std::string target = std::filesystem::read_symlink(entry.path(), gone);
    if (target.find("memfd:") != std::string::npos) ++count;
  }
  return count;
}

TEST_F(IsolatedQueryTest, LargeAndSmallTensorsArriveAsTheyAre) {
  const at::Tensor large = at::full({1 << 20}, 2.0, at::kFloat);
  repro::Repro repro = Adding({large, at::ones({}), at::ones({1 << 20}, at::kDouble)});
  EXPECT_TRUE(Ask(repro).passes());
  repro.header.faults = {"add:above:1048576"};
  EXPECT_TRUE(Ask(repro).passes()) << "as many elements as were sent, and no more";
  repro.header.faults = {"add:above:1048575"};
  EXPECT_FALSE(Ask(repro).passes());
}

TEST_F(IsolatedQueryTest, ManyLargeTensorsArrive) {
  std::vector<c10::IValue> inputs;
  for (int i = 0; i < 220; ++i) inputs.emplace_back(at::full({1 << 18}, 1.0, at::kFloat));
  repro::Repro repro = Adding(std::move(inputs));
  repro.header.accuracy = repro::Accuracy::kOff;
  EXPECT_TRUE(Ask(repro).passes()) << "more than descriptors can be passed";
}

TEST_F(IsolatedQueryTest, LargeTensorsThatNobodyHoldsAnyMoreAreForgotten) {
  const repro::Repro kept = Adding({at::ones({1 << 19}), at::ones({1})});
  EXPECT_TRUE(Ask(kept).passes());
  const size_t before = SharedMemoryOfThisProcess();
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(Ask(Adding({at::ones({1 << 19}), at::ones({1})})).passes());
  EXPECT_TRUE(Ask(kept).passes());
  EXPECT_LE(SharedMemoryOfThisProcess(), before + 1);
}

TEST_F(IsolatedQueryTest, WhatAChildWritesReachesNoOtherQuery) {
  const at::Tensor large = at::ones({1 << 19});
  repro::Repro repro = Adding({large, at::ones({1})});
  repro.header.faults = {"add:writes-input"};
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(Ask(repro).failure->ToString(), "compare: mutated input in inputs[0] (call 1)");
  EXPECT_TRUE(large.equal(at::ones({1 << 19})));
  repro.header.faults.clear();
  EXPECT_TRUE(Ask(repro).passes());
}

TEST_F(IsolatedQueryTest, ACompilerThatExitsAfterComputingOnSeveralThreadsEnds) {
  repro::Repro repro = Adding({at::ones({1 << 20}), at::ones({1 << 20})});
  repro.header.faults = {"add:exit7"};
  EXPECT_THAT(Ask(repro).failure->ToString(), HasSubstr("exit"));
}

TEST_F(IsolatedQueryTest, AGraphThatIsSlowInEagerHasMoreTimeIfLimitsMayGrow) {
  TestGraph g;
  g.Return({g.Call("culprit_question_test::slow", {g.Placeholder("x"), 300})});
  repro::Repro repro{g.graph(), {at::ones({2})}};
  repro.header.accuracy = repro::Accuracy::kStrict;
  isolate::Limits limits{.wall_time = 600ms};
  const Finding cut_off = *check::IsolatedQuery(QueryZygote(), limits).Ask(repro);
  EXPECT_THAT(cut_off.invalid, HasSubstr("reached a limit of Culprit's own in the second run of eager"));
  limits.growth = check::QueryLimits().growth;
  EXPECT_TRUE(check::IsolatedQuery(QueryZygote(), limits).Ask(repro)->passes());
}

TEST_F(IsolatedQueryTest, AHangOfTheCompilerIsFoundAfterTheUsualTimeIfEagerIsQuick) {
  isolate::Limits limits = check::QueryLimits();
  limits.wall_time = 2s;
  const auto begin = std::chrono::steady_clock::now();
  const Finding finding = *check::IsolatedQuery(QueryZygote(), limits).Ask(FaultyRepro("eager", "hang"));
  EXPECT_EQ(finding.failure->ToString(), "call 1: time limit exceeded");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
}

TEST_F(IsolatedQueryTest, AGraphThatTakesMuchMemoryInEagerHasMoreIfLimitsMayGrow) {
  // 100 MiB, as the input, which is shared, and as what is computed.
  const repro::Repro repro = Adding({at::ones({25 << 20}), at::ones({1})});
  isolate::Limits limits{.memory_bytes = 320 << 20};
  EXPECT_THAT(check::IsolatedQuery(QueryZygote(), limits).Ask(repro)->invalid,
              HasSubstr("reached a limit of Culprit's own in the second run of eager: used "));
  limits.growth = check::QueryLimits().growth;
  EXPECT_TRUE(check::IsolatedQuery(QueryZygote(), limits).Ask(repro)->passes());
}

TEST_F(IsolatedQueryTest, WhatEagerCannotRunIsInvalid) {
  EXPECT_THAT(Ask(Adding({at::ones({2}), at::ones({3})})).invalid, HasSubstr("eager itself failed"));
}

TEST_F(IsolatedQueryTest, ABackendThatCannotBeOpenedIsInvalid) {
  repro::Repro repro = FaultyRepro("no-such-backend", "");
  EXPECT_THAT(Ask(repro).invalid, HasSubstr("no-such-backend"));
}

TEST_F(IsolatedQueryTest, WhatCannotBeSentIsInvalid) {
  repro::Repro repro = FaultyRepro("eager", "");
  repro.inputs[0] = c10::IValue(c10::make_intrusive<c10::ivalue::Future>(c10::IntType::get()));
  EXPECT_THAT(Ask(repro).invalid, HasSubstr("it cannot be sent"));
}

}  // namespace
}  // namespace culprit::tests
