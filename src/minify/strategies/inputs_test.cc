// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/lib/minimize_with.h"

namespace culprit::minify::strategies {
namespace {

using graph::PlaceholderKind;
using graph::ValueId;
using graph::ValueKind;
using tests::Always;
using tests::FakeCheck;
using tests::MinimizeWith;
using tests::TestGraph;

SearchResult SearchInputs(TestGraph& g, std::vector<c10::IValue> inputs) {
  FakeCheck check(Always(Answer::kSameFailure));
  return MinimizeWith({"inputs"}, {g.graph(), std::move(inputs)}, check);
}

TEST(InputsTest, UnusedOnesGo) {
  TestGraph g;
  g.Placeholder("x");
  g.Return({g.Call("aten::sin", {g.Placeholder("y")})});
  const SearchResult result = SearchInputs(g, {at::ones({2}), at::ones({3})});
  ASSERT_EQ(result.program.inputs.size(), 1);
  EXPECT_EQ(result.program.inputs[0].toTensor().numel(), 3);
}

TEST(InputsTest, EqualOnesBecomeOne) {
  TestGraph g;
  g.Return({g.Call("aten::mul.Tensor", {g.Placeholder("x"), g.Placeholder("y")})});
  EXPECT_EQ(SearchInputs(g, {at::ones({2}), at::ones({2})}).program.inputs.size(), 1);
}

TEST(InputsTest, EqualOnesOfAnotherKindStayTwo) {
  TestGraph g;
  const ValueId weight = g.Placeholder("w", PlaceholderKind::kParameter);
  g.Return({g.Call("aten::mul.Tensor", {g.Placeholder("x"), weight})});
  EXPECT_EQ(SearchInputs(g, {at::ones({2}), at::ones({2})}).program.inputs.size(), 2);
}

TEST(InputsTest, EqualOnesStayTwoIfSomebodyWrites) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId y = g.Placeholder("y");
  g.Call("aten::relu_", {x});
  g.Return({g.Call("aten::mul.Tensor", {x, y})});
  EXPECT_EQ(SearchInputs(g, {at::ones({2}), at::ones({2})}).program.inputs.size(), 2);
}

TEST(InputsTest, NumbersAreWrittenIntoTheCalls) {
  TestGraph g;
  const ValueId n = g.Placeholder("n", PlaceholderKind::kInput, ValueKind::kInt);
  g.Return({g.Call("aten::sum.dim_IntList", {g.Placeholder("x"), {n}})});
  const SearchResult result = SearchInputs(g, {int64_t{1}, at::ones({2, 3})});
  EXPECT_EQ(result.program.inputs.size(), 1);
}

TEST(InputsTest, NothingToDo) {
  FakeCheck check(Always(Answer::kSameFailure));
  EXPECT_EQ(MinimizeWith({"inputs"}, tests::Chain(3), check).questions, 0);
}

}  // namespace
}  // namespace culprit::minify::strategies
