// SPDX-License-Identifier: Apache-2.0
//
// The walk over two trees. The rules for single tensors are tested with them.
#include "compare/compare.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/_sparse_coo_tensor_unsafe.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/quantize_per_tensor.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/values.h"

namespace culprit::compare {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using tests::Dict;
using tests::List;
using tests::NamedTuple;
using tests::Object;
using tests::Tuple;

/// The mismatches as "path kind: message", then the failing outputs as "path rule".
std::vector<std::string> Failures(const c10::IValue& reference, const c10::IValue& result,
                                  const std::optional<c10::IValue>& fp64 = std::nullopt,
                                  const Options& options = {}) {
  const Verdict verdict = Compare(reference, result, fp64, options);
  std::vector<std::string> lines;
  for (const Mismatch& mismatch : verdict.mismatches)
    lines.push_back(fmt::format("{} {}: {}", mismatch.path, NameOf(mismatch.kind), mismatch.message));
  for (const Output& output : verdict.outputs) {
    if (!output.passes) lines.push_back(fmt::format("{} {}", output.path, NameOf(output.rule)));
  }
  EXPECT_EQ(verdict.passes(), lines.empty());
  return lines;
}

at::Tensor One() {
  return at::ones({1});
}

at::Tensor Two() {
  return at::full({1}, 2.0F);
}

TEST(CompareTest, EveryTensorHasItsOutputInOrder) {
  const c10::IValue tree = Tuple({One(), Dict({{"logits", List({One()})}, {"a", Two()}}), 2.5});
  const Verdict verdict = Compare(tree, tree, std::nullopt, {});
  EXPECT_TRUE(verdict.passes());
  std::vector<std::string> paths;
  for (const Output& output : verdict.outputs) paths.push_back(output.path);
  EXPECT_THAT(paths, ElementsAre("[0]", "[1]['a']", "[1]['logits'][0]", "[2]"));
}

TEST(CompareTest, AllFailuresAreFoundNotJustTheFirst) {
  EXPECT_THAT(Failures(List({One(), One(), One()}), List({Two(), One(), Two()})),
              ElementsAre("[0] allclose", "[2] allclose"));
}

TEST(SequenceTest, LengthsMustBeTheSame) {
  EXPECT_THAT(Failures(List({One(), One()}), List({One()})),
              ElementsAre(" length: 2 elements in the reference, 1 in the result"));
}

TEST(SequenceTest, ListsAndTuplesAreInterchangeable) {
  EXPECT_THAT(Failures(List({One()}), Tuple({One()})), IsEmpty());
  EXPECT_THAT(Failures(Tuple({One()}), List({One()})), IsEmpty());
}

TEST(SequenceTest, TheyAreInFp64Too) {
  EXPECT_THAT(Failures(List({One()}), List({Two()}), Tuple({at::zeros({1}, at::kDouble)})), IsEmpty());
}

TEST(SequenceTest, OtherTypesAreNot) {
  EXPECT_THAT(Failures(List({One()}), One()),
              ElementsAre(" type: list in the reference, tensor in the result"));
  EXPECT_THAT(Failures(One(), List({One()})),
              ElementsAre(" type: tensor in the reference, list in the result"));
}

TEST(SequenceTest, NamedTuplesMustHaveTheSameName) {
  const c10::IValue reference = NamedTuple("Pair", {{"a", One()}});
  EXPECT_THAT(Failures(reference, NamedTuple("Pair", {{"a", Two()}})), ElementsAre("a allclose"));
  EXPECT_THAT(Failures(reference, NamedTuple("Couple", {{"a", One()}})),
              ElementsAre(" type: 'Pair' in the reference, 'Couple' in the result"));
}

// PyTorch compares as many elements as the shortest of the three has.
TEST(SequenceTest, AShorterFp64ReferenceIsAMismatch) {
  EXPECT_THAT(Failures(List({One(), One()}), List({One(), Two()}), List({at::ones({1}, at::kDouble)})),
              ElementsAre(" fp64: 2 elements in the reference, 1 in the fp64 run", "[1] allclose"));
}

TEST(DictTest, KeysMustBeTheSame) {
  EXPECT_THAT(Failures(Dict({{"a", One()}, {"b", One()}}), Dict({{"a", Two()}, {"c", One()}})),
              ElementsAre(" keys: the key ['b'] is in the reference only",
                          " keys: the key ['c'] is in the result only", "['a'] allclose"));
}

TEST(DictTest, TheOrderOfKeysDoesNotMatter) {
  EXPECT_THAT(Failures(Dict({{"a", One()}, {"b", Two()}}), Dict({{"b", Two()}, {"a", One()}})), IsEmpty());
}

TEST(DictTest, KeysMissingInFp64AreNamed) {
  const c10::IValue reference = Dict({{"a", One()}});
  EXPECT_THAT(Failures(reference, reference, Dict({{"b", One()}})),
              ElementsAre(" fp64: the key ['a'] is not in the fp64 run"));
}

TEST(ObjectTest, TypeAndEveryAttributeAreCompared) {
  const c10::IValue reference = Object("Boxes", {{"x", One()}, {"y", One()}});
  EXPECT_THAT(Failures(reference, Object("Boxes", {{"x", One()}, {"y", Two()}})), ElementsAre("y allclose"));
  EXPECT_THAT(Failures(reference, Object("Normal", {{"x", One()}, {"y", One()}})),
              ElementsAre(" type: object Boxes in the reference, object Normal in the result"));
}

TEST(ObjectTest, OnlyTheLossOfAQuestionAnsweringModelOutputCounts) {
  const char* name = "QuestionAnsweringModelOutput";
  const c10::IValue reference = Object(name, {{"loss", One()}, {"logits", One()}});
  EXPECT_THAT(Failures(reference, Object(name, {{"loss", One()}, {"logits", Two()}})), IsEmpty());
  EXPECT_THAT(Failures(reference, Object(name, {{"loss", Two()}, {"logits", One()}})),
              ElementsAre("loss allclose"));
}

TEST(ObjectTest, AnObjectThatContainsItselfEnds) {
  const c10::IValue object = Object("Node", {{"next", c10::IValue()}});
  object.toObject()->setSlot(0, object);
  EXPECT_FALSE(Compare(object, object, std::nullopt, {}).passes());
  object.toObject()->setSlot(0, c10::IValue());
}

TEST(ValueTest, PlainValuesMustBeEqual) {
  EXPECT_THAT(Failures(List({1, "a", true, {}, c10::Device(c10::kCPU)}),
                       List({1, "a", true, {}, c10::Device(c10::kCPU)})),
              IsEmpty());
  EXPECT_THAT(Failures(1, 2), ElementsAre(" value: 1 in the reference, 2 in the result"));
  EXPECT_THAT(Failures("a", "b"), ElementsAre(" value: 'a' in the reference, 'b' in the result"));
  EXPECT_THAT(Failures(true, false).size(), 1);
  EXPECT_THAT(Failures(c10::Device(c10::kCPU), c10::Device(c10::kMeta)).size(), 1);
}

TEST(ValueTest, IgnoringNonFloatsForgivesValuesButNotTypes) {
  const Options options{.ignore_non_float = true};
  EXPECT_THAT(Failures(List({1, "a", true}), List({2, "b", false}), {}, options), IsEmpty());
  EXPECT_THAT(Failures({}, One(), {}, options),
              ElementsAre(" type: None in the reference, tensor in the result"));
  EXPECT_THAT(Failures(1.5, 2.5, {}, options), ElementsAre(" allclose"));
}

TEST(ValueTest, UndefinedTensorsAreNone) {
  EXPECT_THAT(Failures(at::Tensor(), at::Tensor()), IsEmpty());
  EXPECT_THAT(Failures(at::Tensor(), c10::IValue()), IsEmpty());
  EXPECT_THAT(Failures(at::Tensor(), One()),
              ElementsAre(" type: None in the reference, tensor in the result"));
}

TEST(ValueTest, FloatsAreComparedWithTheTolerance) {
  EXPECT_THAT(Failures(1.0, 1.0001), IsEmpty());
  EXPECT_THAT(Failures(1.0, 1.001), ElementsAre(" allclose"));
  EXPECT_THAT(Failures(c10::complex<double>(1, 1), c10::complex<double>(1, 2)), ElementsAre(" allclose"));
  EXPECT_THAT(Failures(1.0, 1), ElementsAre(" type: float in the reference, int in the result"));
}

TEST(ValueTest, AFloatMayBeATensorOfTheDefaultDtype) {
  EXPECT_THAT(Failures(1.0, at::ones({})), IsEmpty());
  EXPECT_THAT(Failures(at::ones({}), 2.0), ElementsAre(" allclose"));
  EXPECT_THAT(Failures(1.0, at::ones({}, at::kDouble)),
              ElementsAre(" dtype: Float in the reference, Double in the result"));
}

TEST(ValueTest, FloatsHaveAnFp64ReferenceToo) {
  EXPECT_THAT(Failures(1.0, 3.0, 0.0), IsEmpty());
  EXPECT_THAT(Failures(1.0, 3.1, 0.0), ElementsAre(" fp64"));
}

TEST(ValueTest, WhatCannotBeComparedIsNamed) {
  const c10::IValue dict = Dict({{One(), 1}});
  EXPECT_THAT(Failures(dict, dict), ElementsAre(" unsupported: values of type dict cannot be compared"));
}

TEST(TensorTest, StructureIsComparedBeforeNumbers) {
  EXPECT_THAT(Failures(List({at::ones({2, 1})}), List({at::ones({2, 2})})),
              ElementsAre("[0] shape: [2, 1] in the reference, [2, 2] in the result"));
}

TEST(TensorTest, NumbersAreJudgedDespiteAnotherRequiresGrad) {
  EXPECT_THAT(Failures(One().requires_grad_(true), Two()),
              ElementsAre(" requires_grad: yes in the reference, no in the result", " allclose"));
}

TEST(TensorTest, QuantisedTensorsAreComparedByQuantiserAndValue) {
  const auto quantized = [](const at::Tensor& numbers, double scale) {
    return at::quantize_per_tensor(numbers, scale, 0, at::kQInt8);
  };
  EXPECT_THAT(Failures(quantized(One(), 0.5), quantized(One(), 0.5)), IsEmpty());
  EXPECT_THAT(Failures(quantized(One(), 0.5), quantized(Two(), 0.5)), ElementsAre(" allclose"));
  EXPECT_THAT(
      Failures(quantized(One(), 0.5), quantized(One(), 0.25)),
      ElementsAre(" quantizer: scale 0.5 and zero point 0 in the reference, scale 0.25 and zero point 0 "
                  "in the result"));
}

TEST(TensorTest, OtherLayoutsAreCompared) {
  EXPECT_THAT(Failures(One().to_mkldnn(), One().to_mkldnn()), IsEmpty());
  EXPECT_THAT(Failures(One().to_mkldnn(), Two().to_mkldnn()), ElementsAre(" allclose"));
}

TEST(TensorTest, WhatLibtorchCannotMakeDenseIsNamed) {
  const at::Tensor places = at::zeros({1, 2}, at::kLong);
  const at::Tensor sparse = at::_sparse_coo_tensor_unsafe(places, at::ones({2}, at::kComplexHalf), {1});
  const std::vector<std::string> failures = Failures(sparse, sparse);
  ASSERT_EQ(failures.size(), 1);
  EXPECT_THAT(failures[0], testing::HasSubstr("unsupported: "));
}

TEST(TensorTest, AnFp64ReferenceOfAnotherShapeIsAMismatch) {
  EXPECT_THAT(Failures(One(), Two(), at::zeros({2}, at::kDouble)),
              ElementsAre(" fp64: the fp64 run has the shape [2], the reference [1]", " allclose"));
  EXPECT_THAT(Failures(One(), One(), c10::IValue()),
              ElementsAre(" fp64: tensor in the reference, None in the fp64 run"));
}

TEST(TensorTest, AliasingIsCompared) {
  const at::Tensor shared = One();
  const c10::IValue reference = List({shared, shared});
  const c10::IValue result = List({One(), One()});
  EXPECT_THAT(Failures(reference, result),
              ElementsAre("[1] aliasing: shares memory with [0] in the reference, but not in the result"));
  EXPECT_THAT(Failures(reference, result, {}, {.compare_aliasing = false}), IsEmpty());
}

TEST(DetailTest, IsThereForFailuresAndOnRequest) {
  EXPECT_FALSE(Compare(One(), One() + 1e-6, std::nullopt, {}).outputs.at(0).detail);
  const Verdict asked = Compare(One(), One() + 1e-6, std::nullopt, {.always_detail = true});
  EXPECT_GT(asked.outputs.at(0).detail.value().max_ulp, 0);
  EXPECT_TRUE(Compare(One(), Two(), std::nullopt, {}).outputs.at(0).detail);
}

TEST(SmallestToleranceTest, PassesAndALittleLessFails) {
  const at::Tensor reference = at::full({2000}, 1.0F);
  const at::Tensor result = at::full({2000}, 1.5F);
  const std::optional<c10::IValue> truths[] = {std::nullopt, at::full({2000}, 1.1, at::kDouble)};
  for (const auto& fp64 : truths) {
    const Output output = Compare(reference, result, fp64, {}).outputs.at(0);
    ASSERT_FALSE(output.passes);
    const double smallest = output.smallest_tolerance.value();
    EXPECT_TRUE(Compare(reference, result, fp64, {.tolerance = smallest}).passes());
    EXPECT_FALSE(Compare(reference, result, fp64, {.tolerance = smallest * (1 - 1e-9)}).passes());
  }
}

}  // namespace
}  // namespace culprit::compare
