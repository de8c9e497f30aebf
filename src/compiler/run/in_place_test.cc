// SPDX-License-Identifier: Apache-2.0
#include "compiler/run/in_place.h"

#include <gtest/gtest.h>

namespace culprit::compiler::run {
namespace {

using loops::Body;
using loops::ExprId;
using loops::Kernel;
using loops::Op;
using loops::Type;

/// out[i] = neg in[place], for a place that the test chooses.
Kernel Negation(const std::function<ExprId(Body&, ExprId)>& place, at::ScalarType to = at::kFloat) {
  Kernel kernel;
  kernel.buffers = {{at::kFloat}, {to, true}};
  Body& body = kernel.body;
  kernel.extents = {body.Constant(100, Type::Long)};
  kernel.outer = 1;
  const ExprId i = body.IndexOf(0);
  const ExprId value = body.Cast(body.Apply(Op::kNeg, {body.Load(0, Type::Float, {place(body, i)})}), to);
  kernel.stages.push_back({{}, loops::LoopKind::kPointwise, loops::Combine::kSum, {}, {{1, i, value}}});
  return kernel;
}

TEST(InPlaceTest, WhatIsReadWhereItIsWrittenMayBe) {
  EXPECT_TRUE(MayShareMemory(Negation([](Body&, ExprId i) { return i; }), 0, 1));
}

TEST(InPlaceTest, WhatIsReadElsewhereMayNot) {
  const auto reversed = [](Body& body, ExprId i) {
    return body.Apply(Op::kSub, {body.Constant(99, Type::Long), i});
  };
  EXPECT_FALSE(MayShareMemory(Negation(reversed), 0, 1));
}

TEST(InPlaceTest, ElementsOfAnotherTypeMayNot) {
  EXPECT_FALSE(MayShareMemory(Negation([](Body&, ExprId i) { return i; }, at::kDouble), 0, 1));
}

TEST(InPlaceTest, WhatALaterStageReadsMayNot) {
  Kernel kernel = Negation([](Body&, ExprId i) { return i; });
  kernel.buffers.push_back({at::kFloat, true});
  Body& body = kernel.body;
  const ExprId i = body.IndexOf(0);
  kernel.stages.push_back(
      {{}, loops::LoopKind::kPointwise, loops::Combine::kSum, {}, {{2, i, body.Load(0, Type::Float, {i})}}});
  EXPECT_FALSE(MayShareMemory(kernel, 0, 1));
  EXPECT_TRUE(MayShareMemory(kernel, 0, 2));
}

}  // namespace
}  // namespace culprit::compiler::run
