// SPDX-License-Identifier: Apache-2.0
#include "autograd/functional/functional_variant.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace culprit::autograd {
namespace {

using graph::Operator;
using Kind = FunctionalVariant::Kind;
using testing::ElementsAre;

std::string_view NameOf(Kind kind) {
  constexpr std::string_view kNames[] = {"functional", "copy", "view", "private copy", "nothing", "none"};
  return kNames[static_cast<size_t>(kind)];
}

/// "view aten::t".
std::string VariantOf(const char* name) {
  const FunctionalVariant& variant = FunctionalVariantOf(Operator::Get(name));
  std::string text(NameOf(variant.kind));
  if (variant.op != nullptr) text += " " + variant.op->qualified_name();
  return text;
}

/// All operators of libtorch's own that write.
std::vector<const Operator*> WritingOperators() {
  std::vector<const Operator*> operators;
  for (const std::string_view name : graph::AllOperatorNames()) {
    if (!name.starts_with("aten::")) continue;
    for (const std::string& overload : graph::OverloadsOf(name)) {
      const Operator* op = Operator::Find(name, overload);
      if (op != nullptr && op->writes_any()) operators.push_back(op);
    }
  }
  return operators;
}

TEST(FunctionalVariantTest, InPlaceOperatorsLoseTheirUnderscore) {
  EXPECT_EQ(VariantOf("aten::add_.Tensor"), "functional aten::add.Tensor");
  EXPECT_EQ(VariantOf("aten::relu_"), "functional aten::relu");
  EXPECT_EQ(VariantOf("aten::index_put_"), "functional aten::index_put");
  EXPECT_EQ(VariantOf("aten::_foreach_add_.Scalar"), "functional aten::_foreach_add.Scalar");
}

TEST(FunctionalVariantTest, SomeHaveAnotherName) {
  EXPECT_EQ(VariantOf("aten::pow_.Tensor"), "functional aten::pow.Tensor_Tensor");
  EXPECT_EQ(VariantOf("aten::floor_divide_.Tensor"), "functional aten::floor_divide");
}

TEST(FunctionalVariantTest, OutArgumentsAreLeftOut) {
  EXPECT_EQ(VariantOf("aten::mm.out"), "functional aten::mm");
  EXPECT_EQ(VariantOf("aten::add.out"), "functional aten::add.Tensor");
  EXPECT_EQ(VariantOf("aten::max.dim_max"), "functional aten::max.dim");
  EXPECT_EQ(VariantOf("aten::sort.values_stable"), "functional aten::sort.stable");
}

TEST(FunctionalVariantTest, OutArgumentsAreTheWrittenOnesBehindTheStar) {
  const Operator& sort = Operator::Get("aten::sort.values");
  std::vector<bool> is_out;
  for (size_t i = 0; i < sort.slots().size(); ++i) is_out.push_back(IsOutArgument(sort, i));
  EXPECT_THAT(is_out, ElementsAre(false, false, false, true, true));
  EXPECT_FALSE(IsOutArgument(Operator::Get("aten::add_.Tensor"), 0));
}

TEST(FunctionalVariantTest, RandomNumbersKeepTheirGeneratorAndShape) {
  EXPECT_EQ(VariantOf("aten::bernoulli_.float"), "functional aten::bernoulli.p");
  EXPECT_EQ(VariantOf("aten::bernoulli_.Tensor"), "functional aten::bernoulli.Tensor");
  EXPECT_EQ(VariantOf("aten::normal_"), "functional aten::normal_functional");
  EXPECT_EQ(VariantOf("aten::uniform_"), "functional aten::uniform");
}

TEST(FunctionalVariantTest, OperatorsThatChangeHowATensorLiesAreViews) {
  EXPECT_EQ(VariantOf("aten::t_"), "view aten::t");
  EXPECT_EQ(VariantOf("aten::transpose_"), "view aten::transpose.int");
  EXPECT_EQ(VariantOf("aten::squeeze_.dim"), "view aten::squeeze.dim");
}

TEST(FunctionalVariantTest, CopyIsAKindOfItsOwn) {
  EXPECT_EQ(VariantOf("aten::copy_"), "copy");
}

TEST(FunctionalVariantTest, WhatWritesBehindItsSchemasBackGetsCopies) {
  EXPECT_EQ(VariantOf("aten::native_batch_norm"), "private copy");
  EXPECT_EQ(VariantOf("aten::rrelu_with_noise"), "private copy");
}

TEST(FunctionalVariantTest, WhatHasNoPartnerGetsCopies) {
  EXPECT_EQ(VariantOf("aten::fill_diagonal_"), "private copy");
  EXPECT_EQ(VariantOf("aten::arange.out"), "private copy");
}

TEST(FunctionalVariantTest, DetachChangesNothing) {
  EXPECT_EQ(VariantOf("aten::detach_"), "nothing");
}

TEST(FunctionalVariantTest, EveryWritingOperatorHasAVariantOrIsRefusedByName) {
  std::map<std::string_view, size_t> counts;
  std::vector<std::string> refused;
  for (const Operator* op : WritingOperators()) {
    const Kind kind = FunctionalVariantOf(*op).kind;
    ++counts[NameOf(kind)];
    if (kind == Kind::kNone) refused.push_back(op->qualified_name());
  }
  const std::map<std::string_view, size_t> expected = {{"functional", 1319},  {"copy", 1},    {"view", 7},
                                                       {"private copy", 123}, {"nothing", 2}, {"none", 9}};
  EXPECT_EQ(counts, expected);
  EXPECT_THAT(refused, ElementsAre("aten::_resize_output_", "aten::resize_", "aten::resize_as_", "aten::set_",
                                   "aten::set_.source_Storage", "aten::set_.source_Storage_storage_offset",
                                   "aten::set_.source_Tensor", "aten::set_.source_Tensor_storage_offset",
                                   "aten::set_data"));
}

TEST(FunctionalVariantTest, EveryFunctionalPartnerWritesNothingAndReturnsWhatIsWritten) {
  for (const Operator* op : WritingOperators()) {
    const FunctionalVariant& variant = FunctionalVariantOf(*op);
    if (variant.kind != Kind::kFunctional) continue;
    SCOPED_TRACE(op->qualified_name());
    size_t written = 0;
    size_t only_written = 0;
    for (size_t i = 0; i < op->slots().size(); ++i) {
      written += op->writes(i);
      only_written += IsOutArgument(*op, i);
    }
    EXPECT_FALSE(variant.op->writes_any());
    EXPECT_GE(variant.op->schema().returns().size(), written);
    EXPECT_EQ(variant.op->slots().size(), op->slots().size() - only_written);
    EXPECT_EQ(variant.op->is_random(), op->is_random());
  }
}

}  // namespace
}  // namespace culprit::autograd
