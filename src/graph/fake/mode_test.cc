// SPDX-License-Identifier: Apache-2.0
#include "graph/fake/mode.h"

#include <ATen/autocast_mode.h>
#include <ATen/ops/add.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/histc.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/multinomial.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/poisson.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/scalar_tensor.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/library.h>

#include <cstdio>
#include <cstdlib>

#include "base/internal_error.h"
#include "tests/lib/real_and_fake.h"

namespace culprit::graph::fake {
namespace {

using tests::ExpectSame;

TEST(Mode, ViewsShareTheMemoryOfWhatTheyShow) {
  ExpectSame({
      {{"f32[2,3,4]"}, "a.view(6, 4)"},
      {{"f32[2,3,4]:t"}, "a.reshape(6, 4)"},
      {{"f32[2,3,4]"}, "a.reshape(2, 3, 4)"},
      {{"f32[2,3,4]:g"}, "a.transpose(0, 2)[1:, 1]"},
      {{"f32[2,3,4]"}, "torch.as_strided(a, [2, 2], [1, 2], 3)"},
      {{"f32[2,3,4]:g"}, "a.detach()"},
      {{"f32[2,3,4]"}, "a.expand(5, 2, 3, 4)"},
      {{"f32[2,3,4]"}, "a.split(1, 1)"},
      {{"f32[2,3,4]"}, "a.chunk(2, 1)"},
      {{"f32[2,3,4]"}, "a.unbind(0)"},
      {{"f32[4,4]"}, "torch.diagonal(a)"},
      {{"c64[4,4]"}, "torch.conj(a)"},
      {{"c64[4,4]"}, "torch.imag(torch.conj(a))"},
      {{"c64[4,4]"}, "torch.view_as_real(a)"},
      {{"f32[4,4]"}, "torch.squeeze(torch.unsqueeze(a, 1), 1)"},
  });
}

TEST(Mode, ReturnsTheTensorItselfWhereARealRunDoes) {
  ExpectSame({
      {{"f32[2,3]"}, "a.contiguous()"},
      {{"f32[2,3]:t"}, "a.contiguous()"},
      {{"f32[2,3]"}, "a.to(6)"},
      {{"f32[2,3]"}, "a.to(7)"},
      {{"f32[2,3]"}, "a.float()"},
      {{"f32[2,3]"}, "torch.dropout(a, 0.5, False)"},
      {{"f32[2,3]"}, "torch.dropout(a, 0.5, True)"},
      {{"f32[2,3]:g"}, "torch.feature_dropout(a, 0.5, True)"},
      {{"f32[2,3]"}, "a.expand_as(a)"},
      {{"f32[2,3]"}, "a.cpu()"},
      {{"f32[2,3]"}, "a.clone()"},
  });
}

TEST(Mode, InPlaceOperatorsChangeTheirFake) {
  ExpectSame({
      {{"f32[2,3]"}, "a.add_(1)"},
      {{"f32[2,3]"}, "a.add_(a)"},
      {{"f32[2,3]", "f32[3]:g"}, "a.mul_(b)"},
      {{"f32[2,3]"}, "a.t_()"},
      {{"f32[2,3]"}, "a.unsqueeze_(1)"},
      {{"f32[2,1,3]"}, "a.squeeze_(1)"},
      {{"f32[2,3]"}, "a.transpose_(0, 1)"},
      {{"f32[2,3]"}, "a.resize_([5, 7])"},
      {{"f32[2,3]"}, "a.resize_([1])"},
      {{"f32[2,3]"}, "a.resize_([2, 3, 4, 5], memory_format=2)"},
      {{"f32[2,3]"}, "a.as_strided_([2], [2], 1)"},
      {{"f32[2,3]", "f32[4]"}, "a.set_(b)"},
      {{"f32[2,3]"}, "a.fill_(2).zero_().copy_(a)"},
      {{"f32[2,3]"}, "torch.relu_(a)"},
      {{"f32[2,3]", "f32[0]"}, "torch.add(a, a, out=b)"},
      {{"f32[2,3]", "f32[6]"}, "torch.mul(a, a, out=b.view(2, 3))"},
      {{"f32[4,4]", "i64[2]", "f32[2]"}, "a.index_put_([b, b], c)"},
      {{"f32[4,4]"}, "a.uniform_(0.0, 1.0)"},
  });
}

TEST(Mode, WritesThroughAViewReachItsBase) {
  ExpectSame({{{"f32[2,3]", "f32[3]:g"}, "b1 = a[0]\n  b1.mul_(b)\n  return (a, b1)"}});
}

TEST(Mode, FactoriesGiveFakes) {
  ExpectSame({
      {{}, "torch.zeros([2, 3])"},
      {{}, "torch.ones([2, 3], dtype=7, device='cpu')"},
      {{}, "torch.full([2], 1.5)"},
      {{}, "torch.full([2], 1)"},
      {{}, "torch.arange(5)"},
      {{}, "torch.arange(0, 1, 0.25)"},
      {{}, "torch.linspace(0, 1, 5)"},
      {{}, "torch.eye(3)"},
      {{}, "torch.rand([2, 3])"},
      {{}, "torch.randn([2, 3])"},
      {{}, "torch.randperm(4)"},
      {{}, "torch.empty([1, 2, 3, 4], memory_format=2)"},
      {{"f32[1,2,3,4]:cl"}, "torch.zeros_like(a)"},
      {{"f32[2,3]:t"}, "torch.empty_like(a)"},
      {{"f32[2,3]"}, "a.new_zeros([4])"},
      {{}, "torch.scalar_tensor(2)"},
  });
  World world;
  const Mode mode(world);
  EXPECT_TRUE(World::IsFake(at::ones({2})));
}

TEST(Mode, NumbersStayWeakInPromotion) {
  ExpectSame({
      {{"bf16[2]"}, "a * 2.5"},
      {{"i64[2]"}, "a * 2.5"},
      {{"i64[2]"}, "a + 2"},
      {{"i64[2]", "f64[]"}, "a * b"},
      {{"f32[2]", "f64[1]"}, "a * b"},
      {{"bool[2]"}, "a.sum()"},
      {{"i32[2]"}, "a / 2"},
  });
}

TEST(Mode, RealTensorsMixWithFakes) {
  World world;
  const at::Tensor real = at::ones({3, 2});
  const at::Tensor fake = world.FakeOf(at::ones({2, 3}));
  const Mode mode(world);
  const at::Tensor sum = fake + real.t();
  EXPECT_TRUE(World::IsFake(sum));
  const at::Tensor view = real.view({6});
  EXPECT_TRUE(World::IsFake(view));
  EXPECT_TRUE(view.is_alias_of(world.FakeOf(real)));
}

TEST(Mode, RefusesToWriteIntoARealTensor) {
  World world;
  at::Tensor real = at::ones({2});
  const Mode mode(world);
  EXPECT_THROW(real.add_(1), c10::Error);
}

TEST(Mode, MemoryOfOthersCannotBeResized) {
  float numbers[4] = {};
  World world;
  at::Tensor fake = world.FakeOf(at::from_blob(numbers, {4}));
  const Mode mode(world);
  EXPECT_NO_THROW(fake.resize_({2}));
  EXPECT_THROW(fake.resize_({8}), c10::Error);
}

TEST(Mode, EndsWithItsScope) {
  World world;
  { const Mode mode(world); }
  EXPECT_FALSE(World::IsFake(at::ones({2})));
}

TEST(Mode, InnerModesUseTheirOwnWorld) {
  World outer, inner;
  const Mode mode(outer);
  { const Mode nested(inner); }
  at::histc(at::ones({4}));
  EXPECT_EQ(outer.fallbacks().size(), 1U);
  EXPECT_TRUE(inner.fallbacks().empty());
}

TEST(Mode, NothingIsDifferentiatedWithoutGradMode) {
  const c10::NoGradGuard no_grad;
  ExpectSame({{{"f32[2,3]:g"}, "(a * 2).relu()"}, {{"f32[2,3]:g"}, "a.view(6)"}});
}

TEST(Mode, CompositeOperatorsAreTakenApartInInferenceMode) {
  const c10::InferenceMode inference;
  ExpectSame({
      {{"f32[2,3]", "f32[4,3]", "f32[4]"}, "torch.linear(a, b, c)"},
      {{"f32[2,3]"}, "a.reshape(6)"},
      {{"f32[2,3]"}, "a.to(7)"},
      {{"f32[2,3]"}, "torch.softmax(a, 1)"},
  });
}

TEST(Mode, AutocastSeesFakesAsCpuTensors) {
  at::autocast::set_autocast_enabled(at::kCPU, true);
  ExpectSame({{{"f32[2,3]", "f32[3,4]"}, "torch.mm(a, b)"},
              {{"f32[2,3]:g", "f32[4,3]:g"}, "torch.linear(a, b).relu()"}});
  at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(at::kCPU, false);
}

TEST(Mode, BackwardGivesFakeGradients) {
  World world;
  const at::Tensor weight = world.FakeOf(at::ones({4, 3}).requires_grad_(true));
  const Mode mode(world);
  at::ones({2, 3}).mm(weight.t()).relu().sum().backward();
  EXPECT_TRUE(World::IsFake(weight.grad()));
  EXPECT_EQ(weight.grad().sizes(), weight.sizes());
}

TEST(Mode, OperatorsWithoutMetaKernelsRunOnZerosAndAreCounted) {
  World world;
  const Mode mode(world);
  const at::Tensor counts = at::histc(at::ones({4}), 7);
  at::histc(counts);
  EXPECT_EQ(counts.sizes(), at::IntArrayRef({7}));
  EXPECT_TRUE(World::IsFake(counts));
  EXPECT_THAT(world.fallbacks(), testing::ElementsAre(testing::Pair("aten::histc", 2)));
}

TEST(Mode, RefusesToRunOnTooManyZeros) {
  World world;
  const Mode mode(world);
  const at::Tensor huge = at::empty({int64_t{1} << 38});
  EXPECT_THROW(at::histc(huge), c10::NotImplementedError);
}

TEST(Mode, DrawsNothingFromTheGeneratorOfTheProgram) {
  const at::Tensor before = at::detail::getDefaultCPUGenerator().get_state();
  {
    World world;
    const Mode mode(world);
    at::rand({4}).bernoulli().multinomial(2);
    at::poisson(at::ones({4}));
  }
  EXPECT_TRUE(before.equal(at::detail::getDefaultCPUGenerator().get_state()));
}

TEST(Mode, NeedsNoMemory) {
  World world;
  const Mode mode(world);
  const at::Tensor huge = at::empty({int64_t{1} << 20, int64_t{1} << 18});
  const at::Tensor sum = (huge * 2 + huge).relu();
  EXPECT_EQ(sum.nbytes(), size_t{1} << 40);
}

TEST(Mode, RefusesOtherDevices) {
  World world;
  const Mode mode(world);
  EXPECT_THROW(at::ones({2}, at::TensorOptions(at::kMeta)), c10::NotImplementedError);
}

TEST(Mode, LeavesMetaTensorsOfOthersAlone) {
  World world;
  { const Mode mode(world); }
  const auto options = at::TensorOptions(at::kMeta);
  EXPECT_TRUE(at::conv2d(at::empty({1, 3, 8, 8}, options), at::empty({4, 3, 3, 3}, options)).is_meta());
}

// In a process of its own, which has registered nothing yet.
TEST(ModeDeathTest, DoesNotShareItsKeyWithLibtorch) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto turn_on = [] {
    torch::Library others(torch::Library::IMPL, "aten", c10::DispatchKey::Fake, __FILE_NAME__, __LINE__);
    others.impl("relu", [](const at::Tensor& self) { return self; });
    World world;
    try {
      const Mode mode(world);
    } catch (const base::InternalError& error) {
      std::fputs(error.what(), stderr);
      std::_Exit(3);
    }
  };
  EXPECT_EXIT(turn_on(), testing::ExitedWithCode(3), "own kernel for fakes of aten::relu and 0 others");
}

}  // namespace
}  // namespace culprit::graph::fake
