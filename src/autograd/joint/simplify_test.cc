// SPDX-License-Identifier: Apache-2.0
#include "autograd/joint/simplify.h"

#include <gtest/gtest.h>

#include "graph/ir/verify.h"
#include "tests/lib/graph_builder.h"

namespace culprit::autograd {
namespace {

using graph::ValueId;
using tests::TestGraph;

class SimplifyTest : public testing::Test {
 protected:
  /// The nodes that are left, forward | backward, by their first results; the bytes of each value have to
  /// move along.
  std::string Left(Joint (*pass)(const Joint&), size_t forward_nodes, size_t forward_outputs = 1) {
    Joint joint{g_.graph(), 1, forward_outputs, forward_nodes};
    for (const graph::Value& value : joint.graph.values())
      joint.bytes.push_back(static_cast<int64_t>(std::hash<std::string>()(value.name) >> 1));
    simple_ = pass(joint);
    EXPECT_TRUE(Verify(simple_.graph).ok()) << Verify(simple_.graph).error().message;
    EXPECT_EQ(simple_.bytes.size(), simple_.graph.values().size());
    for (size_t i = 0; i < simple_.bytes.size(); ++i) {
      const std::string& name = simple_.graph.values()[i].name;
      EXPECT_EQ(simple_.bytes[i], static_cast<int64_t>(std::hash<std::string>()(name) >> 1));
    }
    std::string text;
    for (size_t i = 0; i < simple_.graph.nodes().size(); ++i) {
      if (i == simple_.forward_nodes) text += "| ";
      text += simple_.graph.value(simple_.graph.nodes()[i].results[0]).name + " ";
    }
    return text;
  }

  TestGraph g_;
  const ValueId x_ = g_.Placeholder("x");
  const ValueId tangent_ = g_.Placeholder("tangent");
  Joint simple_;
};

TEST_F(SimplifyTest, LeavesOutDeadNodesOnBothSides) {
  g_.Call("aten::sin", {x_});
  const ValueId y = g_.Call("aten::cos", {x_});
  g_.Call("aten::sin", {tangent_});
  g_.Return({y, g_.Call("aten::cos", {tangent_})});
  EXPECT_EQ(Left(EliminateDeadCode, 2), "cos | cos_1 ");
}

TEST_F(SimplifyTest, KeepsRandomDraws) {
  g_.Call("aten::rand_like", {x_});
  g_.Return({x_, tangent_});
  EXPECT_EQ(Left(Simplify, 1), "rand_like ");
}

TEST_F(SimplifyTest, MergesEqualNodesAndWhatBecomesEqual) {
  const ValueId a = g_.Call("aten::cos", {g_.Call("aten::sin", {x_})});
  const ValueId b = g_.Call("aten::cos", {g_.Call("aten::sin", {x_})});
  g_.Return({g_.Call("aten::add.Tensor", {a, b}), tangent_});
  EXPECT_EQ(Left(MergeCommonSubexpressions, 5), "sin cos add ");
}

TEST_F(SimplifyTest, DoesNotMergeNodesWithOtherConstants) {
  const ValueId a = g_.Call("aten::mul.Tensor", {x_, 0.0});
  const ValueId b = g_.Call("aten::mul.Tensor", {x_, -0.0});
  g_.Return({g_.Call("aten::add.Tensor", {a, b}), tangent_});
  EXPECT_EQ(Left(MergeCommonSubexpressions, 3), "mul mul_1 add ");
}

TEST_F(SimplifyTest, DoesNotMergeRandomDraws) {
  const ValueId a = g_.Call("aten::rand_like", {x_});
  const ValueId b = g_.Call("aten::rand_like", {x_});
  g_.Return({g_.Call("aten::add.Tensor", {a, b}), tangent_});
  EXPECT_EQ(Left(Simplify, 3), "rand_like rand_like_1 add ");
}

TEST_F(SimplifyTest, DoesNotMergeOutputsSinceTheirMemoryIsTheCallers) {
  const ValueId a = g_.Call("aten::sin", {x_});
  const ValueId b = g_.Call("aten::sin", {x_});
  g_.Return({a, b, tangent_});
  EXPECT_EQ(Left(Simplify, 2, 2), "sin sin_1 ");
}

TEST_F(SimplifyTest, DoesNotMergeAnOutputWithWhatBackwardNeeds) {
  const ValueId output = g_.Call("aten::sin", {x_});
  const ValueId kept = g_.Call("aten::sin", {x_});
  g_.Return({output, g_.Call("aten::mul.Tensor", {tangent_, kept})});
  EXPECT_EQ(Left(Simplify, 2), "sin sin_1 | mul ");
}

TEST_F(SimplifyTest, DoesNotMergeBackwardIntoForward) {
  const ValueId y = g_.Call("aten::neg", {g_.Call("aten::sin", {x_})});
  g_.Return({y, g_.Call("aten::mul.Tensor", {tangent_, g_.Call("aten::sin", {x_})})});
  EXPECT_EQ(Left(Simplify, 2), "sin neg | sin_1 mul ");
}

TEST_F(SimplifyTest, MergesNumbersOfBackwardIntoForward) {
  const ValueId size = g_.Call("aten::sym_size.int", {x_, 0});
  const ValueId y = g_.Call("aten::expand", {x_, {size}});
  const ValueId again = g_.Call("aten::sym_size.int", {x_, 0});
  g_.Return({y, g_.Call("aten::expand", {tangent_, {again}})});
  EXPECT_EQ(Left(MergeCommonSubexpressions, 2), "sym_size expand | expand_1 ");
}

TEST_F(SimplifyTest, KeepsPrivateCopiesThatBatchNormWrites) {
  const ValueId mean = g_.Call("aten::clone", {x_});
  const ValueId variance = g_.Call("aten::clone", {x_});
  const auto norm =
      g_.CallAll("aten::native_batch_norm", {x_, nullptr, nullptr, mean, variance, true, 0.1, 1e-5});
  g_.Return({norm[0], mean, variance, tangent_});
  EXPECT_EQ(Left(Simplify, 3, 3), "clone clone_1 native_batch_norm ");
}

TEST_F(SimplifyTest, DoesNotMergeReadsBeforeAndBehindAWrite) {
  const ValueId copy = g_.Call("aten::clone", {x_});
  const ValueId before = g_.Call("aten::neg", {copy});
  g_.Call("aten::add_.Tensor", {copy, 1.0});
  const ValueId behind = g_.Call("aten::neg", {copy});
  g_.Return({g_.Call("aten::add.Tensor", {before, behind}), tangent_});
  EXPECT_EQ(Left(Simplify, 5), "clone neg add_ neg_1 add ");
}

TEST_F(SimplifyTest, RemovesDetachAndAlias) {
  const ValueId copy = g_.Call("aten::alias", {g_.Call("aten::detach", {x_})});
  g_.Return({g_.Call("aten::sin", {copy}), tangent_});
  EXPECT_EQ(Left(RemoveDeadCopies, 3), "sin ");
  EXPECT_EQ(simple_.graph.nodes()[0].arguments[0].value(), x_);
}

TEST_F(SimplifyTest, KeepsAnAliasThatIsReturned) {
  g_.Return({g_.Call("aten::alias", {x_}), tangent_});
  EXPECT_EQ(Left(Simplify, 1), "alias ");
}

TEST_F(SimplifyTest, RemovesACloneOfAPrivateDenseTensor) {
  const ValueId copy = g_.Call("aten::clone", {g_.Call("aten::sin", {x_})});
  g_.Return({g_.Call("aten::cos", {copy}), tangent_});
  EXPECT_EQ(Left(RemoveDeadCopies, 3), "sin cos ");
}

TEST_F(SimplifyTest, KeepsClonesThatMayChangeStrides) {
  const ValueId sin = g_.Call("aten::sin", {x_});
  const ValueId of_view = g_.Call("aten::clone", {g_.Call("aten::expand", {sin, {3, 3}})});
  const ValueId contiguous = g_.Call("aten::clone", {sin}, {{"memory_format", at::MemoryFormat::Contiguous}});
  g_.Return({g_.Call("aten::add.Tensor", {of_view, contiguous}), tangent_});
  EXPECT_EQ(Left(RemoveDeadCopies, 5), "sin expand clone clone_1 add ");
}

TEST_F(SimplifyTest, KeepsClonesOfInputsAndOutputs) {
  const ValueId of_input = g_.Call("aten::clone", {x_});
  const ValueId y = g_.Call("aten::sin", {of_input});
  const ValueId of_output = g_.Call("aten::clone", {y});
  g_.Return({y, g_.Call("aten::mul.Tensor", {tangent_, of_output})});
  EXPECT_EQ(Left(RemoveDeadCopies, 3), "clone sin clone_1 | mul ");
}

}  // namespace
}  // namespace culprit::autograd
