// SPDX-License-Identifier: Apache-2.0
//
// Each strategy alone on random graphs, with answers by chance: what it proposes is a valid graph that runs
// in eager, and there are no more questions than it promises.
#include <gtest/gtest.h>

#include "graph/run/interpreter.h"
#include "graph/tensors/tensor_copy.h"
#include "graph/tensors/torch_error.h"
#include "tests/lib/minimize_with.h"
#include "tests/lib/random_graph.h"
#include "tests/lib/volume.h"

namespace culprit::minify {
namespace {

using tests::AnswerFunction;
using tests::FakeCheck;

/// What stops the program in eager; nothing if it runs.
std::string ErrorOf(const Program& program) {
  try {
    graph::Interpreter(program.graph).Run(graph::CopyAll(program.inputs));
    return "";
  } catch (const std::exception& error) {
    return graph::TorchMessage(error);
  }
}

class RandomProgramsTest : public testing::TestWithParam<std::string_view> {
 protected:
  static Program MakeProgram(uint64_t seed) {
    tests::RandomGraph random = tests::MakeRandomGraph(seed, 25);
    return {std::move(random.graph), std::move(random.inputs)};
  }
  /// A failure that is wrong numbers, so that no strategy is left out.
  static SearchOptions WrongNumbers() { return {.first = {{Answer::kSameFailure}, {0}}}; }
};

TEST_P(RandomProgramsTest, WhatItProposesRunsInEager) {
  for (int seed = 0; seed < tests::Volume(15, 300); ++seed) {
    size_t asked = 0;
    size_t stopped = 0;
    const AnswerFunction answer = tests::ByHash(seed, 30);
    FakeCheck check([&](const Program& program) -> Reply {
      ++asked;
      const std::string error = ErrorOf(program);
      if (error.empty()) return answer(program);
      ++stopped;
      // An operand has the shape of the result that it stands for, but not always its strides or its values.
      EXPECT_EQ(GetParam(), "bypass") << "seed " << seed << ": " << error;
      return {{Answer::kInvalid}};
    });
    tests::MinimizeWith({GetParam()}, MakeProgram(seed), check, WrongNumbers());
    EXPECT_LE(stopped * 4, asked) << "seed " << seed;
  }
}

TEST_P(RandomProgramsTest, ItAsksAFewQuestionsForEachPartOfTheProgram) {
  constexpr size_t kFew = 10;
  for (int seed = 0; seed < tests::Volume(15, 300); ++seed) {
    for (const AnswerFunction& answer : {tests::Always(Answer::kPasses), tests::ByHash(seed, 0)}) {
      FakeCheck check(answer);
      Program program = MakeProgram(seed);
      const size_t parts = program.graph.nodes().size() + program.graph.placeholders().size() +
                           program.graph.constants().size() + program.graph.outputs().size();
      const SearchResult result =
          tests::MinimizeWith({GetParam()}, std::move(program), check, WrongNumbers());
      EXPECT_LE(result.questions, kFew * parts) << "seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Strategies, RandomProgramsTest, testing::ValuesIn([] {
                           std::vector<std::string_view> names;
                           for (const StrategyEntry& entry : strategies::AllStrategies())
                             names.push_back(entry.name);
                           return names;
                         }()),
                         [](const testing::TestParamInfo<std::string_view>& name) {
                           return std::string(name.param);
                         });

}  // namespace
}  // namespace culprit::minify
