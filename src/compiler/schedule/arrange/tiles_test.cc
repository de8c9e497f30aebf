// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/arrange/tiles.h"

#include <gtest/gtest.h>

#include <numeric>

#include "compiler/loops/interpret.h"
#include "compiler/schedule/arrange/arrange.h"

namespace culprit::compiler::schedule {
namespace {

using loops::Body;
using loops::ExprId;
using loops::Kernel;
using loops::Op;
using loops::Type;

/// y[i0 * columns + i1] = x[i1 * rows + i0] + i1
Kernel Transposition(int64_t rows, int64_t columns, NumberWriter numbers = {}) {
  Kernel kernel;
  kernel.buffers = {{at::kFloat}, {at::kFloat, true}};
  Body& body = kernel.body;
  kernel.extents = {numbers(body, rows), numbers(body, columns)};
  const auto place = [&](uint32_t far, int64_t stride, uint32_t near) {
    return body.Apply(Op::kAdd,
                      {body.Apply(Op::kMul, {body.IndexOf(far), numbers(body, stride)}), body.IndexOf(near)});
  };
  const ExprId value = body.Apply(
      Op::kAdd, {body.Load(0, Type::Float, {place(1, rows, 0)}), body.Cast(body.IndexOf(1), Type::Float)});
  kernel.stages.push_back(
      {{}, loops::LoopKind::kPointwise, loops::Combine::kSum, {}, {{1, place(0, columns, 1), value}}});
  return kernel;
}

Kernel Arranged(const Kernel& kernel, NumberWriter numbers = {}, bool applies = true) {
  return Arrange(kernel, std::nullopt, numbers, [applies] { return applies; });
}

std::vector<int64_t> ExtentsOf(const Kernel& kernel) {
  std::vector<int64_t> extents;
  for (uint32_t i = 0; i < kernel.extents.size(); ++i) extents.push_back(kernel.Extent(i));
  return extents;
}

void ExpectTransposes(const Kernel& kernel, int64_t rows, int64_t columns) {
  std::vector<float> x(static_cast<size_t>(rows * columns));
  std::vector<float> y(x.size());
  std::iota(x.begin(), x.end(), 0.F);
  void* const buffers[] = {x.data(), y.data()};
  Interpret(kernel, buffers, 0, kernel.Pieces());
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      ASSERT_EQ(y[static_cast<size_t>(i * columns + j)], static_cast<float>(j * rows + i + j))
          << i << ", " << j;
}

TEST(TilesTest, ATranspositionGoesByTiles) {
  const Kernel kernel = Arranged(Transposition(96, 64));
  EXPECT_EQ(ExtentsOf(kernel), (std::vector<int64_t>{3, 8, 32, 8}));
  EXPECT_EQ(kernel.outer, 2U);
  EXPECT_EQ(kernel.lanes, loops::Lanes::kInner);
  ExpectTransposes(kernel, 96, 64);
}

TEST(TilesTest, AnyRowsWillDo) {
  EXPECT_EQ(ExtentsOf(Arranged(Transposition(50, 64))), (std::vector<int64_t>{2, 8, 25, 8}));
  EXPECT_EQ(ExtentsOf(Arranged(Transposition(97, 64))), (std::vector<int64_t>{8, 97, 8}));
  EXPECT_EQ(ExtentsOf(Arranged(Transposition(96, 40))), (std::vector<int64_t>{3, 5, 32, 8}));
  for (const int64_t rows : {50, 97})
    for (const int64_t columns : {40, 64})
      ExpectTransposes(Arranged(Transposition(rows, columns)), rows, columns);
}

TEST(TilesTest, WhatHasNoTilesGoesAsItIs) {
  for (const auto& [rows, columns] : {std::pair<int64_t, int64_t>{96, 66}, {4, 64}, {96, 16}}) {
    const Kernel kernel = Arranged(Transposition(rows, columns));
    EXPECT_EQ(ExtentsOf(kernel), (std::vector<int64_t>{rows, columns}));
    EXPECT_EQ(kernel.lanes, loops::Lanes::kOuter);
    ExpectTransposes(kernel, rows, columns);
  }
}

TEST(TilesTest, TilesCanBeSwitchedOff) {
  EXPECT_EQ(ExtentsOf(Arranged(Transposition(96, 64), {}, false)), (std::vector<int64_t>{96, 64}));
}

TEST(TilesTest, SizesAsArgumentsAreTheSameKernel) {
  const NumberWriter symbolic{true};
  const Kernel one = Arranged(Transposition(96, 72, symbolic), symbolic);
  const Kernel other = Arranged(Transposition(50, 160, symbolic), symbolic);
  EXPECT_EQ(ToText(one), ToText(other));
  ExpectTransposes(one, 96, 72);
  ExpectTransposes(other, 50, 160);
}

}  // namespace
}  // namespace culprit::compiler::schedule
