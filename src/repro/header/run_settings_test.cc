// SPDX-License-Identifier: Apache-2.0
#include "repro/header/run_settings.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

namespace culprit::repro {
namespace {

TEST(RunScope, EverySettingHoldsInsideAndIsPutBack) {
  const RunSettings before = CurrentRunSettings();
  const RunSettings inside{.grad = false,
                           .inference = true,
                           .autocast = Autocast{at::kCPU, at::kBFloat16},
                           .default_dtype = at::kDouble,
                           .deterministic = true,
                           .deterministic_warn_only = true,
                           .threads = 1,
                           .interop_threads = before.interop_threads,
                           .seed = 17};
  {
    const RunScope scope(inside);
    EXPECT_EQ(CurrentRunSettings(), inside);
  }
  EXPECT_EQ(CurrentRunSettings(), before);
}

TEST(RunScope, TheStateOfTheGeneratorIsKeptBetweenDraws) {
  at::manual_seed(3);
  at::randn({5});
  const RunSettings settings = CurrentRunSettings();
  EXPECT_EQ(settings.seed, 3);
  EXPECT_FALSE(settings.generator_state.empty());
  const at::Tensor next = at::randn({5});
  const RunScope scope(settings);
  EXPECT_TRUE(at::randn({5}).equal(next));
}

TEST(RunScope, ARunInsideDoesNotChangeWhatIsDrawnOutside) {
  at::manual_seed(4);
  const at::Tensor expected = at::randn({5});
  at::manual_seed(4);
  {
    const RunScope scope({.seed = 9});
    at::randn({100});
  }
  EXPECT_TRUE(at::randn({5}).equal(expected));
}

TEST(RunScope, ModesOfTheCallerDoNotReachInside) {
  const c10::InferenceMode outside;
  const RunScope scope({.grad = false});
  EXPECT_FALSE(c10::InferenceMode::is_enabled());
  EXPECT_FALSE(at::GradMode::is_enabled());
  EXPECT_FALSE(at::ones({1}).is_inference());
}

TEST(RunScope, AutocastReachesOperators) {
  const at::Tensor x = at::ones({2, 2});
  const RunScope scope({.autocast = Autocast{}});
  EXPECT_EQ(at::mm(x, x).scalar_type(), at::kBFloat16);
}

}  // namespace
}  // namespace culprit::repro
