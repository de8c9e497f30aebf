// SPDX-License-Identifier: Apache-2.0
//
// All strategies together, against checks that need no compiler.
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include <set>

#include "graph/verify.h"
#include "minify/search.h"
#include "minify/strategies/table.h"
#include "tests/lib/graph_builder.h"

namespace culprit::minify::strategies {
namespace {

using tests::TestGraph;

std::vector<std::string> OperatorsOf(const Program& program) {
  std::vector<std::string> names;
  for (const graph::Node& node : program.graph.nodes()) names.push_back(node.op->name().substr(6));
  return names;
}

/// Fails if every one of these operators is there.
class Needs : public FailureCheck {
 public:
  explicit Needs(std::set<std::string> operators) : operators_(std::move(operators)) {}

  Reply Ask(const Program& program) override {
    ++asked_;
    EXPECT_TRUE(graph::Verify(program.graph).ok());
    const std::vector<std::string> names = OperatorsOf(program);
    const bool fails = std::ranges::all_of(
        operators_, [&](const std::string& name) { return std::ranges::count(names, name) > 0; });
    return {{fails ? Answer::kSameFailure : Answer::kPasses}};
  }
  size_t asked() const { return asked_; }

 private:
  size_t asked_ = 0;
  std::set<std::string> operators_;
};

/// sin, sin ... with other operators at some places.
Program Chain(size_t length, const std::map<size_t, std::string>& others) {
  TestGraph g;
  graph::ValueId value = g.Placeholder("x");
  for (size_t i = 0; i < length; ++i) {
    const auto other = others.find(i);
    value = g.Call("aten::" + (other == others.end() ? "sin" : other->second), {value});
  }
  g.Return({value});
  return {g.graph(), {at::ones({2, 3})}};
}

struct Found {
  SearchResult result;
  /// Asked when the last operator went.
  size_t questions_for_operators = 0;
};

Found Search(Program program, Needs& check) {
  Found found;
  size_t operators = program.graph.nodes().size();
  SearchOptions options{.strategies = {AllStrategies().begin(), AllStrategies().end()}};
  options.on_smaller = [&](const Program& smaller, std::string_view) {
    if (smaller.graph.nodes().size() < operators) found.questions_for_operators = check.asked();
    operators = smaller.graph.nodes().size();
  };
  found.result = *Minimize(std::move(program), check, options);
  return found;
}

TEST(SearchTest, OneGuiltyOperatorOfAThousandIsFound) {
  Needs check({"tanh"});
  const Found found = Search(Chain(1000, {{617, "tanh"}}), check);
  EXPECT_EQ(OperatorsOf(found.result.program), std::vector<std::string>{"tanh"});
  EXPECT_LE(found.questions_for_operators, 14);
  EXPECT_LE(found.result.questions, found.questions_for_operators + 6);
}

TEST(SearchTest, TwoFarOperatorsAreFoundWithFewQuestions) {
  Needs check({"tanh", "exp"});
  const Found found = Search(Chain(5000, {{100, "exp"}, {4321, "tanh"}}), check);
  EXPECT_EQ(OperatorsOf(found.result.program), (std::vector<std::string>{"exp", "tanh"}));
  EXPECT_LE(found.questions_for_operators, 30);
  EXPECT_LE(found.result.questions, found.questions_for_operators + 16);
}

TEST(SearchTest, ThreeOperatorsAreFound) {
  Needs check({"tanh", "exp", "cos"});
  const Found found = Search(Chain(500, {{10, "exp"}, {77, "cos"}, {432, "tanh"}}), check);
  EXPECT_EQ(OperatorsOf(found.result.program), (std::vector<std::string>{"exp", "cos", "tanh"}));
}

}  // namespace
}  // namespace culprit::minify::strategies
