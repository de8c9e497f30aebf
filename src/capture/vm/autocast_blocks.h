// SPDX-License-Identifier: Apache-2.0
//
// `with torch.cpu.amp.autocast():` does nothing when TorchScript runs; a pass of libtorch's executors turns
// such blocks into casts beforehand:
//
//   with autocast():                x_1 = _autocast_to_reduced_precision(x, ...)
//     y = torch.mm(x, w)      =>    w_1 = _autocast_to_reduced_precision(w, ...)
//                                   y = mm(x_1, w_1)
#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <memory>

namespace culprit::capture::vm {

/// The graph itself if it has no such block. Functions that it calls are written out otherwise, since the
/// block is about them too.
std::shared_ptr<torch::jit::Graph> WithoutAutocastBlocks(const std::shared_ptr<torch::jit::Graph>& graph);

}  // namespace culprit::capture::vm
