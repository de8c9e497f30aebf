// SPDX-License-Identifier: Apache-2.0
#include "autograd/runtime/input_kind.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

namespace culprit::autograd {
namespace {

bool AreOneKind(const backend::Values& a, const backend::Values& b) {
  return InputKind::Of(a, false) == InputKind::Of(b, false);
}

const at::Tensor kMatrix = at::ones({3, 3});

TEST(InputKindTest, NumbersInTensorsDoNotMatter) {
  EXPECT_TRUE(AreOneKind({kMatrix}, {kMatrix.mul(2)}));
}

TEST(InputKindTest, HowATensorLiesMatters) {
  EXPECT_FALSE(AreOneKind({kMatrix}, {at::ones({3, 4})}));
  EXPECT_FALSE(AreOneKind({kMatrix}, {kMatrix.t().mul(1)}));
  EXPECT_FALSE(AreOneKind({kMatrix}, {kMatrix.to(at::kDouble)}));
}

TEST(InputKindTest, GradnessMatters) {
  const at::Tensor leaf = kMatrix.clone().requires_grad_();
  EXPECT_FALSE(AreOneKind({kMatrix}, {leaf}));
  EXPECT_FALSE(AreOneKind({leaf}, {leaf.mul(1)}));
  EXPECT_FALSE(AreOneKind({leaf.mul(1)}, {leaf.mul(1).view({3, 3})}));
}

TEST(InputKindTest, NumbersMatter) {
  EXPECT_TRUE(AreOneKind({int64_t{1}}, {int64_t{1}}));
  EXPECT_FALSE(AreOneKind({int64_t{1}}, {int64_t{2}}));
  EXPECT_FALSE(AreOneKind({int64_t{1}}, {1.0}));
}

TEST(InputKindTest, GeneratorsAreAlike) {
  EXPECT_TRUE(AreOneKind({at::detail::createCPUGenerator(1)}, {at::detail::createCPUGenerator(2)}));
  EXPECT_FALSE(AreOneKind({at::detail::createCPUGenerator(1)}, {c10::IValue()}));
}

TEST(InputKindTest, WhichInputsShareMemoryMatters) {
  const at::Tensor other = kMatrix.clone();
  EXPECT_FALSE(AreOneKind({kMatrix, kMatrix}, {kMatrix, other}));
  EXPECT_TRUE(AreOneKind({kMatrix, kMatrix}, {other, other}));
  EXPECT_FALSE(AreOneKind({kMatrix[0], kMatrix[1]}, {kMatrix[0], kMatrix[2]}));
  EXPECT_TRUE(AreOneKind({kMatrix[0], kMatrix[1]}, {kMatrix[1], kMatrix[2]}));
}

TEST(InputKindTest, ModesMatter) {
  const InputKind kind = InputKind::Of({kMatrix}, false);
  const at::NoGradGuard no_grad;
  EXPECT_FALSE(InputKind::Of({kMatrix}, false) == kind);
}

TEST(InputKindTest, UndefinedTensorsAreAKind) {
  EXPECT_TRUE(AreOneKind({at::Tensor()}, {at::Tensor()}));
  EXPECT_FALSE(AreOneKind({at::Tensor()}, {kMatrix}));
}

}  // namespace
}  // namespace culprit::autograd
