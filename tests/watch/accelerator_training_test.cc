// SPDX-License-Identifier: Apache-2.0
//
// Live programs that train on an accelerator: libtorch runs backward passes there on threads of its own, one
// for each device, which serve all threads of the program.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>

#include <atomic>
#include <set>
#include <thread>

#include "tests/lib/async_device.h"
#include "tests/lib/interpreting_backend.h"
#include "tests/lib/short_graph.h"
#include "tests/lib/temporary_folder.h"
#include "watch/notice/notice.h"
#include "watch/session/not_watched.h"
#include "watch/watched_backend.h"

namespace culprit::watch {
namespace {

using backend::Values;
using testing::StartsWith;
using tests::AsyncDevice;

graph::Graph Named(const char* text, const char* name) {
  graph::Graph graph = tests::ShortGraph(text);
  graph.set_name(name);
  return graph;
}

graph::Graph Doubled() {
  return Named("x\nmul = mul.Tensor(x, 2.0)\nreturn (mul,)\n", "net_0_captured");
}

/// Runs a compiled backward graph.
struct CompiledBackward : torch::autograd::Node {
  explicit CompiledBackward(backend::Compiled& backward) : compiled(backward) {}
  torch::autograd::variable_list apply(torch::autograd::variable_list&& gradients) override {
    Values inputs = {gradients.at(0)};
    return {compiled.Call(inputs).at(0).toTensor()};
  }
  backend::Compiled& compiled;
};

class CompiledDoubled : public backend::Compiled {
 public:
  explicit CompiledDoubled(std::unique_ptr<backend::Compiled> backward) : backward_(std::move(backward)) {}

  Values Call(Values& inputs) override {
    const at::Tensor x = inputs.at(0).toTensor();
    at::Tensor y = x.detach().mul(2);
    if (!at::GradMode::is_enabled() || !x.requires_grad()) return {y};
    const auto node = c10::make_intrusive<CompiledBackward>(*backward_);
    node->set_next_edges(torch::autograd::collect_next_edges(x));
    torch::autograd::set_history(y, node);
    return {y};
  }

 private:
  const std::unique_ptr<backend::Compiled> backward_;
};

/// In the place of Culprit's autograd, which leaves graphs on accelerators as they are.
class AutogradOfDoubled : public backend::Backend {
 public:
  explicit AutogradOfDoubled(std::unique_ptr<backend::Backend> lower) : lower_(std::move(lower)) {}
  bool gives_gradients() const override { return true; }
  std::unique_ptr<backend::Compiled> Compile(graph::Graph /*graph*/, const Values& inputs) override {
    const graph::Graph backward =
        Named("tangent\nmul = mul.Tensor(tangent, 2.0)\nreturn (mul,)\n", "net_0_backward");
    return std::make_unique<CompiledDoubled>(lower_->Compile(backward, inputs));
  }

 private:
  const std::unique_ptr<backend::Backend> lower_;
};

at::Tensor Trained() {
  return at::arange(1, 4, at::kFloat).to(AsyncDevice::device()).requires_grad_(true);
}

class AcceleratorTrainingTest : public testing::Test {
 protected:
  AcceleratorTrainingTest() {
    AsyncDevice::Reset();
    settings_.repro_after = "auto";
    settings_.repro_level = 4;
    settings_.directory = runs_ / "runs";
  }

  std::unique_ptr<backend::Compiled> Compile() {
    repro::Header header{.backend = "aot-eager"};
    header.accuracy = repro::Accuracy::kStrict;
    session_ = std::make_shared<WatchSession>(settings_, header,
                                              [this](const std::string& text) { warnings_ += text; });
    auto lower = Watch(std::make_unique<tests::InterpretingBackend>(seen_), Point::kAot, session_);
    return Watch(std::make_unique<AutogradOfDoubled>(std::move(lower)), Point::kCapture, session_)
        ->Compile(Doubled(), {Trained()});
  }

  void ThrowInBackward() {
    seen_.returned = [this](const std::string&, const Values&) {
      ++failed_;
      throw std::runtime_error("no room");
    };
  }
  void BeWrongInBackward() {
    seen_.returned = [](const std::string&, const Values& outputs) { outputs.at(0).toTensor().add_(1); };
  }

  static std::string ErrorOf(const std::function<void()>& call) {
    try {
      call();
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }
  /// As a program compiles it in its first call (src/api).
  std::string ErrorOfProgram() {
    return ErrorOf([&] {
      ProgramCall call;
      try {
        Values inputs = {Trained()};
        Compile()->Call(inputs);
      } catch (...) {
        call.Rethrow();
      }
    });
  }
  static at::Tensor LossOf(backend::Compiled& compiled) {
    Values inputs = {Trained()};
    return compiled.Call(inputs).at(0).toTensor().sum();
  }

  /// Names of graphs.
  std::vector<std::string> Reported() const {
    std::vector<std::string> graphs;
    for (const std::string& name : tests::NamesIn(runs_.path())) {
      for (const std::string& run : tests::NamesIn(runs_ / name))
        if (run != "latest") graphs.push_back(run.substr(run.find("net_0")));
    }
    return graphs;
  }

  const tests::TemporaryFolder runs_;
  base::Settings settings_;
  tests::Watch seen_;
  std::atomic<int> failed_ = 0;
  std::shared_ptr<WatchSession> session_;
  std::string warnings_;
};

using testing::ElementsAre;

TEST_F(AcceleratorTrainingTest, ARightBackwardGraphIsNoFailure) {
  EXPECT_EQ(ErrorOfProgram(), "");
  EXPECT_EQ(session_->counters().checked, 1);
  EXPECT_EQ(warnings_, "");
}

TEST_F(AcceleratorTrainingTest, AWrongBackwardGraphIsReportedOnceWhenItIsChecked) {
  BeWrongInBackward();
  EXPECT_THAT(
      ErrorOfProgram(),
      StartsWith("net_0_backward: compare: wrong values in outputs[0] (call 1): outputs[0] differs by up "
                 "to 1\nculprit: graph net_0_backward\nculprit: repro "));
  EXPECT_THAT(Reported(), ElementsAre("net_0_backward"));
  EXPECT_EQ(session_->counters().failures, 1);
  EXPECT_EQ(warnings_, "");
}

TEST_F(AcceleratorTrainingTest, ABackwardGraphThatThrowsIsReportedOnceWhenItIsChecked) {
  ThrowInBackward();
  EXPECT_THAT(ErrorOfProgram(), StartsWith("no room\nculprit: graph net_0_backward\nculprit: repro "));
  EXPECT_THAT(Reported(), ElementsAre("net_0_backward"));
  EXPECT_EQ(session_->counters().failures, 1);
  EXPECT_EQ(warnings_, "");
}

TEST_F(AcceleratorTrainingTest, BehindCaptureTheCheckSeesWhatTheCompilerDoes) {
  settings_.repro_after = "capture";
  settings_.suppress_errors = true;
  ThrowInBackward();
  const auto compiled = Compile();
  EXPECT_THAT(Reported(), ElementsAre("net_0_captured"));
  EXPECT_EQ(failed_, 1);
  EXPECT_EQ(session_->counters().failures, 1);
  EXPECT_EQ(session_->counters().suppressed, 0);
}

TEST_F(AcceleratorTrainingTest, TheProgramsOwnBackwardPassIsWatched) {
  settings_.repro_after = "aot";
  ThrowInBackward();
  const auto compiled = Compile();
  const at::Tensor loss = LossOf(*compiled);
  EXPECT_THAT(ErrorOf([&] { loss.backward(); }),
              StartsWith("no room\nculprit: graph net_0_backward\nculprit: repro "));
  EXPECT_EQ(session_->counters().failures, 1);
}

TEST_F(AcceleratorTrainingTest, ABackwardPassDoesNotWaitForeverForACheckThatWaitsForItsThread) {
  settings_.repro_after = "aot";
  ThrowInBackward();
  const auto compiled = Compile();
  const at::Tensor loss = LossOf(*compiled);
  const at::Tensor checked = Trained();
  std::jthread program;
  {
    const CheckScope check;
    program = std::jthread([&] { ErrorOf([&] { loss.backward(); }); });
    while (failed_ == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    checked.mul(2).sum().backward();
  }
  program.join();
  EXPECT_TRUE(checked.grad().defined());
  EXPECT_EQ(session_->counters().failures, 1);
}

}  // namespace
}  // namespace culprit::watch
