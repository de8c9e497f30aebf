// SPDX-License-Identifier: Apache-2.0
#include "faults/where.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"

namespace culprit::faults {
namespace {

using graph::ValueId;
using testing::ElementsAre;
using testing::IsEmpty;

/// sin, tanh of sin, add of both, tanh of x.
graph::Graph Example() {
  tests::TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId sin = g.Call("aten::sin", {x});
  const ValueId tanh = g.Call("aten::tanh", {sin});
  const ValueId add = g.Call("aten::add.Tensor", {sin, tanh});
  const ValueId other = g.Call("aten::tanh", {x});
  g.Return({add, other});
  return g.graph();
}

std::vector<uint32_t> GuiltyFor(std::string_view where) {
  std::vector<uint32_t> indices;
  for (const graph::NodeId node : ParseWhere(where)->GuiltyNodes(Example())) indices.push_back(Index(node));
  return indices;
}

TEST(WhereTest, AnOperatorIsFoundByItsShortAndItsFullName) {
  EXPECT_THAT(GuiltyFor("tanh"), ElementsAre(1, 3));
  EXPECT_THAT(GuiltyFor("aten::tanh"), ElementsAre(1, 3));
  EXPECT_THAT(GuiltyFor("aten::tanh.default"), ElementsAre(1, 3));
  EXPECT_THAT(GuiltyFor("add"), ElementsAre(2));
  EXPECT_THAT(GuiltyFor("add.Tensor"), ElementsAre(2));
}

TEST(WhereTest, OtherOverloadsNamespacesAndNamesAreNotMeant) {
  EXPECT_THAT(GuiltyFor("add.Scalar"), IsEmpty());
  EXPECT_THAT(GuiltyFor("add.default"), IsEmpty());
  EXPECT_THAT(GuiltyFor("prims::tanh"), IsEmpty());
  EXPECT_THAT(GuiltyFor("tan"), IsEmpty());
  EXPECT_THAT(GuiltyFor("tanh_"), IsEmpty());
}

TEST(WhereTest, OfAPairTheSecondHasToConsumeTheFirst) {
  EXPECT_THAT(GuiltyFor("sin>tanh"), ElementsAre(1));
  EXPECT_THAT(GuiltyFor("tanh>add"), ElementsAre(2));
  EXPECT_THAT(GuiltyFor("tanh>sin"), IsEmpty());
  EXPECT_THAT(GuiltyFor("add>tanh"), IsEmpty());
}

TEST(WhereTest, TwoOperatorsMayStandAnywhere) {
  EXPECT_THAT(GuiltyFor("add&tanh"), ElementsAre(1, 3));
  EXPECT_THAT(GuiltyFor("tanh&tanh"), ElementsAre(1, 3));
  EXPECT_THAT(GuiltyFor("sin&sin"), IsEmpty());
  EXPECT_THAT(GuiltyFor("cos&tanh"), IsEmpty());
}

TEST(WhereTest, WhatIsWrittenIsReadAgain) {
  for (const char* text : {"tanh", "aten::add.Tensor", "convolution>relu", "aten::sin.default&mylib::tanh"})
    EXPECT_EQ(ParseWhere(text)->ToString(), text);
}

TEST(WhereTest, WhatIsNoOperatorIsRefused) {
  for (const char* text : {"", "a b", "::tanh", "tanh.", ">relu", "a>b>c", "a::b::c"}) {
    EXPECT_FALSE(ParseWhere(text).ok()) << text;
  }
  EXPECT_EQ(ParseWhere("sin>ta-nh").error().message,
            "'ta-nh' is no operator, which would be written tanh, aten::tanh or aten::add.Tensor");
}

}  // namespace
}  // namespace culprit::faults
