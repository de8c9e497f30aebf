// SPDX-License-Identifier: Apache-2.0
//
// The search against checks that always say the same, lie, toss coins or take their time.
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>

#include "tests/lib/minimize_with.h"

namespace culprit::minify {
namespace {

using tests::Always;
using tests::Chain;
using tests::FailsIf;
using tests::FakeCheck;
using tests::MinimizeWithAll;
using tests::Needs;
using tests::OperatorsOf;

Program SomeChain() {
  return Chain(40, {{7, "exp"}, {31, "tanh"}});
}

graph::Hash128 HashOf(const Program& program) {
  return graph::StructuralHash(program.graph, program.inputs);
}

TEST(OddChecksTest, NothingElseFailsSoTheProgramStays) {
  for (const Answer answer : {Answer::kPasses, Answer::kOtherFailure, Answer::kInvalid}) {
    FakeCheck check(Always(answer));
    const SearchResult result = MinimizeWithAll(SomeChain(), check);
    EXPECT_EQ(HashOf(result.program), HashOf(SomeChain()));
    EXPECT_EQ(result.ended, Ended::kMinimal);
    EXPECT_EQ(check.asked_twice(), 0);
  }
}

TEST(OddChecksTest, EverythingFailsSoOneOperatorIsLeftAfterFewQuestions) {
  FakeCheck check(Always(Answer::kSameFailure));
  const SearchResult result = MinimizeWithAll(Chain(1000), check);
  EXPECT_EQ(OperatorsOf(result.program), std::vector<std::string>{"relu"}) << "the simplest there is";
  EXPECT_LE(result.questions, 14);
}

TEST(OddChecksTest, OneLieLeavesAProgramThatWasSaidToFail) {
  for (size_t lie = 1; lie < 30; ++lie) {
    size_t question = 0;
    std::set<graph::Hash128> said_to_fail;
    FakeCheck check([&](const Program& program) {
      const bool truth = Needs({"exp", "tanh"})(program).fails();
      const bool said = question++ == lie ? !truth : truth;
      if (said) said_to_fail.insert(HashOf(program));
      return FailsIf(said);
    });
    const SearchResult result = MinimizeWithAll(SomeChain(), check);
    EXPECT_EQ(result.ended, Ended::kMinimal);
    EXPECT_TRUE(said_to_fail.contains(HashOf(result.program))) << "lie " << lie;
  }
}

TEST(OddChecksTest, AChanceAnswerEndsTheSearchAllTheSame) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    std::mt19937_64 coin(seed);
    FakeCheck check([&](const Program&) { return FailsIf(coin() % 3 == 0); });
    const SearchResult result = MinimizeWithAll(SomeChain(), check);
    EXPECT_EQ(result.ended, Ended::kMinimal);
    EXPECT_GE(result.program.graph.nodes().size(), 1);
    EXPECT_EQ(check.asked_twice(), 0);
  }
}

TEST(OddChecksTest, NoMoreQuestionsThanAllowedWhateverTheJobs) {
  for (const size_t jobs : {1, 4}) {
    for (size_t most = 0; most < 12; ++most) {
      FakeCheck check(Needs({"exp", "tanh"}));
      const SearchResult result = MinimizeWithAll(SomeChain(), check, {.jobs = jobs, .max_questions = most});
      EXPECT_EQ(check.questions(), most + result.asked_in_vain);
      EXPECT_EQ(result.questions, most);
      if (jobs == 1) EXPECT_EQ(result.asked_in_vain, 0);
      EXPECT_EQ(result.ended, Ended::kQuestions);
    }
  }
}

TEST(OddChecksTest, ItStopsWhenItIsToldToWithTheSmallestSoFar) {
  std::atomic<size_t> answered = 0;
  size_t smallest = 40;
  FakeCheck check([&](const Program& program) {
    ++answered;
    return Needs({"exp", "tanh"})(program);
  });
  const SearchResult result = MinimizeWithAll(
      SomeChain(), check,
      {.stop = [&] { return answered >= 6; },
       .on_smaller = [&](const Smaller& smaller) { smallest = smaller.program.graph.nodes().size(); }});
  EXPECT_EQ(result.ended, Ended::kStopped);
  EXPECT_EQ(result.questions, 5) << "and one about the program itself";
  EXPECT_EQ(result.program.graph.nodes().size(), smallest);
  EXPECT_LT(smallest, 40);
}

TEST(OddChecksTest, ASlowCheckIsNotAskedAgainBehindTheDeadline) {
  using namespace std::chrono_literals;
  FakeCheck check([&](const Program& program) {
    std::this_thread::sleep_for(30ms);
    return Needs({"exp", "tanh"})(program);
  });
  const Program program = SomeChain();
  const SearchResult result =
      MinimizeWithAll(program, check, {.deadline = std::chrono::steady_clock::now() + 100ms});
  EXPECT_EQ(result.ended, Ended::kTime);
  EXPECT_LE(result.questions, 3);
}

TEST(OddChecksTest, SeveralThreadsAskAtATimeAndNothingTwice) {
  std::atomic<int> at_once = 0;
  std::atomic<int> most_at_once = 0;
  FakeCheck check([&](const Program& program) {
    const int now = ++at_once;
    for (int most = most_at_once; most < now && !most_at_once.compare_exchange_weak(most, now);) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    --at_once;
    return Needs({"exp", "tanh"})(program);
  });
  std::set<std::string> edits;
  const SearchResult result = MinimizeWithAll(
      SomeChain(), check, {.jobs = 4, .on_answer = [&](const Asked& asked) { edits.insert(asked.edit); }});
  EXPECT_EQ(OperatorsOf(result.program), (std::vector<std::string>{"exp", "tanh"}));
  EXPECT_EQ(most_at_once, 4);
  EXPECT_EQ(check.asked_twice(), 0);
}

TEST(OddChecksTest, AProgramThatDoesNotRunIsRefused) {
  tests::TestGraph g;
  g.Return({g.Call("aten::mm", {g.Placeholder("x"), g.Placeholder("y")})});
  FakeCheck check(Always(Answer::kSameFailure));
  const base::Result<SearchResult> result =
      Minimize({g.graph(), {at::ones({2, 3}), at::ones({2, 3})}}, check, {});
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message, testing::HasSubstr("does not run in eager"));
}

}  // namespace
}  // namespace culprit::minify
