// SPDX-License-Identifier: Apache-2.0
//
// Random graphs, with writes, views and odd dtypes, by each way to compile: what comes out is what eager
// gives within the rules of compare.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/compiler/comparable_graph.h"
#include "tests/compiler/judge.h"
#include "tests/compiler/native_backend.h"
#include "tests/compiler/nobodys_fault.h"
#include "tests/compiler/reduce.h"
#include "tests/compiler/tame.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

/// Ties and overflows are nobody's fault.
bool IsWrongOnTameNumbers(backend::Backend& backend, const RandomGraph& random) {
  for (const uint64_t seed : {1, 2}) {
    const GraphCase tame = Tame({random.graph, random.inputs}, seed);
    if (Judge(backend, tame.graph, tame.inputs).difference.empty()) return false;
  }
  return true;
}

void ExpectAsEager(const std::string& name, int first, int seeds) {
  const NativeCounts before = CountsOfNative();
  const NativeSetting setting = SettingOf(name);
  const std::unique_ptr<backend::Backend> backend = OpenNative(setting);
  size_t compared = 0, forgiven = 0;
  for (int seed = first; seed < first + seeds; ++seed) {
    SCOPED_TRACE(fmt::format("{}, seed {}", name, seed));
    const RandomGraph random = MakeComparableGraph(seed);
    const Judgement judgement = Judge(*backend, random.graph, random.inputs);
    compared += judgement.says_nothing() ? 0 : 1;
    if (judgement.difference.empty()) continue;
    const bool is_forgiven = IsNobodysFault(seed, random) || !IsWrongOnTameNumbers(*backend, random);
    if (judgement.status == check::CheckStatus::kDifferent && is_forgiven) {
      ++forgiven;
      if (std::getenv("NATIVE_TEST_FORGIVEN") == nullptr) continue;
    }
    ADD_FAILURE() << DescribeReduced({random.graph, random.inputs}, setting);
  }
  const NativeCounts after = CountsOfNative();
  fmt::print(
      "{}: {} of {} graphs compared, {} forgiven; {} nodes lowered, {} called, {} neither; {} kernels\n",
      name, compared, seeds, forgiven, after.lowered - before.lowered, after.calls - before.calls,
      after.neither - before.neither, after.kernels - before.kernels);
  EXPECT_GT(compared * 10, static_cast<size_t>(seeds) * 9);
  EXPECT_LT(forgiven * 30, static_cast<size_t>(seeds));
}

// NATIVE_TEST_SEED is where to begin.
int FirstSeed() {
  const char* text = std::getenv("NATIVE_TEST_SEED");
  return text == nullptr ? 0 : std::atoi(text);
}

TEST(RandomGraphsTest, VectorsGiveWhatEagerGives) {
  ExpectAsEager("fast", FirstSeed(), Volume(60, 5000));
}
TEST(RandomGraphsTest, NarrowVectorsGiveWhatEagerGives) {
  ExpectAsEager("registers=256", FirstSeed(), Volume(30, 1000));
}
TEST(RandomGraphsTest, LlvmsPassesGiveWhatEagerGives) {
  ExpectAsEager("llvm-o3", FirstSeed(), Volume(60, 5000));
}
TEST(RandomGraphsTest, ExactMathGivesWhatEagerGives) {
  ExpectAsEager("exact", FirstSeed(), Volume(60, 5000));
}

}  // namespace
}  // namespace culprit::tests
