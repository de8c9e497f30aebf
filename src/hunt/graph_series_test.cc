// SPDX-License-Identifier: Apache-2.0
#include "hunt/graph_series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::hunt {
namespace {

using testing::ElementsAre;

/// A letter for each graph: F fails, I is invalid, A fails in a way that is ignored, . passes.
class FakeHunt {
 public:
  explicit FakeHunt(std::string letters) : letters_(std::move(letters)) {}

  HuntOne hunt() {
    return [this](size_t index, bool quickly) -> base::Result<HuntedGraph> { return Look(index, quickly); };
  }

  std::vector<std::string> log;

 private:
  HuntedGraph Look(size_t index, bool quickly) {
    log.push_back(fmt::format("{} {}", quickly ? "look at" : "hunt in", index));
    HuntedGraph graph;
    const backend::FailureSignature aliasing{.phase = backend::FailurePhase::kCompare,
                                             .kind = backend::FailureKind::kAliasing};
    if (letters_[index] == 'F') graph.character.expectation = check::Expectation{};
    if (letters_[index] == 'I') graph.character.invalid = "eager itself failed";
    if (letters_[index] == 'A') graph.character.ignored.push_back(aliasing);
    if (letters_[index] == 'F' && !quickly) graph.report = Report{.folder = fmt::format("run{}", index)};
    return graph;
  }

  std::string letters_;
};

std::vector<std::string> LogOf(const std::string& letters, GraphSeries series = {}) {
  for (size_t i = 0; i < letters.size(); ++i) series.names.push_back(fmt::format("net_{}", i));
  FakeHunt fake(letters);
  Listener listener;
  EXPECT_TRUE(HuntInSeries(series, fake.hunt(), listener).ok());
  return fake.log;
}

TEST(GraphSeriesTest, TheFirstThatFailsIsMadeSmallerAndTheOthersAreLookedAt) {
  EXPECT_THAT(LogOf(".F.F"), ElementsAre("hunt in 0", "hunt in 1", "look at 2", "look at 3"));
}

TEST(GraphSeriesTest, IfAllAreWantedEachThatFailsIsMadeSmaller) {
  EXPECT_THAT(LogOf("FI.F", {.all = true}), ElementsAre("hunt in 0", "hunt in 1", "hunt in 2", "hunt in 3"));
}

TEST(GraphSeriesTest, WhatIsIgnoredIsNoFailureThatMakesTheOthersQuick) {
  EXPECT_THAT(LogOf("AF."), ElementsAre("hunt in 0", "hunt in 1", "look at 2"));
}

TEST(GraphSeriesTest, OneGraphCanBeChosen) {
  EXPECT_THAT(LogOf("F.F", {.only = 2}), ElementsAre("hunt in 2"));
}

TEST(GraphSeriesTest, EachGraphHasItsStanding) {
  FakeHunt fake("FIA.");
  Listener listener;
  const auto graphs = HuntInSeries({.names = {"a", "b", "c", "d"}}, fake.hunt(), listener);
  ASSERT_EQ(graphs->size(), 4u);
  std::vector<std::string> rows;
  for (const HuntedGraph& graph : *graphs)
    rows.push_back(fmt::format("{} {} {}", graph.number, graph.name, NameOf(graph.standing())));
  EXPECT_THAT(rows, ElementsAre("1 a failure", "2 b invalid", "3 c ignored", "4 d passes"));
  EXPECT_EQ((*graphs)[0].report->folder, "run0");
  EXPECT_EQ((*graphs)[1].what(), "eager itself failed");
  EXPECT_EQ((*graphs)[2].what(), "compare: wrong aliasing");
}

class StopsAfterTwo : public Listener {
 public:
  void OnGraphDone(const HuntedGraph& /*graph*/, bool /*quickly*/) override { ++done_; }
  bool stop() const override { return done_ == 2; }

 private:
  size_t done_ = 0;
};

TEST(GraphSeriesTest, WhoStopsItGetsWhatWasSeen) {
  FakeHunt fake("....");
  StopsAfterTwo listener;
  EXPECT_EQ(HuntInSeries({.names = {"a", "b", "c", "d"}}, fake.hunt(), listener)->size(), 2u);
}

TEST(ChooseGraphTest, ByNameOrByNumber) {
  const std::vector<std::string> names = {"net_0_captured", "net_1_captured"};
  EXPECT_EQ(ChooseGraph(names, "net_1_captured").value(), 1u);
  EXPECT_EQ(ChooseGraph(names, "1").value(), 0u);
}

TEST(ChooseGraphTest, TheErrorNamesTheNearestAndListsThem) {
  const std::vector<std::string> names = {"net_0_captured", "net_1_captured"};
  const base::Diagnostic error = ChooseGraph(names, "net_1_captred").error();
  EXPECT_EQ(error.message, "there is no graph 'net_1_captred', did you mean 'net_1_captured'?");
  EXPECT_THAT(error.notes, ElementsAre("graph 1: net_0_captured", "graph 2: net_1_captured"));
  EXPECT_EQ(ChooseGraph(names, "3").error().message, "there is no graph '3'");
  EXPECT_EQ(ChooseGraph(names, "0").error().message, "there is no graph '0'");
}

}  // namespace
}  // namespace culprit::hunt
