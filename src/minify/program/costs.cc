// SPDX-License-Identifier: Apache-2.0
#include "minify/program/costs.h"

#include <chrono>

#include "graph/run/interpreter.h"
#include "graph/tensors/tensor_copy.h"
#include "minify/program/node_names.h"

namespace culprit::minify {
namespace {

using Clock = std::chrono::steady_clock;

/// Of reading, compiling and comparing one operator, whatever it computes.
constexpr double kHandling = 20e-6;

class Stopwatch : public graph::Observer {
 public:
  explicit Stopwatch(size_t nodes) : seconds_(nodes, 0.0) {}

  void Before(graph::NodeId, const torch::jit::Stack&) override { start_ = Clock::now(); }
  void After(graph::NodeId node, const torch::jit::Stack&) override {
    seconds_[Index(node)] = std::chrono::duration<double>(Clock::now() - start_).count();
  }
  double seconds(size_t node) const { return seconds_[node]; }

 private:
  Clock::time_point start_;
  std::vector<double> seconds_;
};

}  // namespace

Costs::Costs(ByName by_name) : by_name_(std::move(by_name)) {
  if (by_name_.empty()) return;
  double sum = 0;
  for (const auto& [name, cost] : by_name_) sum += cost;
  mean_ = sum / static_cast<double>(by_name_.size());
}

double Costs::Of(const std::string& node) const {
  const auto found = by_name_.find(node);
  return found == by_name_.end() ? mean_ : found->second;
}

Costs MeasureCosts(const Program& program) {
  Stopwatch stopwatch(program.graph.nodes().size());
  try {
    graph::Interpreter(program.graph).Run(graph::CopyAll(program.inputs), &stopwatch);
  } catch (const std::exception&) {
    return Costs();
  }
  Costs::ByName costs;
  const std::vector<std::string> names = NodeNames(program.graph);
  for (size_t i = 0; i < names.size(); ++i) costs[names[i]] = stopwatch.seconds(i) + kHandling;
  return Costs(std::move(costs));
}

}  // namespace culprit::minify
