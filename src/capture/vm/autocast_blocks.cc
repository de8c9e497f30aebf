// SPDX-License-Identifier: Apache-2.0
#include "capture/vm/autocast_blocks.h"

#include <ATen/autocast_mode.h>
#include <torch/csrc/jit/passes/autocast.h>
#include <torch/csrc/jit/passes/inliner.h>

namespace culprit::capture::vm {
namespace {

bool EntersAutocast(const torch::jit::Node& node) {
  if (node.kind() != c10::prim::Enter) return false;
  const auto type = node.input()->type()->cast<c10::ClassType>();
  return type && type->name() && type->name()->name() == "autocast";
}

bool HasAutocastBlock(torch::jit::Block& block) {
  for (torch::jit::Node* node : block.nodes()) {
    if (EntersAutocast(*node)) return true;
    for (torch::jit::Block* inner : node->blocks()) {
      if (HasAutocastBlock(*inner)) return true;
    }
  }
  return false;
}

/// What is on around the call works when operators are called; the pass is not to see it.
class AutocastOff {
 public:
  AutocastOff()
      : gpu_(at::autocast::is_autocast_enabled(at::kCUDA)),
        cpu_(at::autocast::is_autocast_enabled(at::kCPU)) {
    Set(false, false);
  }
  ~AutocastOff() { Set(gpu_, cpu_); }
  AutocastOff(const AutocastOff&) = delete;
  AutocastOff& operator=(const AutocastOff&) = delete;

 private:
  static void Set(bool gpu, bool cpu) {
    at::autocast::set_autocast_enabled(at::kCUDA, gpu);
    at::autocast::set_autocast_enabled(at::kCPU, cpu);
  }

  bool gpu_;
  bool cpu_;
};

}  // namespace

std::shared_ptr<torch::jit::Graph> WithoutAutocastBlocks(const std::shared_ptr<torch::jit::Graph>& graph) {
  if (!HasAutocastBlock(*graph->block())) return graph;
  const AutocastOff off;
  std::shared_ptr<torch::jit::Graph> copy = graph->copy();
  torch::jit::Inline(*copy);
  torch::jit::Autocast(copy);
  return copy;
}

}  // namespace culprit::capture::vm
