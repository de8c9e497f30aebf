// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/extract.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/ir/verify.h"
#include "graph/run/interpreter.h"
#include "tests/lib/graph_builder.h"

namespace culprit::graph {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::TestGraph;

/// Cuts out the nodes that define the given values.
base::Result<Extraction> TryCut(const Graph& graph, std::vector<c10::IValue> inputs,
                                const std::vector<ValueId>& values) {
  const Recording recording = Record(graph, std::move(inputs));
  std::vector<NodeId> keep;
  for (const ValueId id : values) keep.push_back(NodeId(graph.value(id).origin_index));
  return Extract(graph, keep, recording);
}

/// As TryCut; checks in addition that two runs both give what the full run had.
Extraction Cut(const Graph& graph, const std::vector<c10::IValue>& inputs,
               const std::vector<ValueId>& values) {
  Extraction cut = *TryCut(graph, CopyAll(inputs), values);
  EXPECT_TRUE(Verify(cut.graph).ok());
  const Recording recording = Record(graph, CopyAll(inputs));
  for (int run = 0; run < 2; ++run) {
    const std::vector<c10::IValue> outputs = Interpreter(cut.graph).Run(cut.CopyInputs());
    EXPECT_EQ(outputs.size(), cut.outputs.size());
    for (size_t i = 0; i < outputs.size(); ++i) {
      const ExtractedOutput& output = cut.outputs[i];
      const RecordedItem& item = recording.value(output.source).items[output.item];
      if (!item.object) continue;
      EXPECT_TRUE(SameTensor(outputs[i].toTensor(), recording.TensorAt(*item.object, output.as_of)))
          << graph.value(output.source).name;
    }
  }
  return cut;
}

std::vector<std::string> PlaceholderNames(const Extraction& cut) {
  std::vector<std::string> names;
  for (const Placeholder& placeholder : cut.graph.placeholders())
    names.push_back(cut.graph.value(placeholder.value).name);
  return names;
}

std::vector<std::string> OutputNames(const Extraction& cut) {
  std::vector<std::string> names;
  for (const Argument& output : cut.graph.outputs()) names.push_back(cut.graph.value(output.value()).name);
  return names;
}

bool ShareMemory(const Extraction& cut, size_t a, size_t b) {
  return cut.inputs[a].toTensor().storage().is_alias_of(cut.inputs[b].toTensor().storage());
}

TEST(ExtractTest, CutsFunctionalGraphs) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId sin = g.Call("aten::sin", {x});
  const ValueId neg = g.Call("aten::neg", {sin});
  const ValueId exp = g.Call("aten::exp", {neg});
  const ValueId add = g.Call("aten::add.Tensor", {neg, exp});
  g.Return({add});
  const Extraction cut = Cut(g.graph(), {at::ones({2})}, {neg, add});
  EXPECT_THAT(PlaceholderNames(cut), ElementsAre("sin", "exp"));
  EXPECT_THAT(OutputNames(cut), ElementsAre("neg", "add"));
}

TEST(ExtractTest, TheWholeGraphStaysAsItIs) {
  TestGraph g;
  const ValueId x = g.Placeholder("x", PlaceholderKind::kParameter);
  const ValueId c = g.Constant("c", at::ones({2}));
  const ValueId sum = g.Call("aten::add.Tensor", {x, c});
  const ValueId in_place = g.Call("aten::mul_.Tensor", {sum, 3});
  const ValueId parts = g.Call("aten::split.Tensor", {sum, 1});
  const ValueId last = g.Call("aten::add.Tensor", {g.Call("python::getitem.Tensor", {parts, 1}), in_place});
  const ValueId view = g.Call("aten::view", {g.Call("aten::neg", {last}), {1, 2}});
  g.Return({view});
  std::vector<ValueId> all;
  for (const Node& node : g.graph().nodes()) all.push_back(node.results[0]);
  EXPECT_TRUE(Cut(g.graph(), {at::ones({2})}, all).graph == g.graph());
}

TEST(ExtractTest, OriginalPlaceholdersComeFirstInTheirOrderAndKeepTheirKind) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Placeholder("unused");
  const ValueId weight = g.Placeholder("weight", PlaceholderKind::kParameter);
  const ValueId sin = g.Call("aten::sin", {x});
  const ValueId mul = g.Call("aten::mul.Tensor", {sin, weight});
  const ValueId add = g.Call("aten::add.Tensor", {mul, x});
  g.Return({add});
  const Extraction cut = Cut(g.graph(), {at::ones({2}), at::ones({2}), at::ones({2})}, {mul, add});
  EXPECT_THAT(PlaceholderNames(cut), ElementsAre("x", "weight", "sin"));
  EXPECT_EQ(cut.graph.placeholders()[1].kind, PlaceholderKind::kParameter);
}

TEST(ExtractTest, OriginalPlaceholdersKeepTheirSymbolsAndOthersHaveNone) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.graph().SetSymbols(0, {"s0"});
  const ValueId y = g.Call("aten::neg", {x});
  const ValueId z = g.Call("aten::add.Tensor", {x, y});
  g.Return({z});
  const Extraction cut = Cut(g.graph(), {at::ones({3})}, {z});
  ASSERT_EQ(cut.graph.placeholders().size(), 2);
  EXPECT_THAT(cut.graph.placeholders()[0].symbols, ElementsAre("s0"));
  EXPECT_THAT(cut.graph.placeholders()[1].symbols, ElementsAre());
}

TEST(ExtractTest, PlaceholdersOnOneStorageShareItSoThatMutationIsSeenThroughTheView) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId y = g.Call("aten::neg", {x});
  const ValueId view = g.Call("aten::select.int", {y, 0, 1});
  const ValueId added = g.Call("aten::add_.Tensor", {y, 1});
  const ValueId relu = g.Call("aten::relu", {view});
  g.Return({relu, added});
  const Extraction cut = Cut(g.graph(), {at::zeros({2, 3})}, {added, relu});
  EXPECT_THAT(PlaceholderNames(cut), ElementsAre("neg", "select"));
  EXPECT_TRUE(ShareMemory(cut, 0, 1));
  const auto outputs = Interpreter(cut.graph).Run(cut.CopyInputs());
  EXPECT_TRUE(SameTensor(outputs[1].toTensor(), at::ones({3})));
}

TEST(ExtractTest, AMutationOutsideEndsWhatTheGraphKnows) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId y = g.Call("aten::neg", {x});
  const ValueId before = g.Call("aten::relu", {y});
  g.Call("aten::add_.Tensor", {y, 1});
  const ValueId behind = g.Call("aten::relu", {y});
  g.Return({before, behind});
  const Extraction cut = Cut(g.graph(), {at::zeros({2})}, {y, before, behind});
  EXPECT_THAT(PlaceholderNames(cut), ElementsAre("x", "neg_1"));
  const auto outputs = Interpreter(cut.graph).Run(cut.CopyInputs());
  ASSERT_THAT(OutputNames(cut), ElementsAre("neg", "relu", "relu_1"));
  EXPECT_TRUE(SameTensor(outputs[2].toTensor(), at::ones({2})));
}

TEST(ExtractTest, APlaceholderMutatedOutsideIsFedOnceForEachVersion) {
  TestGraph g;
  const ValueId x = g.Placeholder("x", PlaceholderKind::kBuffer);
  const ValueId before = g.Call("aten::relu", {x});
  g.Call("aten::add_.Tensor", {x, 1});
  const ValueId behind = g.Call("aten::neg", {x});
  const ValueId again = g.Call("aten::exp", {x});
  g.Return({before, behind, again});
  const Extraction cut = Cut(g.graph(), {at::zeros({2})}, {before, behind, again});
  EXPECT_THAT(PlaceholderNames(cut), ElementsAre("x", "x_1"));
  EXPECT_EQ(cut.graph.placeholders()[1].kind, PlaceholderKind::kBuffer);
  EXPECT_FALSE(ShareMemory(cut, 0, 1));
}

TEST(ExtractTest, ChainsOfViewsStayChains) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId y = g.Call("aten::neg", {x});
  const ValueId t = g.Call("aten::t", {y});
  const ValueId row = g.Call("aten::select.int", {t, 0, 0});
  const ValueId zero = g.Call("aten::zero_", {row});
  const ValueId sum = g.Call("aten::sum", {y});
  g.Return({sum, zero});
  const Extraction cut = Cut(g.graph(), {at::ones({2, 3})}, {t, row, zero, sum});
  EXPECT_THAT(PlaceholderNames(cut), ElementsAre("neg"));
  EXPECT_EQ(cut.graph.nodes().size(), 4);
}

TEST(ExtractTest, AViewMadeOutsideOfMemoryMadeInsideIsACopyIfNobodyWrites) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId y = g.Call("aten::neg", {x});
  const ValueId view = g.Call("aten::t", {y});
  const ValueId relu = g.Call("aten::relu", {view});
  g.Return({relu});
  const Extraction cut = Cut(g.graph(), {at::ones({2, 3})}, {y, relu});
  EXPECT_THAT(PlaceholderNames(cut), ElementsAre("x", "t"));
}

TEST(ExtractTest, AViewMadeOutsideOfMemoryMadeAndWrittenInsideIsRefused) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId y = g.Call("aten::neg", {x});
  const ValueId view = g.Call("aten::t", {y});
  const ValueId relu = g.Call("aten::relu", {view});
  const ValueId added = g.Call("aten::add_.Tensor", {y, 1});
  g.Return({relu, added});
  const auto cut = TryCut(g.graph(), {at::ones({2, 3})}, {y, relu, added});
  ASSERT_FALSE(cut.ok());
  EXPECT_EQ(cut.error().message,
            "cannot cut here: 't' shares memory with 'neg', but is made outside the cut, and "
            "aten::add_.Tensor inside it writes into that memory");
}

TEST(ExtractTest, TheHiddenWriteOfBatchNormIsAWrite) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId mean = g.Placeholder("mean", PlaceholderKind::kBuffer);
  const ValueId variance = g.Placeholder("variance", PlaceholderKind::kBuffer);
  const ValueId before = g.Call("aten::neg", {mean});
  const auto norm =
      g.CallAll("aten::native_batch_norm", {x, nullptr, nullptr, mean, variance, true, 0.5, 1e-5});
  const ValueId behind = g.Call("aten::neg", {mean});
  g.Return({before, norm[0], behind});
  const std::vector<c10::IValue> inputs = {at::full({4, 2}, 3.0), at::ones({2}), at::ones({2})};
  EXPECT_THAT(PlaceholderNames(Cut(g.graph(), inputs, {before, behind})), ElementsAre("mean", "mean_1"));
  EXPECT_THAT(PlaceholderNames(Cut(g.graph(), inputs, {before, norm[0], behind})),
              ElementsAre("x", "mean", "variance"));
}

TEST(ExtractTest, StridesOfOperandsAreKept) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId image = g.Call("aten::neg", {x});
  const ValueId part = g.Call("aten::slice.Tensor", {g.Call("aten::transpose.int", {image, 0, 1}), 2, 1});
  const ValueId wide = g.Call("aten::expand", {g.Call("aten::select.int", {part, 3, 0}), {3, 2, 3}});
  const ValueId a = g.Call("aten::relu", {image});
  const ValueId b = g.Call("aten::relu", {part});
  const ValueId c = g.Call("aten::relu", {wide});
  g.Return({a, b, c});
  const at::Tensor input = at::arange(96).to(at::kFloat).reshape({2, 3, 4, 4});
  const Extraction cut = Cut(g.graph(), {input.contiguous(at::MemoryFormat::ChannelsLast)}, {a, b, c});
  ASSERT_THAT(PlaceholderNames(cut), ElementsAre("neg", "slice", "expand"));
  EXPECT_TRUE(cut.inputs[0].toTensor().is_contiguous(at::MemoryFormat::ChannelsLast));
  EXPECT_EQ(cut.inputs[1].toTensor().strides(), at::IntArrayRef({1, 48, 12, 3}));
  EXPECT_EQ(cut.inputs[1].toTensor().storage_offset(), 12);
}

TEST(ExtractTest, StrideZeroIsKept) {
  TestGraph g;
  const ValueId wide = g.Call("aten::expand", {g.Placeholder("x"), {3, 2}});
  const ValueId relu = g.Call("aten::relu", {wide});
  g.Return({relu});
  const Extraction cut = Cut(g.graph(), {at::ones({1, 2})}, {relu});
  EXPECT_EQ(cut.inputs[0].toTensor().strides(), at::IntArrayRef({0, 1}));
  EXPECT_EQ(cut.CopyInputs()[0].toTensor().strides(), at::IntArrayRef({0, 1}));
}

TEST(ExtractTest, SomeResultsOfANodeAreOutputs) {
  TestGraph g;
  const auto top = g.CallAll("aten::topk", {g.Placeholder("x"), 2});
  const ValueId neg = g.Call("aten::neg", {top[0]});
  g.Return({g.Call("aten::abs", {top[1]}), neg});
  const Extraction cut = Cut(g.graph(), {at::arange(5)}, {top[0], neg});
  EXPECT_THAT(OutputNames(cut), ElementsAre("topk_1", "neg"));
}

TEST(ExtractTest, ElementsOfAListMadeOutsideArePlaceholders) {
  TestGraph g;
  const ValueId parts = g.Call("aten::split.Tensor", {g.Placeholder("x"), 2});
  const ValueId item = g.Call("python::getitem.Tensor", {parts, 1});
  const ValueId relu = g.Call("aten::relu", {item});
  const ValueId all = g.Call("aten::cat", {parts});
  g.Return({relu, all});
  const Extraction cut = Cut(g.graph(), {at::arange(5).to(at::kFloat)}, {item, relu, all});
  EXPECT_THAT(PlaceholderNames(cut), ElementsAre("getitem", "split_1", "split_2"));
  EXPECT_EQ(cut.graph.nodes().size(), 2);
  EXPECT_TRUE(ShareMemory(cut, 0, 1));
}

TEST(ExtractTest, AListMadeInsideAndNeededOutsideShowsItsElements) {
  TestGraph g;
  const ValueId parts = g.Call("aten::split.Tensor", {g.Placeholder("x"), 2});
  const ValueId item = g.Call("python::getitem.Tensor", {parts, 1});
  g.Return({item});
  const Extraction cut = Cut(g.graph(), {at::arange(5)}, {parts});
  EXPECT_THAT(OutputNames(cut), ElementsAre("split_1", "split_2", "split_3"));
}

TEST(ExtractTest, AnElementTakenOutsideIsTakenAgainFromAListMadeInside) {
  TestGraph g;
  const ValueId parts = g.Call("aten::split.Tensor", {g.Call("aten::neg", {g.Placeholder("x")}), 2});
  const ValueId item = g.Call("python::getitem.Tensor", {parts, 1});
  const ValueId turned = g.Call("aten::t_", {item});
  g.Return({turned});
  const Extraction cut = Cut(g.graph(), {at::ones({4, 3})}, {parts, turned});
  EXPECT_THAT(PlaceholderNames(cut), ElementsAre("neg"));
  EXPECT_THAT(OutputNames(cut), ElementsAre("split_1", "split_2", "t_"));
}

TEST(ExtractTest, UndefinedGradientsBecomeNone) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const auto gradients =
      g.CallAll("aten::convolution_backward",
                {x, x, x, nullptr, {1, 1}, {0, 0}, {1, 1}, false, {0, 0}, 1, {true, true, false}});
  const ValueId next =
      g.Call("aten::convolution", {gradients[0], x, gradients[2], {1, 1}, {0, 0}, {1, 1}, false, {0, 0}, 1});
  g.Return({next, gradients[2]});
  const Extraction tail = Cut(g.graph(), {at::ones({1, 1, 1, 1})}, {next});
  EXPECT_TRUE(tail.graph.nodes()[0].arguments[2].is_none());
  const Extraction head = Cut(g.graph(), {at::ones({1, 1, 1, 1})}, {gradients[0]});
  EXPECT_THAT(OutputNames(head), ElementsAre("convolution_backward", "convolution_backward_1"));
}

TEST(ExtractTest, IntegersBecomePlaceholdersWithTheRecordedNumber) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId n = g.Call("aten::size.int", {x, 0});
  const ValueId twice = g.Call("python::mul.int", {n, 2});
  const ValueId view = g.Call("aten::reshape", {x, {twice, -1}});
  g.Return({view});
  const Extraction cut = Cut(g.graph(), {at::ones({3, 4})}, {view});
  ASSERT_THAT(PlaceholderNames(cut), ElementsAre("x", "mul"));
  EXPECT_EQ(cut.graph.value(cut.graph.placeholders()[1].value).kind, ValueKind::kInt);
  EXPECT_EQ(cut.inputs[1].toInt(), 6);
}

TEST(ExtractTest, ConstantsStayConstantsUnlessTheCutWritesIntoThem) {
  TestGraph g;
  const ValueId c = g.Constant("c", at::ones({2}));
  const ValueId neg = g.Call("aten::neg", {c});
  const ValueId zero = g.Call("aten::zero_", {c});
  g.Return({neg, zero});
  EXPECT_EQ(Cut(g.graph(), {}, {neg}).graph.constants().size(), 1);
  const Extraction writing = Cut(g.graph(), {}, {neg, zero});
  EXPECT_THAT(PlaceholderNames(writing), ElementsAre("c"));
  EXPECT_EQ(writing.graph.placeholders()[0].kind, PlaceholderKind::kBuffer);
}

TEST(ExtractTest, MetadataChangedInPlaceIsSeen) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId y = g.Call("aten::neg", {x});
  const ValueId turned = g.Call("aten::t_", {y});
  const ValueId relu = g.Call("aten::relu", {y});
  g.Return({relu, turned});
  EXPECT_EQ(Cut(g.graph(), {at::ones({2, 3})}, {relu}).inputs[0].toTensor().sizes(), at::IntArrayRef({3, 2}));
  EXPECT_EQ(Cut(g.graph(), {at::ones({2, 3})}, {turned, relu}).inputs[0].toTensor().sizes(),
            at::IntArrayRef({2, 3}));
}

TEST(ExtractTest, SparseOperandsAreFedAsTheyWere) {
  TestGraph g;
  const ValueId sparse = g.Call("aten::to_sparse", {g.Placeholder("x")});
  const ValueId dense = g.Call("aten::to_dense", {sparse});
  g.Call("aten::mul_.Scalar", {sparse, 2});
  g.Return({dense});
  const Extraction cut = Cut(g.graph(), {at::ones({2, 2})}, {dense});
  EXPECT_TRUE(cut.inputs[0].toTensor().is_sparse());
}

TEST(ExtractTest, MovingATensorToOtherMemoryIsRefused) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId y = g.Call("aten::neg", {x});
  const ValueId moved = g.Call("aten::set_.source_Tensor", {y, x});
  g.Return({moved});
  const auto cut = TryCut(g.graph(), {at::ones({2})}, {moved});
  ASSERT_FALSE(cut.ok());
  EXPECT_THAT(cut.error().message, HasSubstr("aten::set_.source_Tensor gives 'neg' another memory"));
}

TEST(ExtractTest, ContentsThatWereNotRecordedAreNamed) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::neg", {x})});
  const Recording recording = Record(g.graph(), {at::ones({2})}, std::vector<ValueId>{});
  const auto cut = Extract(g.graph(), {NodeId(0)}, recording);
  ASSERT_FALSE(cut.ok());
  EXPECT_EQ(cut.error().message, "cannot cut here: the contents of 'x' were not recorded");
}

}  // namespace
}  // namespace culprit::graph
