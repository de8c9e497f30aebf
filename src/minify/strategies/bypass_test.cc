// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/lib/minimize_with.h"

namespace culprit::minify::strategies {
namespace {

using graph::ValueId;
using tests::Chain;
using tests::FailsIf;
using tests::FakeCheck;
using tests::MinimizeWith;
using tests::OperatorsOf;
using tests::TestGraph;

TEST(BypassTest, AChainStaysWhole) {
  FakeCheck check(tests::WrongNumbers("exp", "tanh"));
  // Not a neighbour yet: whatever is between them has to be bypassed.
  const SearchResult result = MinimizeWith({"bypass"}, Chain(3, {{0, "exp"}, {2, "tanh"}}), check);
  EXPECT_EQ(OperatorsOf(result.program), (std::vector<std::string>{"exp", "tanh"}));
  EXPECT_EQ(result.program.graph.outputs().size(), 1);
}

TEST(BypassTest, AnOperandOfAnotherShapeAndDtypeIsAdapted) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId compared = g.Call("aten::gt.Scalar", {g.Call("aten::view", {x, {6}}), 0});
  g.Return({g.Call("aten::logical_not", {compared})});
  FakeCheck check([](const Program& program) {
    return FailsIf(OperatorsOf(program) == std::vector<std::string>{"view", "_to_copy", "logical_not"});
  });
  const SearchResult result = MinimizeWith({"bypass"}, {g.graph(), {at::ones({2, 3})}}, check,
                                           {.first = {{Answer::kSameFailure}, {0}}});
  EXPECT_EQ(OperatorsOf(result.program), (std::vector<std::string>{"view", "_to_copy", "logical_not"}));
}

TEST(BypassTest, TheLastOperatorIsNotBypassed) {
  FakeCheck check(tests::Always(Answer::kSameFailure));
  const SearchResult result = MinimizeWith({"bypass"}, Chain(1), check);
  EXPECT_EQ(result.questions, 0);
}

}  // namespace
}  // namespace culprit::minify::strategies
