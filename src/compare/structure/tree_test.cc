// SPDX-License-Identifier: Apache-2.0
#include "compare/structure/tree.h"

#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/values.h"

namespace culprit::compare {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Steps(const c10::IValue& value) {
  std::vector<std::string> steps;
  for (const TreeChild& child : OpenNode(value).children) steps.push_back(child.step);
  return steps;
}

TEST(OpenNodeTest, PathsDoNotBeginWithADot) {
  EXPECT_EQ(Join("", ".loss"), "loss");
  EXPECT_EQ(Join("", "[0]"), "[0]");
  EXPECT_EQ(Join("calls[0]", ".loss"), "calls[0].loss");
}

TEST(OpenNodeTest, ElementsOfListsAndTuplesAreNumbered) {
  EXPECT_THAT(Steps(tests::List({1, 2})), ElementsAre("[0]", "[1]"));
  EXPECT_THAT(Steps(tests::Tuple({1, 2})), ElementsAre("[0]", "[1]"));
  EXPECT_THAT(Steps(c10::IValue(std::vector<int64_t>{5, 6})), ElementsAre("[0]", "[1]"));
  EXPECT_EQ(OpenNode(tests::Tuple({})).kind, NodeKind::kSequence);
}

TEST(OpenNodeTest, FieldsAndAttributesHaveNames) {
  EXPECT_THAT(Steps(tests::NamedTuple("Pair", {{"b", 1}, {"a", 2}})), ElementsAre(".b", ".a"));
  EXPECT_THAT(Steps(tests::Tuple({at::Tensor(), 2})), ElementsAre("[0]", "[1]"));
  EXPECT_EQ(OpenNode(tests::NamedTuple("Pair", {{"b", 1}})).type_name, "Pair");
  EXPECT_THAT(Steps(tests::Object("Boxes", {{"y", 1}, {"x", 2}})), ElementsAre(".y", ".x"));
  EXPECT_EQ(OpenNode(tests::Object("Boxes", {})).kind, NodeKind::kObject);
}

TEST(OpenNodeTest, KeysAreSorted) {
  EXPECT_THAT(Steps(tests::Dict({{"b", 1}, {"B", 2}, {"a'", 3}})), ElementsAre("['B']", "['a'']", "['b']"));
  EXPECT_THAT(Steps(tests::Dict({{10, 1}, {-1, 2}, {9, 3}})), ElementsAre("[-1]", "[9]", "[10]"));
  EXPECT_THAT(Steps(tests::Dict({{1.5, 1}, {0.5, 2}})), ElementsAre("[0.5]", "[1.5]"));
}

TEST(OpenNodeTest, ADictWithTensorsAsKeysIsALeaf) {
  EXPECT_EQ(OpenNode(tests::Dict({{at::zeros({1}), 1}})).kind, NodeKind::kLeaf);
}

TEST(OpenNodeTest, OfAQuestionAnsweringModelOutputOnlyTheLossCounts) {
  const tests::Attributes attributes = {{"loss", 1}, {"start_logits", 2}};
  EXPECT_THAT(Steps(tests::NamedTuple("QuestionAnsweringModelOutput", attributes)), ElementsAre(".loss"));
  EXPECT_THAT(Steps(tests::Object("QuestionAnsweringModelOutput", attributes)), ElementsAre(".loss"));
}

TEST(OpenNodeTest, EverythingElseIsALeaf) {
  EXPECT_THAT(Steps(at::zeros({3})), IsEmpty());
  EXPECT_EQ(OpenNode(c10::IValue("text")).kind, NodeKind::kLeaf);
}

TEST(KindOfTest, NamesTypesAsPythonDoes) {
  EXPECT_EQ(KindOf({}), "None");
  EXPECT_EQ(KindOf(at::Tensor()), "None");
  EXPECT_EQ(KindOf(1), "int");
  EXPECT_EQ(KindOf(true), "bool");
  EXPECT_EQ(KindOf(1.5), "float");
  EXPECT_EQ(KindOf("x"), "str");
  EXPECT_EQ(KindOf(c10::Device(c10::kCPU)), "device");
  EXPECT_EQ(KindOf(tests::Object("Boxes", {})), "object Boxes");
}

TEST(NumbersOfTest, FloatsBecomeTensorsOfTheDefaultDtype) {
  EXPECT_EQ(NumbersOf(1.5).value().scalar_type(), at::kFloat);
  EXPECT_EQ(NumbersOf(1.5).value().item<float>(), 1.5);
  EXPECT_EQ(NumbersOf(1.5, /*from_fp64=*/true).value().scalar_type(), at::kDouble);
  EXPECT_EQ(NumbersOf(c10::complex<double>(1, 2)).value().scalar_type(), at::kComplexFloat);
}

TEST(NumbersOfTest, OtherLeavesHaveNone) {
  EXPECT_FALSE(NumbersOf(at::Tensor()));
  EXPECT_FALSE(NumbersOf(1));
  EXPECT_FALSE(NumbersOf({}));
}

}  // namespace
}  // namespace culprit::compare
