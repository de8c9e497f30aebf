// SPDX-License-Identifier: Apache-2.0
//
// The passes that stages freeze and ofi consist of, one by one, in the order of libtorch's
// freeze_module, OptimizeFrozenGraph (both are torch.jit.freeze) and optimize_for_inference. Each is a
// switch. With all of them on, the graph is the one that those functions give; passes that have no effect on
// a program without calls, loops and modules are left out.
#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <memory>
#include <vector>

#include "backend/configuration.h"
#include "backend/description.h"
#include "backends/torchscript/script/settings.h"

namespace culprit::backends::torchscript {

std::vector<backend::SwitchDescription> DescribePasses();

/// Parameters have to be constants of the graph already. Throws what a pass throws.
void RunStagePasses(std::shared_ptr<torch::jit::Graph>& graph, ScriptStage stage,
                    backend::SwitchBoard& switches);

}  // namespace culprit::backends::torchscript
