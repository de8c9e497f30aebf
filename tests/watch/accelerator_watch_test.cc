// SPDX-License-Identifier: Apache-2.0
//
// Live graphs on an accelerator whose operators return before they are done: the call that caused a failure
// is the one that is reported.
#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/lib/async_device.h"
#include "tests/lib/graph_builder.h"
#include "tests/lib/interpreting_backend.h"
#include "tests/lib/temporary_folder.h"
#include "watch/watched_backend.h"

namespace culprit::watch {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using tests::AsyncDevice;

constexpr const char* kError = "illegal memory access";

/// relu(x) * 2.
graph::Graph Doubled() {
  tests::TestGraph g;
  g.Return({g.Call("aten::mul.Tensor", {g.Call("aten::relu", {g.Placeholder("x")}), 2.0})});
  graph::Graph graph = g.graph();
  graph.set_name("net_0_captured");
  return graph;
}

at::Tensor From(double first) {
  return at::arange(first, first + 3, at::kFloat).to(AsyncDevice::device());
}

/// In the program.
void FailNow() {
  AsyncDevice::FailNext(kError);
  From(1).add(1);
}

class AcceleratorWatchTest : public testing::Test {
 protected:
  AcceleratorWatchTest() {
    AsyncDevice::Reset();
    settings_.repro_after = "aot";
    settings_.directory = runs_ / "runs";
  }
  ~AcceleratorWatchTest() override { AsyncDevice::Reset(); }

  /// A compiler that is watched.
  std::unique_ptr<backend::Backend> Compiler() {
    session_ = std::make_shared<WatchSession>(settings_, repro::Header{.backend = "aot-eager"},
                                              [this](const std::string& text) { warnings_ += text; });
    return Watch(std::make_unique<tests::InterpretingBackend>(seen_), Point::kAot, session_);
  }

  /// What is thrown; empty if nothing is.
  static std::string ErrorOf(const std::function<void()>& call) {
    try {
      call();
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }
  static std::string ErrorOfCall(backend::Compiled& compiled, const at::Tensor& x) {
    return ErrorOf([&] {
      backend::Values inputs = {x};
      compiled.Call(inputs);
    });
  }

  std::string Repro() const { return tests::ReadWholeFile(runs_ / "runs/latest/repro.py"); }

  const tests::TemporaryFolder runs_;
  base::Settings settings_;
  tests::Watch seen_;
  std::shared_ptr<WatchSession> session_;
  std::string warnings_;
};

TEST_F(AcceleratorWatchTest, AKernelThatFailsLateIsReportedForTheCallThatCausedIt) {
  for (const int level : {1, 2, 3, 4}) {
    SCOPED_TRACE(level);
    settings_.repro_level = level;
    const auto compiled = Compiler()->Compile(Doubled(), {From(1)});
    EXPECT_EQ(ErrorOfCall(*compiled, From(1)), "");
    const at::Tensor second = From(5);
    // The compiled graph is the next to compute, unless the numbers to compare with come first.
    if (level < 4) AsyncDevice::FailNext(kError);
    if (level == 4)
      seen_.returned = [](const std::string&, const backend::Values& outputs) {
        AsyncDevice::FailNext(kError);
        outputs.at(0).toTensor().add(1);
      };
    EXPECT_THAT(ErrorOfCall(*compiled, second),
                AllOf(HasSubstr(kError), HasSubstr("\nculprit: graph net_0_captured\nculprit: repro ")));
    seen_.returned = [](const std::string&, const backend::Values&) {};
    EXPECT_THAT(Repro(),
                AllOf(HasSubstr("torch.tensor([5.0, 6.0, 7.0]"), HasSubstr("type='privateuseone', index=0")));
    EXPECT_EQ(ErrorOfCall(*compiled, From(1)), "");
    EXPECT_EQ(session_->counters().failures, 1);
    EXPECT_EQ(warnings_, "");
  }
}

TEST_F(AcceleratorWatchTest, ADeviceThatIsBrokenSinceTheCallIsReported) {
  for (const int level : {1, 2, 3, 4}) {
    SCOPED_TRACE(level);
    settings_.repro_level = level;
    const auto compiled = Compiler()->Compile(Doubled(), {From(1)});
    seen_.returned = [](const std::string&, const backend::Values& outputs) {
      AsyncDevice::BreakNext(kError);
      outputs.at(0).toTensor().add(1);
    };
    EXPECT_THAT(ErrorOfCall(*compiled, From(5)),
                AllOf(HasSubstr(kError), HasSubstr("\nculprit: graph net_0_captured\nculprit: repro ")));
    EXPECT_THAT(Repro(), HasSubstr("# The data of these was not kept; they hold random numbers: x\n"));
    EXPECT_EQ(session_->counters().failures, 1);
    EXPECT_EQ(warnings_, "");
    AsyncDevice::Reset();
  }
}

TEST_F(AcceleratorWatchTest, ADeviceThatTheGraphItselfBreaksIsTheProgramsOwnWhereItRunsFirst) {
  settings_.repro_level = 4;
  const auto compiled = Compiler()->Compile(Doubled(), {From(1)});
  const at::Tensor x = From(5);
  AsyncDevice::BreakNext(kError);
  EXPECT_THAT(ErrorOfCall(*compiled, x), AllOf(HasSubstr(kError), Not(HasSubstr("culprit: "))));
  EXPECT_EQ(session_->counters().failures, 0);
}

TEST_F(AcceleratorWatchTest, WhatFailedBeforeTheCallIsTheProgramsOwn) {
  for (const int level : {1, 2, 3, 4}) {
    for (const bool suppresses : {false, true}) {
      SCOPED_TRACE(testing::Message() << level << suppresses);
      settings_.repro_level = level;
      settings_.suppress_errors = suppresses;
      const auto compiled = Compiler()->Compile(Doubled(), {From(1)});
      const at::Tensor x = From(5);
      FailNow();
      EXPECT_THAT(ErrorOfCall(*compiled, x), AllOf(HasSubstr(kError), Not(HasSubstr("culprit: "))));
      EXPECT_EQ(ErrorOfCall(*compiled, x), "");
      EXPECT_EQ(session_->counters().failures, 0);
      EXPECT_EQ(warnings_, "");
    }
  }
}

TEST_F(AcceleratorWatchTest, WithErrorsThatAreOnlySuppressedToo) {
  settings_.repro_after = "none";
  settings_.suppress_errors = true;
  const auto compiled = Compiler()->Compile(Doubled(), {From(1)});
  const at::Tensor x = From(5);
  FailNow();
  EXPECT_THAT(ErrorOfCall(*compiled, x), HasSubstr(kError));
  EXPECT_EQ(session_->counters().suppressed, 0);
}

TEST_F(AcceleratorWatchTest, WhatFailedBeforeTheCompilationIsTheProgramsOwn) {
  const at::Tensor x = From(1);
  FailNow();
  EXPECT_THAT(ErrorOf([&] { Compiler()->Compile(Doubled(), {x}); }),
              AllOf(HasSubstr(kError), Not(HasSubstr("culprit: "))));
  EXPECT_EQ(session_->counters().failures, 0);
}

TEST_F(AcceleratorWatchTest, WhatFailsLateInTheCompilerIsAFailureToCompile) {
  seen_.compiling = [](const graph::Graph&) { FailNow(); };
  EXPECT_THAT(
      ErrorOf([&] { Compiler()->Compile(Doubled(), {From(1)}); }),
      HasSubstr("backend 'aot-eager' cannot compile net_0_captured: c10::Error: illegal memory access\n"
                "culprit: graph net_0_captured\n"));
}

TEST_F(AcceleratorWatchTest, ACallThatThrowsLeavesNothingToFailInTheNext) {
  const auto compiled = Compiler()->Compile(Doubled(), {From(1)});
  const at::Tensor x = From(5);
  seen_.returned = [](const std::string&, const backend::Values&) {
    FailNow();
    throw std::runtime_error("thrown at once");
  };
  EXPECT_THAT(ErrorOfCall(*compiled, x), HasSubstr("thrown at once\nculprit: graph net_0_captured\n"));
  EXPECT_TRUE(x.cpu().equal(at::arange(5, 8, at::kFloat)));
}

TEST_F(AcceleratorWatchTest, WithoutAWatcherSomebodyElseGetsIt) {
  settings_.repro_level = 0;
  const auto compiled = Compiler()->Compile(Doubled(), {From(1)});
  const at::Tensor x = From(1);
  AsyncDevice::FailNext(kError);
  EXPECT_EQ(ErrorOfCall(*compiled, x), "");
  EXPECT_THAT(ErrorOf([&] { x.cpu(); }), AllOf(HasSubstr(kError), Not(HasSubstr("culprit: "))));
}

TEST_F(AcceleratorWatchTest, SuppressedItRunsAsWritten) {
  settings_.suppress_errors = true;
  const auto compiled = Compiler()->Compile(Doubled(), {From(1)});
  backend::Values inputs = {From(1)};
  AsyncDevice::FailNext(kError);
  const backend::Values outputs = compiled->Call(inputs);
  EXPECT_TRUE(outputs.at(0).toTensor().cpu().equal(at::arange(1, 4, at::kFloat).mul(2)));
  EXPECT_EQ(session_->counters().suppressed, 1);
}

TEST_F(AcceleratorWatchTest, ADeviceThatHangsIsACallThatHangs) {
  settings_.call_timeout = 0.2;
  const auto compiled = Compiler()->Compile(Doubled(), {From(1)});
  const at::Tensor x = From(1);
  {
    std::optional<AsyncDevice::Hold> hold;
    seen_.returned = [&](const std::string&, const backend::Values& outputs) {
      hold.emplace();
      outputs.at(0).toTensor().add(1);
    };
    bool is_told = false;
    const std::jthread release([&] {
      const std::string stacks = runs_ / "runs/latest/stacks.txt";
      for (int i = 0; i < 1000 && !is_told; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        is_told = std::filesystem::exists(stacks);
      }
      EXPECT_TRUE(is_told);
      hold.reset();
    });
    EXPECT_EQ(ErrorOfCall(*compiled, x), "");
  }
  EXPECT_EQ(session_->counters().failures, 1);
  EXPECT_THAT(warnings_, HasSubstr("a call has not come back after 0.2 s"));
  // Nobody can read what the device holds.
  EXPECT_THAT(Repro(), HasSubstr("# The data of these was not kept; they hold random numbers: x\n"));
  EXPECT_THAT(tests::ReadWholeFile(runs_ / "runs/latest/stacks.txt"), HasSubstr("WorkQueue::Wait()"));
}

}  // namespace
}  // namespace culprit::watch
