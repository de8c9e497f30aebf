// SPDX-License-Identifier: Apache-2.0
#include "graph/operators/operator.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "base/internal_error.h"

namespace culprit::graph {
namespace {

/// The names of the arguments for which `holds` is true, joined by blanks.
template <typename Predicate>
std::string ArgumentsWhere(const char* op_name, Predicate holds) {
  const Operator& op = Operator::Get(op_name);
  std::string names;
  for (size_t i = 0; i < op.slots().size(); ++i) {
    if (holds(op, i)) names += (names.empty() ? "" : " ") + op.schema().arguments()[i].name();
  }
  return names;
}

std::string Written(const char* op) {
  return ArgumentsWhere(op, [](const Operator& o, size_t i) { return o.writes(i); });
}

/// The arguments that the result may share memory with.
std::string AliasesOf(const char* op, size_t result = 0) {
  return ArgumentsWhere(op, [&](const Operator& o, size_t i) { return o.may_alias(result, i); });
}

TEST(OperatorTest, ThereIsOneObjectPerOverload) {
  const Operator* add = Operator::Find("aten::add", "Tensor");
  ASSERT_NE(add, nullptr);
  EXPECT_EQ(add, &Operator::Get("aten::add.Tensor"));
  EXPECT_NE(add, &Operator::Get("aten::add.Scalar"));
}

TEST(OperatorTest, ThreadsThatAskAtOnceGetTheSameObject) {
  std::array<const Operator*, 8> found = {};
  std::vector<std::thread> threads;
  for (const Operator*& place : found) {
    threads.emplace_back([&place] { place = Operator::Find("aten::special_i0e", ""); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_NE(found[0], nullptr);
  EXPECT_EQ(std::count(found.begin(), found.end(), found[0]), 8);
}

TEST(OperatorTest, NamesIncludeTheOverloadUnlessItIsTheDefault) {
  EXPECT_EQ(Operator::Get("aten::add.Tensor").qualified_name(), "aten::add.Tensor");
  EXPECT_EQ(Operator::Get("aten::relu").qualified_name(), "aten::relu");
  EXPECT_EQ(Operator::Get("aten::relu").overload(), "");
}

TEST(OperatorTest, WhatDoesNotExistIsNotFound) {
  EXPECT_EQ(Operator::Find("aten::add", "Tensr"), nullptr);
  EXPECT_EQ(Operator::Find("aten::reul", ""), nullptr);
  EXPECT_EQ(Operator::Find("", ""), nullptr);
  EXPECT_THROW(Operator::Get("aten::reul"), base::InternalError);
}

TEST(OperatorTest, WritesWhatItsSchemaAdmits) {
  EXPECT_EQ(Written("aten::add.Tensor"), "");
  EXPECT_EQ(Written("aten::add_.Tensor"), "self");
  EXPECT_EQ(Written("aten::add.out"), "out");
  EXPECT_EQ(Written("aten::_foreach_add_.Scalar"), "self");
  EXPECT_FALSE(Operator::Get("aten::add.Tensor").writes_any());
  EXPECT_TRUE(Operator::Get("aten::add.out").writes_any());
}

TEST(OperatorTest, WritesWhatItsSchemaHides) {
  EXPECT_EQ(Written("aten::native_batch_norm"), "running_mean running_var");
  EXPECT_EQ(Written("aten::batch_norm"), "running_mean running_var");
  EXPECT_EQ(Written("aten::_batch_norm_impl_index"), "running_mean running_var");
  EXPECT_EQ(Written("aten::instance_norm"), "running_mean running_var");
  EXPECT_EQ(Written("aten::rrelu_with_noise"), "noise");
  EXPECT_EQ(Written("aten::rrelu_with_noise_"), "self noise");
}

TEST(OperatorTest, ViewsShareMemoryWithTheirBase) {
  EXPECT_EQ(AliasesOf("aten::view"), "self");
  EXPECT_EQ(AliasesOf("aten::split.Tensor"), "self");
  EXPECT_EQ(AliasesOf("aten::add_.Tensor"), "self");
  EXPECT_EQ(AliasesOf("aten::add.Tensor"), "");
  EXPECT_EQ(AliasesOf("aten::cat"), "");
}

TEST(OperatorTest, EachResultHasItsOwnAliases) {
  EXPECT_EQ(AliasesOf("aten::max.dim_max", 0), "max");
  EXPECT_EQ(AliasesOf("aten::max.dim_max", 1), "max_values");
}

TEST(OperatorTest, ACompositeOperatorMayHandAnyTensorThrough) {
  EXPECT_EQ(AliasesOf("aten::dropout"), "input");
  EXPECT_EQ(AliasesOf("aten::tensordot"), "self other");
  EXPECT_EQ(AliasesOf("python::getitem.Tensor"), "list");
  EXPECT_EQ(AliasesOf("aten::sym_size.int"), "");
}

TEST(OperatorTest, KnowsCompositeOperatorsWhoseResultsAreFresh) {
  EXPECT_EQ(AliasesOf("aten::conv2d"), "");
  EXPECT_EQ(AliasesOf("aten::linear"), "");
  EXPECT_EQ(AliasesOf("aten::softmax.int"), "");
}

TEST(OperatorTest, KnowsWhoDrawsRandomNumbers) {
  for (const char* op : {"aten::rand", "aten::randn_like", "aten::bernoulli_.float", "aten::native_dropout",
                         "aten::dropout", "aten::rrelu_with_noise"}) {
    EXPECT_TRUE(Operator::Get(op).is_random()) << op;
  }
  for (const char* op : {"aten::add.Tensor", "aten::empty_like", "python::add.int"}) {
    EXPECT_FALSE(Operator::Get(op).is_random()) << op;
  }
}

TEST(OperatorTest, HasNoResultsWhenAGraphCannotHoldOne) {
  EXPECT_EQ(Operator::Get("aten::max.dim").results()->size(), 2);
  EXPECT_TRUE(Operator::Get("aten::_assert_async").results()->empty());
  EXPECT_EQ(Operator::Get("aten::qscheme").results(), std::nullopt);
}

TEST(OperatorTest, CallsTheKernel) {
  torch::jit::Stack stack = {at::ones({2}), at::ones({2}), 3};
  Operator::Get("aten::add.Tensor").Call(stack);
  ASSERT_EQ(stack.size(), 1);
  EXPECT_TRUE(stack[0].toTensor().equal(at::full({2}, 4.0)));
}

TEST(OperatorTest, OverloadsAreSortedAndIncludeTheBuiltins) {
  EXPECT_EQ(OverloadsOf("aten::relu"), (std::vector<std::string>{"", "out"}));
  EXPECT_EQ(OverloadsOf("aten::sym_size"), (std::vector<std::string>{"", "int"}));
  EXPECT_EQ(OverloadsOf("python::add"), (std::vector<std::string>{"float", "int"}));
  EXPECT_TRUE(OverloadsOf("aten::reul").empty());
}

TEST(OperatorTest, AllNamesAreListedOnceInOrder) {
  const std::vector<std::string_view>& names = AllOperatorNames();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  for (const char* name : {"aten::add", "aten::sym_size", "python::getitem"}) {
    EXPECT_TRUE(std::binary_search(names.begin(), names.end(), name)) << name;
  }
}

}  // namespace
}  // namespace culprit::graph
