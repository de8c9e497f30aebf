// SPDX-License-Identifier: Apache-2.0
#include "graph/fake/world.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/scalar_tensor.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include "tests/lib/real_and_fake.h"

namespace culprit::graph::fake {
namespace {

std::string Describe(const at::Tensor& tensor) {
  tests::TensorLog log;
  log.Add("x", tensor);
  return log.text();
}

TEST(World, FakesLieAsTheRealTensorsDo) {
  World world;
  for (const std::string text :
       {"f32[2,3]", "f32[2,3,4,5]:cl", "f64[2,3]:t:g", "bf16[0,3]", "bool[]", "i64[4,4]:step", "c64[2]"}) {
    const at::Tensor real = tests::MakeInput(text);
    EXPECT_EQ(Describe(world.FakeOf(real)), Describe(real)) << text;
  }
  const at::Tensor conjugated = tests::MakeInput("c64[3]").conj();
  EXPECT_EQ(Describe(world.FakeOf(conjugated)), Describe(conjugated));
}

TEST(World, TheSameTensorGivesTheSameFake) {
  World world;
  const at::Tensor real = at::ones({2});
  EXPECT_TRUE(world.FakeOf(real).is_same(world.FakeOf(real)));
  EXPECT_FALSE(world.FakeOf(real).is_same(world.FakeOf(at::ones({2}))));
}

TEST(World, TensorsThatShareAStorageGiveFakesThatShareOne) {
  World world;
  const at::Tensor base = at::ones({2, 3});
  EXPECT_TRUE(world.FakeOf(base[1]).is_alias_of(world.FakeOf(base)));
  EXPECT_EQ(world.FakeOf(base[1]).storage_offset(), 3);
}

TEST(World, KeepsTheRealTensorAlive) {
  World world;
  const at::TensorImpl* impl = nullptr;
  {
    const at::Tensor real = at::ones({2});
    impl = real.unsafeGetTensorImpl();
    world.FakeOf(real);
  }
  EXPECT_NE(at::ones({2}).unsafeGetTensorImpl(), impl);
}

TEST(World, ComputedTensorsMayBeWritten) {
  World world;
  const at::Tensor fake = world.FakeOf(at::ones({2}).requires_grad_(true).mul(2));
  EXPECT_TRUE(fake.requires_grad());
  EXPECT_FALSE(fake.is_leaf());
  const Mode mode(world);
  fake.add_(1);
}

TEST(World, PartsOfASplitMayNotBeWritten) {
  World world;
  const at::Tensor fake = world.FakeOf(at::ones({4}).requires_grad_(true).mul(2).split(2)[1]);
  const Mode mode(world);
  EXPECT_THROW(fake.add_(1), c10::Error);
}

TEST(World, PartsOfLeavesMayNotBeWritten) {
  World world;
  const at::Tensor fake = world.FakeOf(at::ones({2, 2}).requires_grad_(true).select(0, 1));
  EXPECT_FALSE(fake.is_leaf());
  EXPECT_EQ(fake.storage_offset(), 2);
  const Mode mode(world);
  EXPECT_THROW(fake.add_(1), c10::Error);
}

TEST(World, KeepsWhetherANumberWasWrapped) {
  World world;
  at::Tensor number = at::scalar_tensor(2.5);
  number.unsafeGetTensorImpl()->set_wrapped_number(true);
  EXPECT_TRUE(world.FakeOf(number).unsafeGetTensorImpl()->is_wrapped_number());
}

TEST(World, TensorsOfInferenceModeStayThat) {
  World world;
  const at::Tensor real = [] {
    const c10::InferenceMode inference;
    return at::ones({2});
  }();
  EXPECT_TRUE(world.FakeOf(real).is_inference());
  const at::Tensor other = at::ones({2});
  const c10::InferenceMode inference;
  EXPECT_FALSE(world.FakeOf(other).is_inference());
}

TEST(World, UndefinedAndFakeTensorsStayThemselves) {
  World world;
  EXPECT_FALSE(world.FakeOf(at::Tensor()).defined());
  const at::Tensor fake = world.FakeOf(at::ones({2}));
  EXPECT_TRUE(world.FakeOf(fake).is_same(fake));
  EXPECT_TRUE(World::IsFake(fake));
  EXPECT_FALSE(World::IsFake(at::ones({2})));
  EXPECT_FALSE(World::IsFake(at::Tensor()));
}

TEST(World, NumbersOfAFakeCannotBeRead) {
  World world;
  const at::Tensor fake = world.FakeOf(at::ones({4}));
  EXPECT_THROW(fake.data_ptr<float>(), c10::Error);
  EXPECT_EQ(fake.data_ptr(), nullptr);
}

TEST(World, RefusesWhatIsMoreThanStridedMemory) {
  World world;
  EXPECT_THROW(world.FakeOf(at::ones({2}).to_sparse()), c10::NotImplementedError);
  EXPECT_THROW(world.FakeOf(at::ones({2}, at::TensorOptions(at::kMeta))), c10::NotImplementedError);
}

}  // namespace
}  // namespace culprit::graph::fake
