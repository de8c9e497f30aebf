// SPDX-License-Identifier: Apache-2.0
#include "graph/operators/value_kind.h"

#include <gtest/gtest.h>

#include "graph/operators/operator.h"

namespace culprit::graph {
namespace {

TEST(ValueKindTest, EveryKindReadsBackFromItsName) {
  constexpr ValueKind kAll[] = {ValueKind::kTensor,  ValueKind::kTensorList, ValueKind::kInt,
                                ValueKind::kIntList, ValueKind::kFloat,      ValueKind::kBool,
                                ValueKind::kNumber,  ValueKind::kGenerator};
  for (const ValueKind kind : kAll) EXPECT_EQ(ValueKindFromString(ToString(kind)), kind) << ToString(kind);
}

TEST(ValueKindTest, OtherNamesAreNoKind) {
  EXPECT_EQ(ValueKindFromString("tensor"), std::nullopt);
  EXPECT_EQ(ValueKindFromString(""), std::nullopt);
}

TEST(ValueKindTest, ResultsOfOperatorsHaveTheirKind) {
  const auto kind_of = [](const char* op) { return Operator::Get(op).results().value().at(0); };
  EXPECT_EQ(kind_of("aten::relu"), ValueKind::kTensor);
  EXPECT_EQ(kind_of("aten::split.Tensor"), ValueKind::kTensorList);
  EXPECT_EQ(kind_of("aten::size.int"), ValueKind::kInt);
  EXPECT_EQ(kind_of("aten::sym_size"), ValueKind::kIntList);
  EXPECT_EQ(kind_of("aten::q_scale"), ValueKind::kFloat);
  EXPECT_EQ(kind_of("aten::is_nonzero"), ValueKind::kBool);
  EXPECT_EQ(kind_of("aten::_local_scalar_dense"), ValueKind::kNumber);
}

TEST(ValueKindTest, ADtypeIsAnInt) {
  EXPECT_EQ(Operator::Get("aten::result_type.Tensor").results().value().at(0), ValueKind::kInt);
}

TEST(ValueKindTest, WhatAGraphCannotHoldHasNoKind) {
  EXPECT_EQ(KindOfResult({.kind = SlotKind::kString}), std::nullopt);
  EXPECT_EQ(KindOfResult({.kind = SlotKind::kUnsupported}), std::nullopt);
  const auto string = std::make_shared<const Slot>(Slot{.kind = SlotKind::kString});
  EXPECT_EQ(KindOfResult({.kind = SlotKind::kList, .element = string}), std::nullopt);
}

}  // namespace
}  // namespace culprit::graph
