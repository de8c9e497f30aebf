// SPDX-License-Identifier: Apache-2.0
#include "autograd/partition/partition.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "graph/ir/verify.h"
#include "tests/lib/graph_builder.h"

namespace culprit::autograd {
namespace {

using graph::PlaceholderKind;
using graph::ValueId;
using tests::TestGraph;

/// Every tensor has `bytes`.
Joint MakeJoint(TestGraph& g, size_t forward_nodes, size_t forward_outputs, int64_t bytes = 4) {
  return {g.graph(), 1, forward_outputs, forward_nodes,
          std::vector<int64_t>(g.graph().values().size(), bytes)};
}

const PartitionMode& Default() {
  return *FindPartitionMode("default");
}
const PartitionMode& MinCut() {
  return *FindPartitionMode("min-cut");
}

/// "x y -> a b -> c": placeholders, results of nodes, outputs.
std::string Outline(const graph::Graph& graph) {
  EXPECT_TRUE(Verify(graph).ok()) << Verify(graph).error().message;
  std::string text;
  for (const graph::Placeholder& placeholder : graph.placeholders())
    text += graph.value(placeholder.value).name + " ";
  text += "->";
  for (const graph::Node& node : graph.nodes()) text += " " + graph.value(node.results[0]).name;
  text += " ->";
  for (const graph::Argument& output : graph.outputs())
    text += output.is_value() ? " " + graph.value(output.value()).name : " None";
  return text;
}

std::string SavedNames(const Partition& partition) {
  std::string text;
  for (const SavedValue& value : partition.saved)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", value.name, value.why);
  return text;
}

class PartitionTest : public testing::Test {
 protected:
  ValueId Tangent() { return g_.Placeholder("tangent"); }

  TestGraph g_;
  const ValueId x_ = g_.Placeholder("x");
};

TEST_F(PartitionTest, SavesTheIntermediateThatBackwardNeeds) {
  const ValueId tangent = Tangent();
  const ValueId y = g_.Call("aten::exp", {x_});
  const ValueId z = g_.Call("aten::neg", {y});
  g_.Return({z, g_.Call("aten::mul.Tensor", {tangent, y})});
  const Partition partition = Split(MakeJoint(g_, 2, 1), Default());
  EXPECT_EQ(Outline(partition.forward), "x -> exp neg -> neg exp");
  EXPECT_EQ(Outline(partition.backward), "exp tangent -> mul -> mul");
  EXPECT_EQ(SavedNames(partition), "exp intermediate");
  EXPECT_EQ(partition.saved[0].additional_output, 0U);
}

TEST_F(PartitionTest, SavesAPlaceholderAsItselfAndKeepsItsKind) {
  const ValueId w = g_.Placeholder("w", PlaceholderKind::kParameter);
  const ValueId tangent = Tangent();
  const ValueId y = g_.Call("aten::mul.Tensor", {x_, w});
  g_.Return({y, g_.Call("aten::mul.Tensor", {tangent, w}), nullptr});
  const Partition partition = Split(MakeJoint(g_, 1, 1), Default());
  EXPECT_EQ(Outline(partition.forward), "x w -> mul -> mul");
  EXPECT_EQ(Outline(partition.backward), "w tangent -> mul_1 -> mul_1 None");
  EXPECT_EQ(partition.backward.placeholders()[0].kind, PlaceholderKind::kParameter);
  EXPECT_EQ(SavedNames(partition), "w parameter");
  EXPECT_EQ(partition.saved[0].placeholder, 1U);
}

TEST_F(PartitionTest, RecomputesChainsOfViewsInPlaceOfSavingThem) {
  const ValueId tangent = Tangent();
  const ValueId mm = g_.Call("aten::mm", {x_, x_});
  const ValueId t = g_.Call("aten::transpose.int", {g_.Call("aten::t", {mm}), 0, 1});
  const ValueId input_view = g_.Call("aten::t", {x_});
  g_.Return({t, g_.Call("aten::mm", {g_.Call("aten::mm", {tangent, t}), input_view})});
  const Partition partition = Split(MakeJoint(g_, 4, 1), Default());
  EXPECT_EQ(Outline(partition.forward), "x -> mm t transpose -> transpose mm");
  EXPECT_EQ(Outline(partition.backward), "x mm tangent -> t transpose mm_1 t_1 mm_2 -> mm_2");
  EXPECT_EQ(SavedNames(partition), "x input, mm intermediate");
}

TEST_F(PartitionTest, RecomputesAnElementOfAListOfViews) {
  const ValueId tangent = Tangent();
  const ValueId mm = g_.Call("aten::mm", {x_, x_});
  const ValueId item = g_.Call("python::getitem.Tensor", {g_.Call("aten::split.Tensor", {mm, 1}), 1});
  g_.Return({item, g_.Call("aten::mul.Tensor", {tangent, item})});
  EXPECT_EQ(Outline(Split(MakeJoint(g_, 3, 1), Default()).backward),
            "mm tangent -> split getitem mul -> mul");
}

TEST_F(PartitionTest, SavesTheElementsOfAListThatCannotBeRecomputed) {
  const ValueId tangent = Tangent();
  const ValueId list = g_.Call("aten::_foreach_exp", {{x_, x_}});
  const ValueId item = g_.Call("python::getitem.Tensor", {list, 1});
  g_.Return({item, g_.Call("aten::mul.Tensor", {tangent, item})});
  EXPECT_EQ(SavedNames(Split(MakeJoint(g_, 2, 1), Default())), "getitem intermediate");
}

TEST_F(PartitionTest, SavesASizeAndNotItsTensor) {
  const ValueId tangent = Tangent();
  const ValueId size = g_.Call("aten::sym_size.int", {g_.Call("aten::mm", {x_, x_}), 0});
  g_.Return({x_, g_.Call("aten::expand", {tangent, {size, size}})});
  for (const PartitionMode& mode : kPartitionModes) {
    const Partition partition = Split(MakeJoint(g_, 2, 1), mode);
    EXPECT_EQ(Outline(partition.backward), "sym_size tangent -> expand -> expand");
    EXPECT_EQ(partition.backward.value(partition.backward.placeholders()[0].value).kind,
              graph::ValueKind::kInt);
  }
}

TEST_F(PartitionTest, GivesConstantsToWhomeverUsesThem) {
  const ValueId forward = g_.Constant("forward_constant", at::ones({2}));
  const ValueId backward = g_.Constant("backward_constant", at::ones({2}));
  const ValueId tangent = Tangent();
  g_.Return({g_.Call("aten::mul.Tensor", {x_, forward}), g_.Call("aten::mul.Tensor", {tangent, backward})});
  const Partition partition = Split(MakeJoint(g_, 1, 1), Default());
  ASSERT_EQ(partition.forward.constants().size(), 1U);
  EXPECT_EQ(partition.forward.value(partition.forward.constants()[0].value).name, "forward_constant");
  ASSERT_EQ(partition.backward.constants().size(), 1U);
  EXPECT_EQ(partition.backward.value(partition.backward.constants()[0].value).name, "backward_constant");
}

TEST_F(PartitionTest, GradientsMayBeTangentsOrValuesOfForward) {
  const ValueId tangent = Tangent();
  const ValueId mm = g_.Call("aten::mm", {x_, x_});
  g_.Return({x_, tangent, mm, x_});
  EXPECT_EQ(Outline(Split(MakeJoint(g_, 1, 1), Default()).backward), "x mm tangent -> -> tangent mm x");
}

TEST_F(PartitionTest, NamesGraphsAfterTheCapturedOne) {
  const ValueId tangent = Tangent();
  g_.Return({x_, tangent});
  g_.graph().set_name("net_2_captured");
  EXPECT_EQ(Split(MakeJoint(g_, 0, 1), Default()).forward.name(), "net_2_forward");
  g_.graph().set_name("net");
  EXPECT_EQ(Split(MakeJoint(g_, 0, 1), Default()).backward.name(), "net_backward");
}

TEST_F(PartitionTest, KeepsModelLines) {
  const ValueId tangent = Tangent();
  g_.Return({x_, g_.Call("aten::neg", {tangent})});
  g_.graph().SetModelLine(graph::NodeId(0), std::make_shared<std::string>("net.py:3"));
  EXPECT_EQ(*Split(MakeJoint(g_, 0, 1), Default()).backward.nodes()[0].model_line, "net.py:3");
}

TEST_F(PartitionTest, KeepsRandomDrawsOfForwardThatNothingUses) {
  const ValueId tangent = Tangent();
  g_.Call("aten::rand_like", {x_});
  g_.Return({x_, tangent});
  EXPECT_EQ(Outline(Split(MakeJoint(g_, 1, 1), Default()).forward), "x -> rand_like -> x");
}

TEST_F(PartitionTest, MinCutSavesOneValueOfAChainOfCheapOnes) {
  const ValueId tangent = Tangent();
  const ValueId a = g_.Call("aten::mm", {x_, x_});
  const ValueId b = g_.Call("aten::sigmoid", {a});
  const ValueId c = g_.Call("aten::exp", {b});
  const ValueId gradient = g_.Call("aten::mul.Tensor", {g_.Call("aten::mul.Tensor", {tangent, c}), b});
  g_.Return({c, gradient});
  EXPECT_EQ(SavedNames(Split(MakeJoint(g_, 3, 1), Default())), "sigmoid intermediate, exp intermediate");
  const Partition partition = Split(MakeJoint(g_, 3, 1), MinCut());
  EXPECT_EQ(Outline(partition.backward), "sigmoid tangent -> exp mul mul_1 -> mul_1");
}

TEST_F(PartitionTest, MinCutTakesTheSmallestValueThatSuffices) {
  const ValueId tangent = Tangent();
  const ValueId mm = g_.Call("aten::mm", {x_, x_});
  const ValueId half = g_.Call("aten::_to_copy", {mm}, {{"dtype", at::kHalf}});
  const ValueId wide = g_.Call("aten::_to_copy", {half}, {{"dtype", at::kFloat}});
  g_.Return({half, g_.Call("aten::mul.Tensor", {tangent, wide})});
  Joint joint = MakeJoint(g_, 3, 1);
  joint.bytes[Index(half)] = 2;
  EXPECT_EQ(SavedNames(Split(joint, MinCut())), "_to_copy intermediate");
}

TEST_F(PartitionTest, MinCutSavesNoViewEither) {
  const ValueId tangent = Tangent();
  const ValueId mm = g_.Call("aten::mm", {x_, x_});
  const ValueId t = g_.Call("aten::t", {mm});
  g_.Return({t, g_.Call("aten::mm", {tangent, t})});
  EXPECT_EQ(SavedNames(Split(MakeJoint(g_, 2, 1), MinCut())), "mm intermediate");
}

TEST_F(PartitionTest, MinCutNeverRecomputesWhatIsRandomOrExpensive) {
  const ValueId w = g_.Placeholder("w", PlaceholderKind::kParameter);
  const ValueId tangent = Tangent();
  const ValueId random = g_.Call("aten::bernoulli.p", {w, 0.5});
  const ValueId product = g_.Call("aten::mm", {w, w});
  const ValueId sum = g_.Call("aten::add.Tensor", {g_.Call("aten::mul.Tensor", {tangent, random}), product});
  g_.Return({random, sum, nullptr});
  EXPECT_EQ(SavedNames(Split(MakeJoint(g_, 2, 1), MinCut())), "bernoulli intermediate, mm intermediate");
}

TEST_F(PartitionTest, MinCutTakesParametersForNothing) {
  const ValueId w = g_.Placeholder("w", PlaceholderKind::kParameter);
  const ValueId tangent = Tangent();
  const ValueId scaled = g_.Call("aten::mul.Tensor", {w, 2.0});
  g_.Return(
      {g_.Call("aten::mul.Tensor", {x_, scaled}), g_.Call("aten::mul.Tensor", {tangent, scaled}), nullptr});
  const Partition partition = Split(MakeJoint(g_, 2, 1), MinCut());
  EXPECT_EQ(SavedNames(partition), "w parameter");
  EXPECT_EQ(SavedBytes(partition), 0);
}

TEST_F(PartitionTest, StatisticsThatBatchNormWritesAreSavedAsTheyAreLeft) {
  const ValueId mean = g_.Placeholder("mean", PlaceholderKind::kBuffer);
  const ValueId tangent = Tangent();
  const ValueId copy = g_.Call("aten::clone", {mean});
  const auto norm =
      g_.CallAll("aten::native_batch_norm", {x_, nullptr, nullptr, copy, copy, true, 0.1, 1e-5});
  const ValueId view = g_.Call("aten::view", {copy, {-1}});
  g_.Return({norm[0], copy, g_.Call("aten::mul.Tensor", {tangent, view}), nullptr});
  for (const PartitionMode& mode : kPartitionModes) {
    const Partition partition = Split(MakeJoint(g_, 3, 2), mode);
    EXPECT_EQ(SavedNames(partition), "view intermediate");
    EXPECT_EQ(Outline(partition.forward),
              "x mean -> clone native_batch_norm view -> native_batch_norm clone view");
  }
}

TEST_F(PartitionTest, BackwardFromGivenValuesRecomputesTheOthers) {
  const ValueId tangent = Tangent();
  const ValueId mm = g_.Call("aten::mm", {x_, x_});
  const ValueId y = g_.Call("aten::exp", {mm});
  g_.Return({y, g_.Call("aten::mul.Tensor", {tangent, y})});
  const Joint joint = MakeJoint(g_, 2, 1);
  const auto backward =
      BackwardFrom(joint, {{.name = "mm", .additional_output = 0}, {.name = "gone", .additional_output = 1}});
  ASSERT_TRUE(backward.has_value());
  EXPECT_EQ(Outline(*backward), "mm gone tangent -> exp mul -> mul");
}

TEST_F(PartitionTest, BackwardFromTooLittleIsRefused) {
  const ValueId tangent = Tangent();
  const ValueId mm = g_.Call("aten::mm", {x_, x_});
  g_.Return({mm, g_.Call("aten::mul.Tensor", {tangent, mm})});
  EXPECT_FALSE(BackwardFrom(MakeJoint(g_, 1, 1), {{.name = "x", .placeholder = 0}}).has_value());
}

TEST_F(PartitionTest, BackwardFromWithoutAnInputThatItNeedsIsRefused) {
  const ValueId tangent = Tangent();
  g_.Return({x_, g_.Call("aten::mul.Tensor", {tangent, x_})});
  EXPECT_FALSE(BackwardFrom(MakeJoint(g_, 0, 1), {}).has_value());
}

TEST_F(PartitionTest, BackwardFromAValueWithTheNameOfOneOfBackwardIsRefused) {
  const ValueId tangent = Tangent();
  g_.Return({x_, g_.Call("aten::neg", {tangent})});
  EXPECT_FALSE(BackwardFrom(MakeJoint(g_, 0, 1), {{.name = "neg", .additional_output = 0}}).has_value());
}

TEST_F(PartitionTest, DescribesWhatIsSaved) {
  const ValueId w = g_.Placeholder("weight", PlaceholderKind::kParameter);
  const ValueId tangent = Tangent();
  const ValueId mm = g_.Call("aten::mm", {x_, w});
  g_.Return({mm, g_.Call("aten::addcmul", {tangent, mm, w}), nullptr});
  EXPECT_EQ(Describe(Split(MakeJoint(g_, 1, 1, 4096), Default())),
            "weight  parameter             4096 bytes\n"
            "mm      intermediate          4096 bytes\n"
            "2 saved for backward: 4096 bytes, and 4096 of parameters and buffers\n");
}

}  // namespace
}  // namespace culprit::autograd
