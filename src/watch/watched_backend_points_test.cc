// SPDX-License-Identifier: Apache-2.0
//
// Both points of a program: what shows at the lower one is told there, everything else at the upper one.
#include <culprit/errors.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "backends/table.h"
#include "graph/fake/world.h"
#include "tests/lib/watched_graph.h"
#include "watch/notice/notice.h"
#include "watch/watched_backend.h"

namespace culprit::watch {
namespace {

using backend::Values;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

void ThrowNoRoom() {
  throw std::out_of_range("no room");
}

/// In the place of autograd: a layer that calls what is below it, and is odd itself.
class BetweenCompiled : public backend::Compiled {
 public:
  BetweenCompiled(std::unique_ptr<backend::Compiled> lower, tests::Behaviour& behaviour)
      : lower_(std::move(lower)), behaviour_(behaviour) {}
  Values Call(Values& inputs) override {
    Values given = inputs;
    Values outputs = lower_->Call(given);
    behaviour_.call(inputs, outputs);
    return outputs;
  }

 private:
  const std::unique_ptr<backend::Compiled> lower_;
  tests::Behaviour& behaviour_;
};

class BetweenBackend : public backend::Backend {
 public:
  BetweenBackend(std::unique_ptr<backend::Backend> lower, tests::Behaviour& behaviour)
      : lower_(std::move(lower)), behaviour_(behaviour) {}
  std::unique_ptr<backend::Compiled> Compile(graph::Graph graph, const Values& inputs) override {
    behaviour_.compile(graph, inputs);
    graph.set_name("net_0_inference");
    return std::make_unique<BetweenCompiled>(lower_->Compile(graph, inputs), behaviour_);
  }

 private:
  const std::unique_ptr<backend::Backend> lower_;
  tests::Behaviour& behaviour_;
};

class WatchedPointsTest : public tests::WatchedGraphTest {
 protected:
  WatchedPointsTest() {
    graph_.set_name("net_0_captured");
    settings_.repro_after = "auto";
  }

  /// program => [kCapture] => between_ => [kAot] => odd_
  std::unique_ptr<backend::Compiled> CompileAtBoth() {
    const ProgramCall call;
    MakeSession();
    auto between = std::make_unique<BetweenBackend>(
        Watch(std::make_unique<tests::OddBackend>(odd_), Point::kAot, session_), between_);
    return Watch(std::move(between), Point::kCapture, session_)->Compile(graph_, inputs_);
  }

  /// Of the graphs that were reported.
  std::vector<std::string> Reported() const {
    std::vector<std::string> names;
    for (const repro::ReadRepro& repro : Repros()) names.push_back(repro.script.graph.name());
    return names;
  }

  /// Of the graphs that something was being done with, according to the disk.
  std::vector<std::string> InProgress() const {
    std::vector<std::string> names;
    for (const std::string& name : tests::NamesIn(runs_.path())) {
      const std::string folder = runs_.path() + "/" + name;
      // Beside them is the link to the store.
      if (name != "latest" && tests::NamesIn(folder + "/in_progress").size() > 1)
        names.push_back(tests::OpenedRepro(folder + "/repro.py").script.graph.name());
    }
    return names;
  }

  tests::Behaviour between_;
};

/// Fails when gradients come.
void ThrowInBackward(Values&, Values& outputs) {
  if (outputs[0].toTensor().requires_grad())
    outputs[0].toTensor().register_hook([](const at::Tensor&) { ThrowNoRoom(); });
}

TEST_F(WatchedPointsTest, ABackwardPassThatOnlyFailsAboveIsReportedAtCapture) {
  inputs_ = {tests::Numbers().set_requires_grad(true)};
  for (const int level : {1, 2, 3, 4}) {
    settings_.repro_level = level;
    odd_.call = ThrowInBackward;
    EXPECT_THROW(Compile(Point::kCapture), std::out_of_range) << level;
    EXPECT_EQ(session_->counters().failures, 1) << level;
  }
  EXPECT_THAT(Reported(),
              ElementsAre("net_0_captured", "net_0_captured", "net_0_captured", "net_0_captured"));
}

TEST_F(WatchedPointsTest, WhatShowsBelowIsReportedThereAlone) {
  odd_.call = [](Values&, Values&) { ThrowNoRoom(); };
  const auto compiled = CompileAtBoth();
  EXPECT_THROW(Call(*compiled), std::out_of_range);
  EXPECT_THAT(Reported(), ElementsAre("net_0_inference"));
  EXPECT_EQ(session_->counters().failures, 1);
}

TEST_F(WatchedPointsTest, WhatDoesNotShowBelowIsReportedAtCapture) {
  between_.call = [](Values&, Values&) { ThrowNoRoom(); };
  const auto compiled = CompileAtBoth();
  EXPECT_THROW(Call(*compiled), std::out_of_range);
  EXPECT_THAT(Reported(), ElementsAre("net_0_captured"));
  EXPECT_EQ(session_->counters().failures, 1);
}

TEST_F(WatchedPointsTest, WrongNumbersThatComeAboveAreReportedAtCapture) {
  settings_.repro_level = 4;
  between_.call = [](Values&, Values& outputs) { outputs[0] = outputs[0].toTensor().add(1); };
  EXPECT_THROW(CompileAtBoth(), AccuracyError);
  EXPECT_THAT(Reported(), ElementsAre("net_0_captured"));
}

TEST_F(WatchedPointsTest, WrongNumbersThatComeBelowAreReportedThereAlone) {
  settings_.repro_level = 4;
  odd_.call = [](Values&, Values& outputs) { outputs[0] = outputs[0].toTensor().add(1); };
  EXPECT_THROW(CompileAtBoth(), AccuracyError);
  EXPECT_THAT(Reported(), ElementsAre("net_0_inference"));
  EXPECT_EQ(session_->counters().failures, 1);
}

TEST_F(WatchedPointsTest, WhatRunsAboveIsOnDiskToo) {
  settings_.repro_level = 3;
  std::vector<std::string> above;
  std::vector<std::string> below;
  between_.call = [&](Values&, Values&) { above = InProgress(); };
  odd_.call = [&](Values&, Values&) { below = InProgress(); };
  CompileAtBoth();
  EXPECT_THAT(above, ElementsAre("net_0_captured"));
  EXPECT_THAT(below, ElementsAre("net_0_captured", "net_0_inference"));
  EXPECT_THAT(Reported(), IsEmpty());
}

constexpr double kLimit = 0.2;

void SleepTooLong() {
  std::this_thread::sleep_for(std::chrono::duration<double>(2 * kLimit));
}

TEST_F(WatchedPointsTest, AHangAboveIsReportedAtCapture) {
  settings_.call_timeout = kLimit;
  between_.call = [](Values&, Values&) { SleepTooLong(); };
  CompileAtBoth();
  EXPECT_THAT(Reported(), ElementsAre("net_0_captured"));
}

TEST_F(WatchedPointsTest, AHangBelowIsReportedThereAlone) {
  settings_.call_timeout = kLimit;
  odd_.call = [](Values&, Values&) { SleepTooLong(); };
  CompileAtBoth();
  EXPECT_THAT(Reported(), ElementsAre("net_0_inference"));
  ASSERT_THAT(warnings_, SizeIs(1));
  EXPECT_THAT(warnings_[0],
              StartsWith("a call has not come back after 0.2 s\nculprit: graph net_0_inference\n"));
}

bool HoldsFakes(const Values& values) {
  return graph::fake::World::IsFake(values.at(0).toTensor());
}

TEST_F(WatchedPointsTest, BelowAutogradCompilersSeeFakesAndTheFirstCallIsWhatIsChecked) {
  settings_.repro_after = "aot";
  settings_.repro_level = 4;
  MakeSession();
  odd_.compile = [](graph::Graph&, const Values& inputs) { EXPECT_TRUE(HoldsFakes(inputs)); };
  odd_.call = [](Values& inputs, Values&) { EXPECT_FALSE(HoldsFakes(inputs)); };
  const auto wrap = [&](std::unique_ptr<backend::Backend>) {
    return Watch(std::make_unique<tests::OddBackend>(odd_), Point::kAot, session_);
  };
  const auto backend = *backends::Open(*backend::ParseSpec("aot-eager"), {.wrap = wrap});
  const auto compiled = backend->Compile(graph_, inputs_);
  EXPECT_EQ(odd_.compilations, 1);
  EXPECT_EQ(odd_.calls, 0);
  Call(*compiled);
  EXPECT_EQ(odd_.calls, 1);
  EXPECT_EQ(session_->counters().checked, 1);
}

TEST_F(WatchedPointsTest, WhereBothPointsSeeTheSameGraphItIsOnDiskOnce) {
  settings_.repro_level = 3;
  MakeSession();
  session_->set_splits_graphs(false);
  odd_.call = [&](Values&, Values&) { EXPECT_THAT(InProgress(), SizeIs(1)); };
  Watch(Watch(std::make_unique<tests::OddBackend>(odd_), Point::kAot, session_), Point::kCapture, session_)
      ->Compile(graph_, inputs_);
  EXPECT_EQ(odd_.calls, 1);
}

}  // namespace
}  // namespace culprit::watch
