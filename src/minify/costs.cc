// SPDX-License-Identifier: Apache-2.0
#include "minify/costs.h"

#include <chrono>

#include "graph/interpreter.h"
#include "graph/tensor_copy.h"
#include "minify/node_names.h"

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

Costs MeasureCosts(const Program& program) {
  Stopwatch stopwatch(program.graph.nodes().size());
  try {
    graph::Interpreter(program.graph).Run(graph::CopyAll(program.inputs), &stopwatch);
  } catch (const std::exception&) {
    return {};
  }
  Costs costs;
  const std::vector<std::string> names = NodeNames(program.graph);
  for (size_t i = 0; i < names.size(); ++i) costs[names[i]] = stopwatch.seconds(i) + kHandling;
  return costs;
}

}  // namespace culprit::minify
