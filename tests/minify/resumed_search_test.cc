// SPDX-License-Identifier: Apache-2.0
//
// A search that is repeated with the answers of an interrupted one goes the same way.
#include <gtest/gtest.h>

#include "tests/lib/minimize_with.h"
#include "tests/lib/random_graph.h"

namespace culprit::minify {
namespace {

using tests::AnswerFunction;
using tests::ByHash;
using tests::Chain;
using tests::FakeCheck;
using tests::MinimizeWithAll;
using tests::Needs;

struct Interrupted {
  size_t questions = 0;
  SearchResult result;
};

/// Two searches that share one check: the first ends after `most` questions, the second has its answers.
Interrupted SearchInTwo(const Program& program, const AnswerFunction& answer, size_t most, size_t jobs) {
  FakeCheck check(answer);
  SearchOptions first{.jobs = jobs, .max_questions = most};
  KnownReplies memory;
  first.on_answer = [&](const Asked& asked) { memory[asked.hash] = asked.reply; };
  MinimizeWithAll(program, check, first);
  Interrupted interrupted{memory.size(),
                          MinimizeWithAll(program, check, {.jobs = jobs, .remembered = memory})};
  // What was asked ahead and not needed before the interruption may be asked again.
  if (jobs == 1) EXPECT_EQ(check.asked_twice(), 0) << "cut at " << most;
  interrupted.questions += interrupted.result.questions;
  return interrupted;
}

void ExpectSameHoweverItIsCut(const Program& program, const AnswerFunction& answer, size_t jobs,
                              size_t step = 1) {
  FakeCheck check(answer);
  const SearchResult whole = MinimizeWithAll(program, check, {.jobs = jobs});
  for (size_t most = 0; most <= whole.questions; most += step) {
    const Interrupted interrupted = SearchInTwo(program, answer, most, jobs);
    EXPECT_EQ(interrupted.questions, whole.questions) << "cut at " << most;
    EXPECT_EQ(interrupted.result.program.graph, whole.program.graph) << "cut at " << most;
    EXPECT_EQ(interrupted.result.tried.size(), whole.tried.size()) << "cut at " << most;
  }
}

TEST(ResumedSearchTest, EndsWithTheSameProgramHoweverItIsCut) {
  ExpectSameHoweverItIsCut(Chain(60, {{7, "exp"}, {41, "tanh"}}), Needs({"exp", "tanh"}), 1);
}

TEST(ResumedSearchTest, EndsWithTheSameProgramWithSeveralJobs) {
  ExpectSameHoweverItIsCut(Chain(60, {{7, "exp"}, {41, "tanh"}}), Needs({"exp", "tanh"}), 4);
}

TEST(ResumedSearchTest, EndsWithTheSameProgramOnRandomGraphsAndAnswers) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const tests::RandomGraph random = tests::MakeRandomGraph(seed, 15);
    ExpectSameHoweverItIsCut({random.graph, random.inputs}, ByHash(seed, 30), 2, 7);
  }
}

TEST(ResumedSearchTest, WhatIsRememberedCostsNothing) {
  const Program program = Chain(60, {{7, "exp"}, {41, "tanh"}});
  const Interrupted again = SearchInTwo(program, Needs({"exp", "tanh"}), 1000, 1);
  EXPECT_EQ(again.result.questions, 0);
  EXPECT_GE(again.result.remembered, again.questions);
}

}  // namespace
}  // namespace culprit::minify
