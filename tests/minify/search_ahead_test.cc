// SPDX-License-Identifier: Apache-2.0
//
// A search that asks several questions at a time goes the way of one that asks one by one: the same questions
// in the same order, whichever is answered first.
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>

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
using tests::WrongNumbers;
using namespace std::chrono_literals;

struct Way {
  std::vector<std::string> edits;
  SearchResult result;
};

Way Search(const Program& program, const AnswerFunction& answer, SearchOptions options) {
  FakeCheck check(answer);
  Way way;
  options.on_answer = [&](const Asked& asked) {
    way.edits.push_back(asked.edit + (asked.reply.fails() ? ": fails" : ": passes"));
  };
  way.result = MinimizeWithAll(program, check, options);
  EXPECT_EQ(check.asked_twice(), 0);
  return way;
}

void ExpectSameWay(const Program& program, const AnswerFunction& answer) {
  const Way alone = Search(program, answer, {});
  EXPECT_EQ(alone.result.asked_in_vain, 0);
  for (const size_t jobs : {2, 3, 16}) {
    const Way several = Search(program, answer, {.jobs = jobs});
    EXPECT_EQ(several.edits, alone.edits) << jobs << " jobs";
    EXPECT_EQ(several.result.program.graph, alone.result.program.graph) << jobs << " jobs";
    EXPECT_EQ(several.result.questions, alone.result.questions) << jobs << " jobs";
    EXPECT_EQ(several.result.tried.size(), alone.result.tried.size()) << jobs << " jobs";
    EXPECT_EQ(several.result.passing.size(), alone.result.passing.size()) << jobs << " jobs";
  }
}

TEST(SearchAheadTest, GoesTheSameWayWithOperatorsThatAreNeeded) {
  ExpectSameWay(Chain(60, {{7, "exp"}, {41, "tanh"}}), Needs({"exp", "tanh"}));
  ExpectSameWay(Chain(60, {{7, "exp"}, {30, "cos"}, {41, "tanh"}}), Needs({"exp", "cos", "tanh"}));
}

TEST(SearchAheadTest, GoesTheSameWayWithWrongNumbers) {
  ExpectSameWay(Chain(60, {{40, "exp"}, {41, "tanh"}}), WrongNumbers("exp", "tanh"));
  ExpectSameWay(Chain(60, {{41, "tanh"}}), WrongNumbers("", "tanh"));
}

TEST(SearchAheadTest, GoesTheSameWayOnRandomGraphsAndAnswers) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    const tests::RandomGraph random = tests::MakeRandomGraph(seed, 15);
    ExpectSameWay({random.graph, random.inputs}, ByHash(seed, 10 + 10 * seed));
  }
}

TEST(SearchAheadTest, GoesTheSameWayWhicheverQuestionIsAnsweredFirst) {
  const AnswerFunction needs = Needs({"exp", "tanh"});
  const AnswerFunction late = [&](const Program& program) {
    thread_local std::mt19937 random(std::random_device{}());
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 4));
    return needs(program);
  };
  ExpectSameWay(Chain(40, {{7, "exp"}, {21, "tanh"}}), late);
}

TEST(SearchAheadTest, ItEndsAfterAsManyQuestionsOfItsOwn) {
  const Program program = Chain(40, {{7, "exp"}, {21, "tanh"}});
  for (size_t most = 0; most < 20; ++most) {
    const Way alone = Search(program, Needs({"exp", "tanh"}), {.max_questions = most});
    const Way several = Search(program, Needs({"exp", "tanh"}), {.jobs = 4, .max_questions = most});
    EXPECT_EQ(several.edits, alone.edits);
    EXPECT_EQ(several.result.ended, alone.result.ended);
  }
}

}  // namespace
}  // namespace culprit::minify
