// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/random_graph.h"

#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <set>

#include "graph/analysis/statistics.h"
#include "graph/analysis/structural_hash.h"
#include "graph/ir/verify.h"
#include "graph/run/interpreter.h"
#include "tests/lib/python_outputs.h"

namespace culprit::tests {
namespace {

constexpr uint64_t kSeeds = 500;

TEST(RandomGraph, AllAreValid) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const base::Status status = graph::Verify(MakeRandomGraph(seed).graph);
    ASSERT_TRUE(status.ok()) << "seed " << seed << ": " << status.error().message;
  }
}

TEST(RandomGraph, AllRun) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RandomGraph random = MakeRandomGraph(seed);
    ASSERT_NO_THROW(graph::Interpreter(random.graph).Run(random.inputs)) << "seed " << seed;
  }
}

std::vector<c10::IValue> Outputs(uint64_t seed) {
  const RandomGraph random = MakeRandomGraph(seed);
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  generator.set_current_seed(1);
  return graph::Interpreter(random.graph).Run(random.inputs);
}

TEST(RandomGraph, GiveTheSameBitsAgain) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const std::vector<c10::IValue> first = Outputs(seed), second = Outputs(seed);
    for (size_t i = 0; i < first.size(); ++i) {
      EXPECT_TRUE(SameBits(first[i], second[i])) << "seed " << seed << ", output " << i;
    }
  }
}

TEST(RandomGraph, UseMoreThan200Operators) {
  std::map<std::string, size_t> calls;
  std::set<std::string> names;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RandomGraph random = MakeRandomGraph(seed);
    for (const graph::Node& node : random.graph.nodes()) {
      if (node.op->is_builtin()) continue;
      ++calls[node.op->qualified_name()];
      names.insert(node.op->name());
    }
  }
  std::printf("%zu operators in %zu overloads\n", names.size(), calls.size());
  EXPECT_GE(names.size(), 200u);
  for (const std::string_view name : RandomGraphOperators()) {
    EXPECT_TRUE(calls.contains(std::string(name)))
        << name << " is in the tables, but no call of it ever succeeds";
  }
}

TEST(RandomGraph, TheSameSeedGivesTheSameGraph) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    EXPECT_EQ(StructuralHash(MakeRandomGraph(seed).graph), StructuralHash(MakeRandomGraph(seed).graph));
  }
}

TEST(RandomGraph, AnotherSeedGivesAnotherGraph) {
  EXPECT_NE(StructuralHash(MakeRandomGraph(1).graph), StructuralHash(MakeRandomGraph(2).graph));
}

TEST(RandomGraph, HasTheNumberOfCallsAskedFor) {
  EXPECT_GE(ComputeStatistics(MakeRandomGraph(7, 200).graph).operators, 180u);
}

}  // namespace
}  // namespace culprit::tests
