// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/math/shared_functions.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/randn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/generated_kernels.h"

namespace culprit::compiler::codegen {
namespace {

using loops::Body;
using loops::ExprId;
using loops::Op;
using testing::HasSubstr;
using testing::Not;

/// Each of the operations on what the one before it gives.
Formula Chain(const std::vector<Op>& operations) {
  return [operations](Body& body, const std::vector<ExprId>& of) {
    ExprId value = of[0];
    for (const Op op : operations) value = body.Apply(op, {value});
    return value;
  };
}

std::string CodeOf(const std::vector<Op>& operations, at::ScalarType dtype = at::kFloat,
                   const Options& options = {}) {
  Listing listing;
  GenerateFor(Named("znver3"), Pointwise({dtype}, dtype, 1003, Chain(operations)), options, &listing);
  return listing.ir;
}

TEST(SharedFunctionsTest, FewFunctionsAreInLine) {
  EXPECT_THAT(CodeOf({Op::kTanh, Op::kTanh, Op::kTanh}), Not(HasSubstr("define internal")));
}

TEST(SharedFunctionsTest, OfManyFunctionsThoseThatAreThereTwiceAreCalled) {
  const std::string code = CodeOf({Op::kTanh, Op::kExp, Op::kTanh, Op::kErf});
  EXPECT_THAT(code, HasSubstr("define internal <32 x float> @tanh_32("));
  EXPECT_THAT(code, Not(HasSubstr("@exp_32(")));
  EXPECT_THAT(code, Not(HasSubstr("@erf_32(")));
}

TEST(SharedFunctionsTest, WhatHasNoCodeOfItsOwnIsCalledAsBefore) {
  const std::vector<Op> many(4, Op::kTanh);
  EXPECT_THAT(CodeOf(many, at::kDouble), Not(HasSubstr("define internal")));
  EXPECT_THAT(CodeOf(many, at::kFloat, {Math::kExact}), Not(HasSubstr("define internal")));
}

TEST(SharedFunctionsTest, FloatsAndDoublesDoNotShare) {
  const Formula formula = [](Body& body, const std::vector<ExprId>& of) {
    ExprId single = of[0];
    ExprId wide = body.Cast(of[0], loops::Type::Double);
    for (int i = 0; i < 3; ++i) {
      single = body.Apply(Op::kTanh, {single});
      wide = body.Apply(Op::kTanh, {wide});
    }
    return body.Apply(Op::kAdd, {body.Cast(single, loops::Type::Double), wide});
  };
  const at::Tensor x = at::randn({1003});
  at::Tensor single = x, wide = x.to(at::kDouble);
  for (int i = 0; i < 3; ++i) {
    single = Computed({single}, at::kFloat, Chain({Op::kTanh}));
    wide = Computed({wide}, at::kDouble, Chain({Op::kTanh}));
  }
  EXPECT_TRUE(Computed({x}, at::kDouble, formula).equal(single.to(at::kDouble) + wide));
}

TEST(SharedFunctionsTest, BitsAreThoseOfFunctionsInLine) {
  at::manual_seed(1);
  // Some are so large that they take the rare way.
  const at::Tensor x = at::randn({1003}).mul(40);
  const std::vector<Op> operations = {Op::kExp, Op::kTanh, Op::kExp, Op::kTanh, Op::kSin, Op::kSin};
  at::Tensor expected = x;
  for (const Op op : operations) expected = Computed({expected}, at::kFloat, Chain({op}));
  EXPECT_TRUE(Computed({x}, at::kFloat, Chain(operations)).equal(expected));
}

}  // namespace
}  // namespace culprit::compiler::codegen
