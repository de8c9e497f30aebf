// SPDX-License-Identifier: Apache-2.0
#include "graph/ir/verify.h"

#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"

namespace culprit::graph {
namespace {

using tests::TestGraph;

std::string ErrorOf(const Graph& graph) {
  const base::Status status = Verify(graph);
  return status.ok() ? "valid" : status.error().message;
}

/// forward(x): relu = x.relu(); neg = -relu; return neg
class VerifyTest : public testing::Test {
 protected:
  VerifyTest() {
    const ValueId x = g_.Placeholder("x");
    relu_ = g_.Call("aten::relu", {x});
    neg_ = g_.Call("aten::neg", {relu_});
    g_.Return({neg_});
  }

  // A graph's functions keep these invariants; only a stray write can break them.
  Node& node(size_t index) { return const_cast<Node&>(g_.graph().nodes()[index]); }
  Placeholder& placeholder() { return const_cast<Placeholder&>(g_.graph().placeholders()[0]); }

  TestGraph g_;
  ValueId relu_;
  ValueId neg_;
};

TEST_F(VerifyTest, AcceptsAValidGraph) {
  EXPECT_EQ(ErrorOf(g_.graph()), "valid");
  EXPECT_EQ(ErrorOf(Graph()), "valid");
}

TEST_F(VerifyTest, NamesMustBeIdentifiers) {
  g_.graph().RenameValue(relu_, "relu.1");
  EXPECT_EQ(ErrorOf(g_.graph()), "invalid graph: 'relu.1' cannot be a value's name");
}

TEST_F(VerifyTest, NamesMustBeUnique) {
  g_.graph().RenameValue(relu_, "x");
  EXPECT_EQ(ErrorOf(g_.graph()), "invalid graph: two values are named 'x'");
}

TEST_F(VerifyTest, AValueIsUsedBehindItsDefinition) {
  node(0).arguments[0] = neg_;
  EXPECT_EQ(ErrorOf(g_.graph()), "invalid graph: aten::relu uses 'neg' before it is defined");
}

TEST_F(VerifyTest, ANodeDoesNotUseItsOwnResult) {
  node(0).arguments[0] = relu_;
  EXPECT_EQ(ErrorOf(g_.graph()), "invalid graph: aten::relu uses 'relu' before it is defined");
}

TEST_F(VerifyTest, UsedValuesExist) {
  node(1).arguments[0] = ValueId{17};
  EXPECT_EQ(ErrorOf(g_.graph()), "invalid graph: aten::neg uses value 17, which does not exist");
}

TEST_F(VerifyTest, OutputsExist) {
  g_.graph().SetOutputs({ValueId{17}});
  EXPECT_EQ(ErrorOf(g_.graph()), "invalid graph: the output uses value 17, which does not exist");
}

TEST_F(VerifyTest, DefinedValuesExist) {
  placeholder().value = ValueId{17};
  EXPECT_EQ(ErrorOf(g_.graph()), "invalid graph: there is no value 17");
}

TEST_F(VerifyTest, AValueIsDefinedOnce) {
  node(1).results[0] = relu_;
  EXPECT_EQ(ErrorOf(g_.graph()), "invalid graph: 'relu' is defined twice");
}

TEST_F(VerifyTest, ThereIsOneArgumentPerSlot) {
  node(0).arguments.emplace_back();
  EXPECT_EQ(ErrorOf(g_.graph()), "invalid graph: aten::relu has 2 arguments instead of 1");
}

TEST_F(VerifyTest, ArgumentsFitTheirSlots) {
  node(0).arguments[0] = Argument(c10::IValue("text"));
  EXPECT_EQ(ErrorOf(g_.graph()), "invalid graph: argument 'self' of aten::relu is not Tensor in normal form");
}

TEST_F(VerifyTest, ArgumentsAreInNormalForm) {
  g_.graph().AddNode(Operator::Get("aten::dropout"),
                     {neg_, Argument(c10::IValue(1)), Argument(c10::IValue(true))}, {"dropout"});
  EXPECT_EQ(ErrorOf(g_.graph()), "invalid graph: argument 'p' of aten::dropout is not float in normal form");
}

TEST_F(VerifyTest, TensorConstantsHaveData) {
  g_.Constant("c", at::Tensor());
  EXPECT_EQ(ErrorOf(g_.graph()), "invalid graph: tensor constant 'c' has no data");
}

TEST_F(VerifyTest, OutputsAreNotNested) {
  g_.Return({{neg_, relu_}});
  EXPECT_EQ(ErrorOf(g_.graph()), "invalid graph: an output is a list");
}

TEST(IsValidNameTest, IdentifiersAreValid) {
  for (const char* name :
       {"x", "_", "arg0_1", "_tensor_constant0", "X9", "tensor", "device", "match", "is_"}) {
    EXPECT_TRUE(IsValidName(name)) << name;
  }
}

TEST(IsValidNameTest, OtherTextIsNot) {
  for (const char* name : {"", "0x", "a-b", "a.b", "a b", "caf\xc3\xa9", "a\n"}) {
    EXPECT_FALSE(IsValidName(name)) << name;
  }
}

TEST(IsValidNameTest, WordsOfPythonAndOfTheTextFormAreReserved) {
  for (const char* name : {"False", "None", "and", "as", "class", "inf", "is", "lambda", "nan", "operator",
                           "self", "torch", "while", "yield"}) {
    EXPECT_FALSE(IsValidName(name)) << name;
  }
}

// `max = torch.ops.aten.max.default(x)` would hide what the next line calls.
TEST(IsValidNameTest, FunctionsThatTheTextFormCallsAreReserved) {
  for (const char* name : {"complex", "float", "int", "max", "min", "math"}) {
    EXPECT_FALSE(IsValidName(name)) << name;
  }
}

}  // namespace
}  // namespace culprit::graph
