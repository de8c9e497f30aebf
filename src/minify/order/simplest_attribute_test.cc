// SPDX-License-Identifier: Apache-2.0
#include "minify/order/simplest_attribute.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"

namespace culprit::minify {
namespace {

using graph::Argument;
using testing::ElementsAre;
using testing::IsEmpty;
using tests::TestGraph;

Argument Number(double number) {
  return Argument(c10::IValue(number));
}

TEST(SimplestAttributeTest, NumbersAreTriedFromTheSimplestOn) {
  TestGraph g;
  g.Call("aten::leaky_relu", {g.Placeholder("x"), 0.2371});
  EXPECT_THAT(SimplerAttributes(g.graph().nodes()[0], 1),
              ElementsAre(Number(0.01), Number(0), Number(1), Number(2)));
}

TEST(SimplestAttributeTest, EpsilonsGetRounder) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  g.CallAll("aten::native_layer_norm", {x, {4}, nullptr, nullptr, 2.5e-7});
  EXPECT_EQ(SimplerAttributes(g.graph().nodes()[0], 4)[0], Number(1e-5));
}

TEST(SimplestAttributeTest, NamesSayWhatIsSimplestWithoutADefault) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  g.Call("aten::convolution", {x, x, nullptr, {2, 3}, {1, 1}, {2, 2}, true, {0, 0}, 4});
  const graph::Node& node = g.graph().nodes()[0];
  EXPECT_EQ(*SimplestAttribute(node, 3), Argument::Ints({1, 1}));
  EXPECT_EQ(*SimplestAttribute(node, 4), Argument::Ints({0, 0}));
  EXPECT_EQ(*SimplestAttribute(node, 6), Argument(c10::IValue(false)));
  EXPECT_EQ(AttributeComplexity(node, 7), 0);
}

TEST(SimplestAttributeTest, SizesAndDtypesAreNotTouched) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  g.Call("aten::view", {x, {4, 3}});
  g.Call("aten::_to_copy", {x}, {{"dtype", at::kDouble}});
  EXPECT_THAT(SimplerAttributes(g.graph().nodes()[0], 1), IsEmpty());
  EXPECT_THAT(SimplerAttributes(g.graph().nodes()[1], 1), IsEmpty());
}

}  // namespace
}  // namespace culprit::minify
