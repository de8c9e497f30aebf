// SPDX-License-Identifier: Apache-2.0
#include "check/model/clone_inputs.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/quantize_per_tensor.h>
#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include "graph/ir/graph.h"
#include "tests/lib/values.h"

namespace culprit::check {
namespace {

at::Tensor Clone(const at::Tensor& tensor) {
  return InputClones().Clone(tensor);
}

uintptr_t AddressOf(const at::Tensor& tensor) {
  return reinterpret_cast<uintptr_t>(tensor.data_ptr());
}

TEST(CloneInputsTest, StridesAndContentsAreKept) {
  const at::Tensor base = at::arange(24).to(at::kFloat);
  for (const at::Tensor& tensor :
       {base.reshape({2, 3, 4}).transpose(0, 2), base.slice(0, 3, 20, 5), base.as_strided({2, 2}, {7, 1}, 3),
        at::zeros({0, 3}), at::ones({}), at::ones({2, 2}).to_sparse(),
        at::quantize_per_tensor(at::ones({2}), 0.5, 1, at::kQInt8)}) {
    const at::Tensor clone = Clone(tensor);
    EXPECT_EQ(clone.sizes(), tensor.sizes());
    EXPECT_EQ(clone.layout(), tensor.layout());
    if (!tensor.is_sparse()) EXPECT_TRUE(graph::SameTensor(clone, tensor)) << tensor.strides();
    if (!tensor.is_sparse()) EXPECT_FALSE(clone.is_alias_of(tensor));
  }
}

TEST(CloneInputsTest, OverlappingAndZeroStridesAreKept) {
  const at::Tensor base = at::arange(10).to(at::kFloat);
  for (const at::Tensor& tensor :
       {base.unfold(0, 4, 2), base.slice(0, 0, 1).expand({5}), base.as_strided({3, 3}, {1, 1})}) {
    const at::Tensor clone = Clone(tensor);
    EXPECT_EQ(clone.strides(), tensor.strides());
    EXPECT_TRUE(clone.equal(tensor));
  }
  const at::Tensor expanded = Clone(base.slice(0, 0, 1).expand({5}));
  expanded.select(0, 1).fill_(7);
  EXPECT_EQ(expanded.select(0, 4).item<float>(), 7) << "elements of one place stay elements of one place";
}

TEST(CloneInputsTest, AddressesAreEqualModulo64Bytes) {
  const at::Tensor base = at::zeros({40});
  for (int64_t i = 0; i < 20; ++i) {
    const at::Tensor tensor = base.slice(0, i, 40);
    EXPECT_EQ(AddressOf(Clone(tensor)) % 64, AddressOf(tensor) % 64) << i;
  }
}

TEST(CloneInputsTest, RequiresGradAndLeafnessAreKept) {
  const at::Tensor leaf = at::ones({2}).requires_grad_(true);
  const at::Tensor computed = leaf.mul(2);
  EXPECT_FALSE(Clone(at::ones({2})).requires_grad());
  EXPECT_TRUE(Clone(leaf).requires_grad());
  EXPECT_TRUE(Clone(leaf).is_leaf());
  EXPECT_TRUE(Clone(computed).requires_grad());
  EXPECT_FALSE(Clone(computed).is_leaf());
}

TEST(CloneInputsTest, WhatIsNoLeafMayBeWrittenInto) {
  const at::Tensor clone = Clone(at::ones({2}).requires_grad_(true).mul(2));
  clone.mul_(5);
  EXPECT_NO_THROW(clone.sum().backward());
}

TEST(CloneInputsTest, GradientsAreNotKept) {
  const at::Tensor leaf = at::ones({2}).requires_grad_(true);
  leaf.sum().backward();
  EXPECT_FALSE(Clone(leaf).grad().defined());
  EXPECT_TRUE(leaf.grad().defined());
}

TEST(CloneInputsTest, AliasingBetweenInputsIsKept) {
  const at::Tensor base = at::zeros({2, 2});
  const auto clones = CloneInputs({base, tests::Tuple({base.t(), at::zeros({2, 2})}), base});
  clones[0].toTensor().select(0, 0).fill_(1);
  const auto& inner = clones[1].toTupleRef().elements();
  EXPECT_TRUE(inner[0].toTensor().t().equal(clones[0].toTensor()));
  EXPECT_EQ(inner[1].toTensor().sum().item<float>(), 0);
  EXPECT_TRUE(clones[2].toTensor().equal(clones[0].toTensor()));
  EXPECT_EQ(base.sum().item<float>(), 0);
}

TEST(CloneInputsTest, InferenceTensorsStaySo) {
  at::Tensor made_inside;
  {
    const c10::InferenceMode mode;
    made_inside = at::ones({2});
    EXPECT_FALSE(Clone(at::Tensor()).defined());
    EXPECT_TRUE(Clone(made_inside).is_inference());
  }
  EXPECT_TRUE(Clone(made_inside).is_inference());
  const at::Tensor normal = at::ones({2}).requires_grad_(true);
  const c10::InferenceMode mode;
  EXPECT_FALSE(Clone(normal).is_inference());
  EXPECT_TRUE(Clone(normal).requires_grad());
}

TEST(CloneInputsTest, GeneratorsAreCloned) {
  const at::Generator generator = at::detail::createCPUGenerator(3);
  const at::Generator clone = CloneInputs({generator})[0].toGenerator();
  EXPECT_NE(clone, generator);
  EXPECT_EQ(clone.current_seed(), 3);
}

TEST(CloneInputsTest, TheCastToFp64KeepsGradnessAndAliasing) {
  const at::Tensor leaf = at::ones({2}).requires_grad_(true);
  const auto clones =
      *CloneInputsInFp64({leaf, tests::Tuple({leaf.detach(), leaf.mul(2)}), at::ones({2}, at::kLong), 3});
  EXPECT_EQ(clones[0].toTensor().scalar_type(), at::kDouble);
  EXPECT_TRUE(clones[0].toTensor().requires_grad());
  const auto& inner = clones[1].toTupleRef().elements();
  EXPECT_TRUE(inner[0].toTensor().is_alias_of(clones[0].toTensor()));
  EXPECT_FALSE(inner[0].toTensor().requires_grad());
  EXPECT_FALSE(inner[1].toTensor().is_leaf());
  EXPECT_EQ(clones[2].toTensor().scalar_type(), at::kLong);
  EXPECT_EQ(clones[3].toInt(), 3);
}

}  // namespace
}  // namespace culprit::check
