// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/nest/far_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/generated_kernels.h"

namespace culprit::compiler::codegen {
namespace {

using loops::Body;
using loops::ExprId;
using loops::Kernel;
using loops::Lanes;
using loops::Op;
using loops::Type;
using testing::HasSubstr;
using testing::Not;

/// for i0 < 100, i1 < columns: y[i0 * columns + i1] = x[index[i0, or i0 * columns + i1] * columns + i1]
Kernel RowsByIndex(int64_t columns, bool one_per_element = false) {
  Kernel kernel;
  kernel.buffers = {{at::kLong}, {at::kFloat}, {at::kFloat, true}};
  kernel.outer = 2;
  kernel.lanes = Lanes::kOuter;
  Body& body = kernel.body;
  const ExprId width = body.Constant(columns, Type::Long);
  kernel.extents = {body.Constant(100, Type::Long), width};
  const auto place = [&](ExprId row) {
    return body.Apply(Op::kAdd, {body.Apply(Op::kMul, {row, width}), body.IndexOf(1)});
  };
  const ExprId stored = place(body.IndexOf(0));
  const ExprId row = body.Load(0, Type::Long, {one_per_element ? stored : body.IndexOf(0)});
  const ExprId value = body.Load(1, Type::Float, {place(row)});
  kernel.stages.push_back({{}, loops::LoopKind::kPointwise, loops::Combine::kSum, {}, {{2, stored, value}}});
  return kernel;
}

TEST(FarRowsTest, RowsThatAnIndexSaysAreFound) {
  const std::vector<FarRow> rows = FarRowsOf(RowsByIndex(32));
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].buffer, 1U);
  EXPECT_EQ(rows[0].lines, 2U);
}

TEST(FarRowsTest, OfLongRowsTheBeginningIsEnough) {
  EXPECT_EQ(FarRowsOf(RowsByIndex(5)).at(0).lines, 1U);
  EXPECT_EQ(FarRowsOf(RowsByIndex(1000)).at(0).lines, 4U);
}

TEST(FarRowsTest, AVariableThatIsUsedTwiceGoesNoFurther) {
  Kernel kernel = RowsByIndex(5);
  Body& body = kernel.body;
  const ExprId row = body.Load(0, Type::Long, {body.IndexOf(0)});
  const ExprId twice = body.Apply(Op::kAdd, {body.IndexOf(1), body.IndexOf(1)});
  body.Load(1, Type::Float, {body.Apply(Op::kAdd, {row, twice})});
  const std::vector<FarRow> rows = FarRowsOf(kernel);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1].lines, 1U);
}

TEST(FarRowsTest, SingleElementsAreNoRows) {
  EXPECT_TRUE(FarRowsOf(RowsByIndex(32, /*one_per_element=*/true)).empty());
}

TEST(FarRowsTest, AnIndexThatTheKernelWritesIsNotKnownYet) {
  Kernel kernel = RowsByIndex(32);
  kernel.buffers[0].is_written = true;
  EXPECT_TRUE(FarRowsOf(kernel).empty());
}

TEST(FarRowsTest, TheProcessorIsTold) {
  Listing listing;
  Generate(RowsByIndex(32), {}, &listing);
  EXPECT_THAT(listing.ir, HasSubstr("call void @llvm.prefetch"));
  Generate(RowsByIndex(32, /*one_per_element=*/true), {}, &listing);
  EXPECT_THAT(listing.ir, Not(HasSubstr("@llvm.prefetch")));
}

}  // namespace
}  // namespace culprit::compiler::codegen
