// SPDX-License-Identifier: Apache-2.0
#include "graph/run/recording.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"

namespace culprit::graph {
namespace {

using tests::TestGraph;

ObjectId ObjectOf(const Recording& recording, ValueId id) {
  return recording.value(id).items.at(0).object.value();
}
MemoryId MemoryOf(const Recording& recording, ValueId id) {
  const ObjectId object = ObjectOf(recording, id);
  return recording.StateOf(object, UINT32_MAX).memory;
}
at::Tensor TensorAt(const Recording& recording, ValueId id, Moment moment) {
  return recording.TensorAt(ObjectOf(recording, id), moment);
}

TEST(RecordingTest, KeepsValuesFromBeforeTheyWereWrittenOver) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId y = g.Call("aten::mul.Tensor", {x, 2});
  g.Call("aten::add_.Tensor", {y, 1});
  g.Call("aten::zero_", {y});
  g.Return({y});
  const Recording recording = Record(g.graph(), {at::ones({2})});
  EXPECT_EQ(recording.value(y).since, 1);
  EXPECT_TRUE(SameTensor(TensorAt(recording, y, 1), at::full({2}, 2.0)));
  EXPECT_TRUE(SameTensor(TensorAt(recording, y, 2), at::full({2}, 3.0)));
  EXPECT_TRUE(SameTensor(TensorAt(recording, y, 3), at::zeros({2})));
  EXPECT_EQ(recording.VersionAt(MemoryOf(recording, y), 2), 1);
  EXPECT_EQ(recording.WritersOf(MemoryOf(recording, y)), (std::vector{NodeId(1), NodeId(2)}));
}

TEST(RecordingTest, WhatTheCallerDoesLaterToInputsAndOutputsDoesNotMatter) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId y = g.Call("aten::view", {x, {2}});
  g.Return({y});
  const at::Tensor input = at::ones({2});
  const Recording recording = Record(g.graph(), {input});
  input.zero_();
  EXPECT_TRUE(SameTensor(TensorAt(recording, x, 0), at::ones({2})));
  EXPECT_TRUE(SameTensor(TensorAt(recording, y, 1), at::ones({2})));
}

TEST(RecordingTest, InPlaceResultsAreTheSameObjectAndViewsTheSameMemory) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId view = g.Call("aten::select.int", {x, 0, 1});
  const ValueId same = g.Call("aten::add_.Tensor", {view, 1});
  const ValueId other = g.Call("aten::add.Tensor", {view, 1});
  g.Return({same});
  const Recording recording = Record(g.graph(), {at::zeros({2, 3})});
  EXPECT_EQ(ObjectOf(recording, view), ObjectOf(recording, same));
  EXPECT_NE(ObjectOf(recording, view), ObjectOf(recording, x));
  EXPECT_EQ(MemoryOf(recording, view), MemoryOf(recording, x));
  EXPECT_NE(MemoryOf(recording, other), MemoryOf(recording, x));
  EXPECT_TRUE(TensorAt(recording, x, 2).storage().is_alias_of(TensorAt(recording, view, 2).storage()));
  EXPECT_EQ(TensorAt(recording, x, 2).sum().item<float>(), 3);
  EXPECT_EQ(TensorAt(recording, x, 1).sum().item<float>(), 0);
}

TEST(RecordingTest, AFreedStorageIsNotMistakenForItsSuccessor) {
  TestGraph g;
  ValueId y = g.Placeholder("x");
  std::vector<ValueId> all;
  for (int i = 0; i < 50; ++i) all.push_back(y = g.Call("aten::neg", {y}));
  g.Return({y});
  const Recording recording = Record(g.graph(), {at::ones({2})}, std::vector<ValueId>{});
  std::set<MemoryId> memories;
  for (const ValueId id : all) memories.insert(MemoryOf(recording, id));
  EXPECT_EQ(memories.size(), all.size());
}

TEST(RecordingTest, MetadataChangedInPlaceIsKeptByMoment) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Call("aten::t_", {x});
  g.Return({x});
  const Recording recording = Record(g.graph(), {at::ones({2, 3})});
  EXPECT_EQ(TensorAt(recording, x, 0).sizes(), at::IntArrayRef({2, 3}));
  EXPECT_EQ(TensorAt(recording, x, 1).sizes(), at::IntArrayRef({3, 2}));
}

TEST(RecordingTest, HiddenWritesOfBatchNormAreSeen) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId mean = g.Placeholder("mean", PlaceholderKind::kBuffer);
  const ValueId variance = g.Placeholder("variance", PlaceholderKind::kBuffer);
  const auto results =
      g.CallAll("aten::native_batch_norm", {x, nullptr, nullptr, mean, variance, true, 0.5, 1e-5});
  g.Return({results[0]});
  const Recording recording = Record(g.graph(), {at::full({4, 2}, 3.0), at::ones({2}), at::ones({2})});
  EXPECT_TRUE(SameTensor(TensorAt(recording, mean, 0), at::ones({2})));
  EXPECT_TRUE(SameTensor(TensorAt(recording, mean, 1), at::full({2}, 2.0)));
}

TEST(RecordingTest, OnlyChosenContentsAreKept) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId y = g.Call("aten::neg", {x});
  const ValueId z = g.Call("aten::neg", {y});
  g.Return({z});
  const Recording recording = Record(g.graph(), {at::ones({2})}, std::vector<ValueId>{y});
  EXPECT_FALSE(TensorAt(recording, x, 0).defined());
  EXPECT_TRUE(SameTensor(TensorAt(recording, y, 1), at::full({2}, -1.0)));
  EXPECT_FALSE(recording.ValueAt(z, 2).has_value());
}

TEST(RecordingTest, KeepsWhatIsNoTensor) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId n = g.Call("aten::size.int", {x, 0});
  const ValueId list = g.Call("aten::split.Tensor", {x, 2});
  const auto gradients = g.CallAll("aten::native_layer_norm_backward",
                                   {x, x, {2}, x, x, nullptr, nullptr, {true, false, false}});
  g.Return({n});
  const Recording recording = Record(g.graph(), {at::ones({3, 2})});
  EXPECT_EQ(recording.ValueAt(n, 1)->toInt(), 3);
  EXPECT_EQ(recording.ValueAt(list, 2)->toTensorList().size(), 2);
  EXPECT_TRUE(recording.ValueAt(gradients[1], 3)->isTensor());
  EXPECT_FALSE(recording.ValueAt(gradients[1], 3)->toTensor().defined());
}

TEST(RecordingTest, SparseTensorsAreKeptAsClones) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId sparse = g.Call("aten::to_sparse", {x});
  g.Call("aten::mul_.Scalar", {sparse, 3});
  g.Return({sparse});
  const Recording recording = Record(g.graph(), {at::ones({2, 2})});
  EXPECT_TRUE(SameTensor(TensorAt(recording, sparse, 1).to_dense(), at::ones({2, 2})));
  EXPECT_TRUE(SameTensor(TensorAt(recording, sparse, 2).to_dense(), at::full({2, 2}, 3.0)));
}

TEST(RecordingTest, TensorConstantsAreRecordedFromTheStart) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Call("aten::neg", {x});
  const ValueId constant = g.Constant("c", at::ones({2}));
  g.Call("aten::add_.Tensor", {constant, x});
  g.Return({constant});
  const Recording recording = Record(g.graph(), {at::ones({2})});
  EXPECT_TRUE(SameTensor(TensorAt(recording, constant, 0), at::ones({2})));
  EXPECT_TRUE(SameTensor(TensorAt(recording, constant, 2), at::full({2}, 2.0)));
}

}  // namespace
}  // namespace culprit::graph
