// SPDX-License-Identifier: Apache-2.0
#include "hunt/graph_series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::hunt {
namespace {

using testing::ElementsAre;

/// A letter for each graph: F fails, I is invalid, A fails in a way that is ignored, . passes.
class FakeWorker : public GraphWorker {
 public:
  explicit FakeWorker(std::string letters) : letters_(std::move(letters)) {}

  base::Result<HuntedGraph> Check(size_t index, bool quickly) override {
    last_ = index;
    log.push_back(fmt::format("{} {}", quickly ? "look at" : "check", index));
    HuntedGraph graph;
    const backend::FailureSignature aliasing{.phase = backend::FailurePhase::kCompare,
                                             .kind = backend::FailureKind::kAliasing};
    if (letters_[index] == 'F') graph.character.expectation = check::Expectation{};
    if (letters_[index] == 'I') graph.character.invalid = "eager itself failed";
    if (letters_[index] == 'A') graph.character.ignored.push_back(aliasing);
    return graph;
  }
  base::Result<Report> Minify() override {
    log.push_back(fmt::format("minify {}", last_));
    return Report{.folder = fmt::format("run{}", last_)};
  }

  std::vector<std::string> log;

 private:
  std::string letters_;
  size_t last_ = 0;
};

std::vector<std::string> LogOf(const std::string& letters, GraphSeries series = {}) {
  for (size_t i = 0; i < letters.size(); ++i) series.names.push_back(fmt::format("net_{}", i));
  FakeWorker worker(letters);
  EXPECT_TRUE(HuntInSeries(series, worker).ok());
  return worker.log;
}

TEST(GraphSeriesTest, TheFirstThatFailsIsMadeSmallerAndTheOthersAreLookedAt) {
  EXPECT_THAT(LogOf(".F.F"), ElementsAre("check 0", "check 1", "minify 1", "look at 2", "look at 3"));
}

TEST(GraphSeriesTest, IfAllAreWantedEachThatFailsIsMadeSmaller) {
  EXPECT_THAT(LogOf("FI.F", {.all = true}),
              ElementsAre("check 0", "minify 0", "check 1", "check 2", "check 3", "minify 3"));
}

TEST(GraphSeriesTest, WhatIsIgnoredIsNotMadeSmaller) {
  EXPECT_THAT(LogOf("AF", {.all = true}), ElementsAre("check 0", "check 1", "minify 1"));
}

TEST(GraphSeriesTest, OneGraphCanBeChosen) {
  EXPECT_THAT(LogOf("F.F", {.only = 2}), ElementsAre("check 2", "minify 2"));
}

TEST(GraphSeriesTest, EachGraphHasItsStanding) {
  FakeWorker worker("FIA.");
  const auto graphs = HuntInSeries({.names = {"a", "b", "c", "d"}}, worker);
  ASSERT_EQ(graphs->size(), 4u);
  std::vector<std::string> rows;
  for (const HuntedGraph& graph : *graphs)
    rows.push_back(fmt::format("{} {} {}", graph.number, graph.name, NameOf(graph.standing())));
  EXPECT_THAT(rows, ElementsAre("1 a failure", "2 b invalid", "3 c ignored", "4 d passes"));
  EXPECT_EQ((*graphs)[0].report->folder, "run0");
  EXPECT_EQ((*graphs)[1].what(), "eager itself failed");
  EXPECT_EQ((*graphs)[2].what(), "compare: wrong aliasing");
}

TEST(GraphSeriesTest, WhoStopsItGetsWhatWasSeen) {
  FakeWorker worker("....");
  size_t done = 0;
  GraphSeries series{.names = {"a", "b", "c", "d"}};
  series.stop = [&] { return done == 2; };
  series.on_done = [&](const HuntedGraph&) { ++done; };
  EXPECT_EQ(HuntInSeries(series, worker)->size(), 2u);
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
