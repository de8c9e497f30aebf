// SPDX-License-Identifier: Apache-2.0
//
// The line of the program that an operator or a break comes from. Archives keep those of the Python source
// packed; they are unpacked when somebody asks.
#pragma once

#include <string>

#include "capture/vm/failure.h"
#include "capture/vm/state.h"
#include "graph/ir/model_line.h"

namespace culprit::capture {

struct CodeOrigin {
  /// Functions and lines that have led to it, the innermost last.
  vm::CallStack lines;
  /// vm/module_path.h
  std::string module = {};
};

/// Of the next instruction.
CodeOrigin OriginOf(const vm::State& state);

using OriginText = graph::ModelPlace;
/// The innermost line of the user's own: those of PyTorch's Python code, such as torch/nn/modules/conv.py,
/// are the same in every model, and count only if there is no other. Of a trace, a line of the archive stands
/// for a whole Python stack, and no code is known.
OriginText TextOf(const CodeOrigin& origin);

}  // namespace culprit::capture
