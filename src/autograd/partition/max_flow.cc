// SPDX-License-Identifier: Apache-2.0
#include "autograd/partition/max_flow.h"

#include <algorithm>

namespace culprit::autograd {

size_t FlowNetwork::AddNode() {
  edges_of_.emplace_back();
  return edges_of_.size() - 1;
}

void FlowNetwork::AddEdge(size_t from, size_t to, int64_t capacity) {
  edges_of_[from].push_back(edges_.size());
  edges_.push_back({to, capacity});
  edges_of_[to].push_back(edges_.size());
  edges_.push_back({from, 0});
}

int64_t FlowNetwork::Maximize(size_t source, size_t sink) {
  int64_t flow = 0;
  while (MeasureDistances(source, sink)) {
    next_.assign(edges_of_.size(), 0);
    while (const int64_t more = Augment(source, sink)) {
      flow += more;
      if (flow >= kInfinite) return kInfinite;
    }
  }
  return flow;
}

bool FlowNetwork::MeasureDistances(size_t source, size_t sink) {
  distance_.assign(edges_of_.size(), kFar);
  distance_[source] = 0;
  std::vector<size_t> reached = {source};
  for (size_t i = 0; i < reached.size(); ++i) {
    for (const EdgeId id : edges_of_[reached[i]]) {
      const Edge& edge = edges_[id];
      if (edge.residual == 0 || distance_[edge.to] != kFar) continue;
      distance_[edge.to] = distance_[reached[i]] + 1;
      reached.push_back(edge.to);
    }
  }
  return distance_[sink] != kFar;
}

// Without recursion: a path can be as long as the graph.
int64_t FlowNetwork::Augment(size_t source, size_t sink) {
  std::vector<EdgeId> path;
  size_t node = source;
  while (node != sink) {
    if (const std::optional<EdgeId> edge = NextEdge(node)) {
      path.push_back(*edge);
      node = edges_[*edge].to;
    } else {
      if (path.empty()) return 0;
      node = edges_[path.back() ^ 1].to;
      path.pop_back();
      ++next_[node];
    }
  }
  return Push(path);
}

std::optional<FlowNetwork::EdgeId> FlowNetwork::NextEdge(size_t node) {
  for (size_t& next = next_[node]; next < edges_of_[node].size(); ++next) {
    const EdgeId id = edges_of_[node][next];
    if (edges_[id].residual > 0 && distance_[edges_[id].to] == distance_[node] + 1) return id;
  }
  return std::nullopt;
}

int64_t FlowNetwork::Push(const std::vector<EdgeId>& path) {
  int64_t amount = kInfinite;
  for (const EdgeId id : path) amount = std::min(amount, edges_[id].residual);
  for (const EdgeId id : path) {
    edges_[id].residual -= amount;
    edges_[id ^ 1].residual += amount;
  }
  return amount;
}

std::vector<bool> FlowNetwork::BehindCut(size_t sink) const {
  std::vector<bool> behind(edges_of_.size(), false);
  behind[sink] = true;
  std::vector<size_t> reached = {sink};
  for (size_t i = 0; i < reached.size(); ++i) {
    for (const EdgeId id : edges_of_[reached[i]]) {
      const size_t from = edges_[id].to;
      if (behind[from] || edges_[id ^ 1].residual == 0) continue;
      behind[from] = true;
      reached.push_back(from);
    }
  }
  return behind;
}

}  // namespace culprit::autograd
