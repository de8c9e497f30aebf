// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/lib/minimize_with.h"

namespace culprit::minify::strategies {
namespace {

using graph::ValueId;
using tests::FakeCheck;
using tests::MinimizeWith;
using tests::Needs;
using tests::OperatorsOf;
using tests::TestGraph;

/// sin feeds all; exp and tanh are outputs and so is sin.
Program ThreeOutputs() {
  TestGraph g;
  const ValueId sin = g.Call("aten::sin", {g.Placeholder("x")});
  const ValueId unused = g.Placeholder("y");
  const ValueId exp = g.Call("aten::exp", {g.Call("aten::add.Tensor", {sin, unused})});
  g.Return({sin, exp, g.Call("aten::tanh", {sin})});
  return {g.graph(), {at::ones({2, 3}), at::ones({2, 3})}};
}

TEST(OutputsTest, OneIsKeptAndWhatOnlyTheOthersNeedGoes) {
  FakeCheck check(Needs({"tanh"}));
  const SearchResult result = MinimizeWith({"outputs"}, ThreeOutputs(), check);
  EXPECT_EQ(OperatorsOf(result.program), (std::vector<std::string>{"sin", "tanh"}));
  EXPECT_EQ(result.program.graph.outputs().size(), 1);
  EXPECT_EQ(result.program.inputs.size(), 1);
}

TEST(OutputsTest, ASinkIsPreferred) {
  FakeCheck check(Needs({"sin"}));
  const SearchResult result = MinimizeWith({"outputs"}, ThreeOutputs(), check);
  EXPECT_EQ(OperatorsOf(result.program).back(), "tanh");
  EXPECT_EQ(result.questions, 1);
}

TEST(OutputsTest, TwoAreKeptIfTwoAreNeeded) {
  FakeCheck check(Needs({"exp", "tanh"}));
  const SearchResult result = MinimizeWith({"outputs"}, ThreeOutputs(), check);
  EXPECT_EQ(result.program.graph.outputs().size(), 2);
}

TEST(OutputsTest, TheOnlyOutputStays) {
  FakeCheck check(tests::Always(Answer::kSameFailure));
  EXPECT_EQ(MinimizeWith({"outputs"}, tests::Chain(3), check).questions, 0);
}

}  // namespace
}  // namespace culprit::minify::strategies
