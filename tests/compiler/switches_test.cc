// SPDX-License-Identifier: Apache-2.0
//
// A pass that is off changes how numbers are computed, not which: every way agrees with eager, and where
// nothing is combined, exact math gives the same bits with and without what brings loops together.
#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/tensors/tensor_copy.h"
#include "tests/compiler/comparable_graph.h"
#include "tests/compiler/judge.h"
#include "tests/compiler/native_backend.h"
#include "tests/compiler/nobodys_fault.h"
#include "tests/compiler/reduce.h"
#include "tests/compiler/tame.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

constexpr int kFirstSeed = 100'000;

class SwitchesTest : public testing::TestWithParam<const char*> {};

TEST_P(SwitchesTest, GivesWhatEagerGives) {
  const NativeSetting setting = SettingOf(GetParam());
  const std::unique_ptr<backend::Backend> backend = OpenNative(setting);
  const int seeds = Volume(40, 1000);
  int forgiven = 0;
  for (int seed = kFirstSeed; seed < kFirstSeed + seeds; ++seed) {
    const RandomGraph random = MakeComparableGraph(seed);
    const GraphCase tame = Tame({random.graph, random.inputs}, seed);
    const std::string difference = Judge(*backend, tame.graph, tame.inputs).difference;
    if (difference.empty()) continue;
    if (IsNobodysFault(seed, {tame.graph, tame.inputs})) {
      ++forgiven;
      continue;
    }
    ADD_FAILURE() << "seed " << seed << ": " << difference << DescribeReduced(tame, setting);
  }
  EXPECT_LE(forgiven * 100, seeds);
}

std::string NameOf(const testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  std::ranges::replace_if(
      name, [](char letter) { return std::isalnum(letter) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Passes, SwitchesTest,
                         testing::Values("off=fuse", "off=inline", "off=codegen", "off=plan_memory",
                                         "off=lower", "off=decompose", "off=split_reductions", "off=arrange",
                                         "off=fold_constants", "off=merge_equal_calls", "llvm-o3,off=fuse",
                                         "exact,off=inline", "exact,off=codegen", "frozen",
                                         "frozen,off=fold_constants"),
                         NameOf);

std::vector<c10::IValue> RunBy(const NativeSetting& setting, const RandomGraph& random) {
  const at::NoGradGuard no_grad;
  std::vector<c10::IValue> all = graph::CopyAll(random.inputs);
  const auto compiled = OpenNative(setting)->Compile(random.graph, all);
  at::manual_seed(3);
  std::vector<c10::IValue> given = all;
  for (c10::IValue& output : compiled->Call(given)) all.push_back(std::move(output));
  return all;
}

size_t Differing(const std::vector<c10::IValue>& a, const std::vector<c10::IValue>& b) {
  size_t differing = 0;
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i].isTensor() && a[i].toTensor().defined())
      differing += graph::SameTensor(a[i].toTensor(), b[i].toTensor()) ? 0 : 1;
  return differing;
}

TEST(SwitchesTest, ExactBitsDoNotDependOnFusion) {
  size_t compared = 0;
  for (int seed = kFirstSeed; seed < kFirstSeed + Volume(100, 2000); ++seed) {
    const RandomGraph random = MakeComparableGraph(seed);
    const size_t reductions = CountsOfNative().reductions;
    const auto fused = RunBy(SettingOf("exact"), random);
    if (CountsOfNative().reductions > reductions) continue;
    ++compared;
    for (const char* other : {"exact,off=fuse", "exact,off=inline", "exact,off=plan_memory"})
      EXPECT_EQ(Differing(fused, RunBy(SettingOf(other), random)), 0U) << other << ", seed " << seed;
  }
  fmt::print("{} graphs without reductions\n", compared);
  EXPECT_GT(compared, 20U);
}

}  // namespace
}  // namespace culprit::tests
