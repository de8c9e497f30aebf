// SPDX-License-Identifier: Apache-2.0
//
// The programs in tests/fixtures/autograd: each has something in it that makes forward and backward hard to
// compile. Whatever way backward is called, and whether arguments are leaves, have a history or are views,
// all that is left behind has to be what libtorch's own interpreter leaves.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>
#include <set>

#include "tests/autograd/backends.h"
#include "tests/capture/captured.h"
#include "tests/capture/hazard.h"
#include "tests/lib/fixtures.h"

namespace culprit::tests {
namespace {

std::vector<Hazard> Hazards() {
  std::vector<Hazard> hazards;
  for (const std::string& path : FixturesIn("autograd")) {
    base::Result<Hazard> hazard = ParseHazard(path, ReadFixture(path));
    EXPECT_TRUE(hazard.ok()) << hazard.error().Render();
    if (!hazard.ok()) continue;
    hazard->variants.clear();
    for (const InputForm form : kAllInputForms) {
      for (const Backward backward : kAllBackward) hazard->variants.push_back({backward, form});
    }
    hazards.push_back(*std::move(hazard));
  }
  return hazards;
}

TEST(AutogradHazards, ThereAreManyAndEachIsSomethingElse) {
  std::set<std::string> descriptions;
  for (const Hazard& hazard : Hazards())
    EXPECT_TRUE(descriptions.insert(hazard.description).second) << hazard.path << ": " << hazard.description;
  EXPECT_GE(descriptions.size(), 250U);
}

/// What was met in the observations, so that the list cannot become harmless.
struct Met {
  size_t gradients = 0;
  size_t missing_gradients = 0;
  size_t backward_errors = 0;
  size_t forward_errors = 0;
  size_t refused_writes = 0;

  void Count(const Fact& fact) {
    if (fact.first.starts_with("gradient of")) ++(fact.second == "none" ? missing_gradients : gradients);
    backward_errors += fact.first == "backward";
    forward_errors += fact.first == "exception";
    refused_writes += fact.first.starts_with("writing an");
  }
};

TEST(AutogradHazards, EveryCallLeavesTheSameBehindHoweverBackwardIsCalled) {
  for (const char* backend : kExactBackends) {
    Met met;
    Coverage coverage;
    size_t calls = 0;
    for (const Hazard& hazard : Hazards()) {
      SCOPED_TRACE(fmt::format("{} with {}: {}", hazard.path, backend, hazard.description));
      const auto comparison = CompareCaptured(hazard, coverage, backend);
      EXPECT_TRUE(comparison.ok()) << comparison.error().Render();
      if (!comparison.ok()) continue;
      EXPECT_EQ(comparison->differences, "");
      calls += comparison->expected.size();
      for (const Observation& call : comparison->expected) {
        for (const Fact& fact : call.facts) met.Count(fact);
      }
    }
    std::cout << fmt::format("{}: {} calls, something forgiven in {}; {} graphs, {} of them not split\n",
                             backend, calls, coverage.forgiven, coverage.graphs, coverage.unsplit);
    EXPECT_LT(coverage.forgiven * 10, calls);
    EXPECT_LT(coverage.unsplit * 5, coverage.graphs);
    EXPECT_GT(met.gradients, 10'000U);
    EXPECT_GT(met.missing_gradients, 500U);
    EXPECT_GT(met.backward_errors, 1'000U);
    EXPECT_GT(met.forward_errors, 100U);
    EXPECT_GT(met.refused_writes, 50U);
  }
}

}  // namespace
}  // namespace culprit::tests
