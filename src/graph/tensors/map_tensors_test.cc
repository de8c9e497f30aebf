// SPDX-License-Identifier: Apache-2.0
#include "graph/tensors/map_tensors.h"

#include <ATen/core/List.h>
#include <ATen/core/jit_type.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "graph/ir/graph.h"
#include "tests/lib/values.h"

namespace culprit::graph {
namespace {

c10::IValue Doubled(const c10::IValue& value) {
  return MapTensors(value, [](const at::Tensor& tensor) { return tensor.mul(2); });
}

bool IsTwo(const c10::IValue& value) {
  return SameTensor(value.toTensor(), at::full({1}, 2.0, at::kFloat));
}

TEST(MapTensorsTest, TensorsInListsTuplesAndDictsAreReplaced) {
  const at::Tensor one = at::ones({1});
  EXPECT_TRUE(IsTwo(Doubled(one)));
  const c10::IValue mapped =
      Doubled(tests::Tuple({one, c10::List<at::Tensor>({one}), tests::Dict({{"z", one}}), 3}));
  const auto& elements = mapped.toTupleRef().elements();
  EXPECT_TRUE(IsTwo(elements[0]));
  EXPECT_TRUE(IsTwo(elements[1].toTensorList().get(0)));
  EXPECT_TRUE(IsTwo(elements[2].toGenericDict().at("z")));
  EXPECT_EQ(elements[3].toInt(), 3);
}

TEST(MapTensorsTest, ContainersKeepTheirTypeAndTheOriginalItsContents) {
  const at::Tensor one = at::ones({1});
  const c10::IValue pair = tests::NamedTuple("Pair", {{"a", one}, {"b", one}});
  const c10::IValue mapped = Doubled(pair);
  EXPECT_EQ(*mapped.toTupleRef().type<c10::TupleType>(), *pair.toTupleRef().type<c10::TupleType>());
  EXPECT_TRUE(pair.toTupleRef().elements()[0].toTensor().is_same(one));
  EXPECT_TRUE(Doubled(c10::List<int64_t>({1, 2})).isIntList());
}

TEST(MapTensorsTest, UndefinedTensorsArePassedOn) {
  const auto same = [](const at::Tensor& tensor) { return tensor; };
  const c10::IValue mapped = MapTensors(tests::Tuple({at::Tensor(), 3}), same);
  EXPECT_FALSE(mapped.toTupleRef().elements()[0].toTensor().defined());
}

TEST(MapTensorsTest, ObjectsAreShared) {
  const c10::IValue object = tests::Object("Boxes", {{"x", at::ones({1})}});
  EXPECT_TRUE(Doubled(object).is(object));
}

}  // namespace
}  // namespace culprit::graph
