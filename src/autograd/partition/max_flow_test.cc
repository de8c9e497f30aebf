// SPDX-License-Identifier: Apache-2.0
#include "autograd/partition/max_flow.h"

#include <gtest/gtest.h>

#include <random>

namespace culprit::autograd {
namespace {

constexpr int64_t kInfinite = FlowNetwork::kInfinite;

struct TestEdge {
  size_t from;
  size_t to;
  int64_t capacity;
};

struct TestNetwork {
  size_t nodes = 0;
  std::vector<TestEdge> edges = {};

  FlowNetwork Build() const {
    FlowNetwork network;
    for (size_t i = 0; i < nodes; ++i) network.AddNode();
    for (const TestEdge& edge : edges) network.AddEdge(edge.from, edge.to, edge.capacity);
    return network;
  }
};

// From node 0 to the last one.
TestNetwork RandomNetwork(uint32_t seed) {
  std::mt19937 random(seed);
  TestNetwork network{2 + random() % 6};
  const size_t edges = random() % (3 * network.nodes);
  for (size_t i = 0; i < edges; ++i) {
    const int64_t capacity = random() % 5 == 0 ? kInfinite : static_cast<int64_t>(random() % 8);
    network.edges.push_back({random() % network.nodes, random() % network.nodes, capacity});
  }
  return network;
}

int64_t CostOfCut(const TestNetwork& network, const std::vector<bool>& behind) {
  int64_t cost = 0;
  for (const TestEdge& edge : network.edges) {
    if (!behind[edge.from] && behind[edge.to]) cost = std::min(kInfinite, cost + edge.capacity);
  }
  return cost;
}

/// The cheapest of all cuts, and the fewest nodes behind one that costs as little.
std::pair<int64_t, size_t> TryAllCuts(const TestNetwork& network) {
  std::pair<int64_t, size_t> best = {kInfinite, network.nodes};
  for (uint32_t bits = 0; bits < 1U << network.nodes; ++bits) {
    std::vector<bool> behind(network.nodes);
    for (size_t i = 0; i < network.nodes; ++i) behind[i] = (bits >> i & 1) != 0;
    if (behind.front() || !behind.back()) continue;
    const size_t count = std::count(behind.begin(), behind.end(), true);
    best = std::min(best, {CostOfCut(network, behind), count});
  }
  return best;
}

TEST(MaxFlow, EqualsTheCheapestOfAllCutsOfRandomNetworks) {
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    const TestNetwork network = RandomNetwork(seed);
    EXPECT_EQ(network.Build().Maximize(0, network.nodes - 1), TryAllCuts(network).first) << seed;
  }
}

TEST(MaxFlow, FindsTheCheapestCutThatIsNearestToTheSink) {
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    const TestNetwork network = RandomNetwork(seed);
    FlowNetwork flow = network.Build();
    if (flow.Maximize(0, network.nodes - 1) == kInfinite) continue;
    const std::vector<bool> behind = flow.BehindCut(network.nodes - 1);
    const size_t count = std::count(behind.begin(), behind.end(), true);
    EXPECT_EQ(std::pair(CostOfCut(network, behind), count), TryAllCuts(network)) << seed;
  }
}

TEST(MaxFlow, TakesAPathOfAMillionEdges) {
  FlowNetwork network;
  size_t last = network.AddNode();
  for (int i = 0; i < 1'000'000; ++i) {
    const size_t next = network.AddNode();
    network.AddEdge(last, next, i == 500'000 ? 3 : kInfinite);
    last = next;
  }
  EXPECT_EQ(network.Maximize(0, last), 3);
}

}  // namespace
}  // namespace culprit::autograd
