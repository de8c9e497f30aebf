// SPDX-License-Identifier: Apache-2.0
#include "minify/rewrite/adapter.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "graph/run/interpreter.h"
#include "tests/lib/fake_checks.h"

namespace culprit::minify {
namespace {

using tests::TestGraph;

struct Adapted {
  std::vector<std::string> operators;
  at::Tensor result;
};

std::optional<Adapted> AdaptTo(const at::Tensor& tensor, const graph::Geometry& to) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  graph::Rebuild rebuild(g.graph());
  graph::FreshNames names(g.graph());
  rebuild.CopyPlaceholders();
  const std::optional<graph::Argument> adapted = Adapt(rebuild, names, x, graph::Geometry::Of(tensor), to);
  if (!adapted) return std::nullopt;
  rebuild.graph().SetOutputs({*adapted});
  const Program program{std::move(rebuild).Take(), {tensor}};
  return Adapted{tests::OperatorsOf(program),
                 graph::Interpreter(program.graph).Run(program.inputs)[0].toTensor()};
}

graph::Geometry Like(std::vector<int64_t> sizes, at::ScalarType dtype = at::kFloat) {
  return graph::Geometry::Of(at::ones(sizes, dtype));
}

TEST(AdapterTest, EachDifferenceTakesOneOperator) {
  struct Row {
    std::vector<int64_t> from;
    graph::Geometry to;
    std::vector<std::string> operators;
  };
  const Row rows[] = {{{2, 8}, Like({2, 8}), {}},
                      {{2, 8}, Like({2, 8}, at::kBool), {"_to_copy"}},
                      {{2, 8}, Like({4, 4}), {"reshape"}},
                      {{1, 8}, Like({2, 8}), {"expand"}},
                      {{8}, Like({2, 8}), {"expand"}},
                      {{2, 8}, Like({2, 5}), {"narrow"}},
                      {{2, 8}, Like({16}, at::kInt), {"reshape", "_to_copy"}}};
  for (const Row& row : rows) {
    const std::optional<Adapted> adapted = AdaptTo(at::ones(row.from), row.to);
    ASSERT_TRUE(adapted);
    EXPECT_EQ(adapted->operators, row.operators);
    EXPECT_EQ(adapted->result.sizes(), at::IntArrayRef(row.to.sizes));
    EXPECT_EQ(adapted->result.scalar_type(), row.to.dtype);
  }
}

TEST(AdapterTest, WhatIsTooDifferentIsRefused) {
  EXPECT_FALSE(AdaptTo(at::ones({2, 8}), Like({3, 8})));
  EXPECT_FALSE(AdaptTo(at::ones({4, 8}), Like({2, 5})));
  EXPECT_FALSE(AdaptTo(at::ones({2, 8}), Like({2, 2, 2})));
}

TEST(AdapterTest, OnlyPlainTensorsHaveAGeometry) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  const graph::ValueId list = g.Call("aten::split.Tensor", {x, 1});
  const graph::ValueId size = g.Call("aten::sym_size.int", {x, 0});
  const graph::ValueId sparse = g.Call("aten::to_sparse", {x});
  g.Return({list, size, sparse});
  const Subject subject = *Subject::Make({g.graph(), {at::ones({2, 3})}});
  EXPECT_EQ(GeometryOf(subject, x), graph::Geometry::Of(at::ones({2, 3})));
  EXPECT_FALSE(GeometryOf(subject, list));
  EXPECT_FALSE(GeometryOf(subject, size));
  EXPECT_FALSE(GeometryOf(subject, sparse));
}

}  // namespace
}  // namespace culprit::minify
