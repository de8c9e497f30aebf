// SPDX-License-Identifier: Apache-2.0
#include "graph/text/script/name_values.h"

#include <gtest/gtest.h>

namespace culprit::graph::text {
namespace {

/// x.max(0): a placeholder and two results, without names.
class NameValuesTest : public testing::Test {
 protected:
  NameValuesTest() {
    const ValueId x = graph_.AddPlaceholder("");
    graph_.AddNode(Operator::Get("aten::max.dim"),
                   {x, Argument(c10::IValue(0)), Argument(c10::IValue(false))}, {"", ""});
  }

  /// The names of all values, joined by blanks.
  std::string Apply() {
    names_.Apply(graph_);
    std::string text;
    for (const Value& value : graph_.values()) text += (text.empty() ? "" : " ") + value.name;
    return text;
  }

  Graph graph_;
  NameValues names_;
};

TEST_F(NameValuesTest, WithoutWishesResultsAreNamedAfterTheirOperator) {
  graph_.AddNode(Operator::Get("aten::relu"), {ValueId{0}}, {""});
  graph_.AddNode(Operator::Get("aten::relu"), {ValueId{0}}, {""});
  EXPECT_EQ(Apply(), "value max_result max_result_1 relu relu_1");
}

TEST_F(NameValuesTest, WishesAreGranted) {
  names_.Want(ValueId{0}, "x");
  names_.Want(ValueId{2}, "indices");
  EXPECT_EQ(Apply(), "x max_result indices");
}

TEST_F(NameValuesTest, TheFirstWishForAValueCounts) {
  names_.Want(ValueId{0}, "x");
  names_.Want(ValueId{0}, "y");
  names_.Want(ValueId{1}, "y");
  EXPECT_EQ(Apply(), "x y max_result");
}

TEST_F(NameValuesTest, ANameGoesToTheFirstWhoWantsIt) {
  names_.Want(ValueId{1}, "x");
  names_.Want(ValueId{0}, "x");
  EXPECT_EQ(Apply(), "x_1 x max_result");
}

TEST_F(NameValuesTest, FreshNamesAvoidWishesThatComeLater) {
  names_.Want(ValueId{2}, "max_result");
  EXPECT_EQ(Apply(), "value max_result_1 max_result");
}

TEST_F(NameValuesTest, HintsNameWhatNobodyWants) {
  names_.HintAll({ValueId{1}, ValueId{2}, Argument()}, "out");
  names_.Want(ValueId{2}, "indices");
  EXPECT_EQ(Apply(), "value out indices");
}

TEST_F(NameValuesTest, NamesThatAreNoneAreReplaced) {
  names_.Want(ValueId{0}, "caf\xc3\xa9");
  names_.Want(ValueId{1}, "lambda");
  EXPECT_EQ(Apply(), "value max_result max_result_1");
}

}  // namespace
}  // namespace culprit::graph::text
