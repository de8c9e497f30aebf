// SPDX-License-Identifier: Apache-2.0
#include "capture/segment/segment_text.h"

#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/jit.h>

#include "capture/captured_program.h"
#include "graph/ir/model_line.h"
#include "graph/run/interpreter.h"

namespace culprit::capture {
namespace {

using testing::ElementsAre;
using torch::jit::Module;

class Eager : public backend::Compiled {
 public:
  explicit Eager(const graph::Graph& graph) : interpreter_(graph) {}
  backend::Values Call(backend::Values& inputs) override { return interpreter_.Run(std::move(inputs)); }

 private:
  graph::Interpreter interpreter_;
};

/// Of each operator in the first graph of the model.
std::vector<std::string> ModulesOf(const Module& model) {
  Options options;
  options.name = "model";
  options.compile = [](const Segment& segment, const backend::Values&) {
    return std::make_shared<Eager>(segment.graph);
  };
  CapturedProgram program(model.get_method("forward").function(), options);
  program.Call({model._ivalue(), at::ones({2})});
  std::vector<std::string> modules;
  const graph::Graph graph = WithModelLines(*program.segments().at(0));
  for (const graph::Node& node : graph.nodes()) modules.push_back(graph::ModuleOf(*node.model_line));
  return modules;
}

Module WithForward(const std::string& name, const std::vector<std::pair<std::string, Module>>& children,
                   const std::string& body) {
  Module model(name);
  for (const auto& [child, module] : children) model.register_module(child, module);
  model.define("def forward(self, x):\n" + body);
  return model;
}

TEST(WithModelLinesTest, OperatorsKnowTheirModule) {
  const Module leaf = WithForward("Leaf", {}, "  return torch.relu(x)\n");
  const Module block =
      WithForward("Block", {{"first", leaf}, {"2", leaf}},
                  "  return torch.sin(getattr(self, \"2\").forward(self.first.forward(x)))\n");
  const Module net =
      WithForward("Net", {{"features", block}}, "  return torch.tanh(self.features.forward(x))\n");
  EXPECT_THAT(ModulesOf(net), ElementsAre("features.first", "features.2", "features", ""));
}

TEST(WithModelLinesTest, AModuleThatIsReachedThroughAnotherOneIsNamedWholly) {
  const Module leaf = WithForward("Leaf", {}, "  return torch.relu(x)\n");
  const Module list = WithForward("List", {{"0", leaf}}, "  return x\n");
  const Module net = WithForward("Net", {{"blocks", list}},
                                 "  block = getattr(self.blocks, \"0\")\n  return block.forward(x)\n");
  EXPECT_THAT(ModulesOf(net), ElementsAre("blocks.0"));
}

TEST(WithModelLinesTest, AFunctionBelongsToTheModuleThatCallsIt) {
  Module leaf("Leaf");
  leaf.define("def helper(self, x):\n  return torch.relu(x)\n");
  leaf.define("def forward(self, x):\n  return self.helper(x)\n");
  const Module net = WithForward("Net", {{"leaf", leaf}}, "  return self.leaf.forward(x)\n");
  EXPECT_THAT(ModulesOf(net), ElementsAre("leaf"));
}

}  // namespace
}  // namespace culprit::capture
