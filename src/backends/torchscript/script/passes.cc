// SPDX-License-Identifier: Apache-2.0
#include "backends/torchscript/script/passes.h"

#include <torch/csrc/jit/passes/autocast.h>
#include <torch/csrc/jit/passes/common_subexpression_elimination.h>
#include <torch/csrc/jit/passes/constant_pooling.h>
#include <torch/csrc/jit/passes/constant_propagation.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>
#include <torch/csrc/jit/passes/eliminate_no_ops.h>
#include <torch/csrc/jit/passes/frozen_concat_linear.h>
#include <torch/csrc/jit/passes/frozen_conv_add_relu_fusion.h>
#include <torch/csrc/jit/passes/frozen_conv_folding.h>
#include <torch/csrc/jit/passes/frozen_linear_transpose.h>
#include <torch/csrc/jit/passes/frozen_ops_to_mkldnn.h>
#include <torch/csrc/jit/passes/inplace_check.h>
#include <torch/csrc/jit/passes/lower_tuples.h>
#include <torch/csrc/jit/passes/peephole.h>
#include <torch/csrc/jit/passes/remove_dropout.h>

#include <span>

namespace culprit::backends::torchscript {
namespace {

namespace jit = torch::jit;
using GraphPointer = std::shared_ptr<jit::Graph>;

struct Pass {
  const char* name;
  const char* line;
  /// Whether there may be more to do for those that are repeated.
  bool (*run)(GraphPointer& graph);
};

template <auto function>
bool Once(GraphPointer& graph) {
  function(graph);
  return false;
}

constexpr Pass kFreezing[] = {
    {"autocast", "casts that autocast would make, as nodes", Once<jit::Autocast>},
    {"eliminate_dead_code", "nodes that nothing needs",
     Once<[](GraphPointer& graph) { jit::EliminateDeadCode(graph); }>},
    {"eliminate_common_subexpressions", "nodes that compute the same",
     Once<jit::EliminateCommonSubexpression>},
    {"peephole", "small rewrites, such as x * 1 to x",
     Once<[](GraphPointer& graph) { jit::PeepholeOptimize(graph); }>},
    {"constant_propagation", "nodes whose operands are all constants",
     Once<[](GraphPointer& graph) { jit::ConstantPropagation(graph, /*ignore_custom_classes=*/true); }>},
    {"constant_pooling", "equal constants become one", Once<jit::ConstantPooling>},
    {"eliminate_common_subexpressions", "", Once<jit::EliminateCommonSubexpression>},
    {"check_inplace", "refuses some in-place operators", Once<jit::CheckInplace>},
    {"eliminate_no_ops", "operators without effect, such as detach",
     Once<[](GraphPointer& graph) { jit::EliminateNoOps(graph); }>},
    {"lower_simple_tuples", "tuples that are taken apart again",
     Once<[](GraphPointer& graph) { jit::LowerSimpleTuples(graph); }>},
};

constexpr Pass kFrozen[] = {
    {"remove_dropout", "dropout that is switched off",
     Once<[](GraphPointer& graph) { jit::removeDropout(graph); }>},
    {"concat_linear", "linear layers of one input become one", Once<jit::FrozenConcatLinear>},
};

constexpr Pass kFolding[] = {
    {"fold_conv_batchnorm", "batch_norm becomes part of the weights of a convolution",
     jit::FoldFrozenConvBatchnorm},
    {"fold_conv_add_or_sub", "so does an added constant", jit::FoldFrozenConvAddOrSub},
    {"fold_conv_mul_or_div", "and a factor", jit::FoldFrozenConvMulOrDiv},
};

constexpr Pass kInference[] = {
    {"fuse_conv_add_relu", "convolution, add and relu as one (CUDA only)", Once<jit::FuseFrozenConvAddRelu>},
    {"convert_to_mkldnn", "convolutions, linear layers and what follows them, in oneDNN",
     Once<jit::ConvertFrozenOpsToMKLDNN>},
    {"linear_transpose", "linear with a transposed weight becomes matmul", Once<jit::FrozenLinearTranspose>},
};

/// Whether a pass says that there may be more to do.
bool Run(std::span<const Pass> passes, GraphPointer& graph, backend::SwitchBoard& switches) {
  bool changed = false;
  for (const Pass& pass : passes) {
    if (switches.Apply(pass.name)) changed = pass.run(graph) || changed;
  }
  return changed;
}

}  // namespace

std::vector<backend::SwitchDescription> DescribePasses() {
  std::vector<backend::SwitchDescription> descriptions;
  for (const std::span<const Pass> group :
       {std::span<const Pass>(kFreezing), std::span<const Pass>(kFrozen), std::span<const Pass>(kFolding),
        std::span<const Pass>(kInference)}) {
    for (const Pass& pass : group) {
      if (*pass.line != '\0') descriptions.push_back({pass.name, pass.line});
    }
  }
  return descriptions;
}

void RunStagePasses(GraphPointer& graph, ScriptStage stage, backend::SwitchBoard& switches) {
  if (stage != ScriptStage::kFreeze && stage != ScriptStage::kOfi) return;
  Run(kFreezing, graph, switches);
  Run(kFrozen, graph, switches);
  while (Run(kFolding, graph, switches)) {
  }
  if (stage == ScriptStage::kOfi) Run(kInference, graph, switches);
}

}  // namespace culprit::backends::torchscript
