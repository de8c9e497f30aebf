// SPDX-License-Identifier: Apache-2.0
//
// How a C++ function replaces one call of an operator that libtorch lacks, or has for CUDA only, by calls of
// others.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "graph/ir/bind.h"

namespace culprit::graph::translate {

/// Adds nodes to the graph that is being read.
class Emitter {
 public:
  virtual ~Emitter() = default;

  /// Adds a call of `op` ("aten::add.Tensor"), which has to be one of libtorch's or a builtin.
  virtual base::Result<std::vector<ValueId>> Emit(std::string_view op, WrittenArguments arguments) = 0;

  /// As Emit, for the first result, which is often the only one.
  base::Result<Argument> EmitOne(std::string_view op, std::vector<Argument> positional,
                                 std::vector<std::pair<std::string, Argument>> keyword = {});
};

/// Expands one call. `call` is bound to the parameters of the row: one positional argument for each, in their
/// order, defaults filled in; no keywords. Returns one argument per result, None for a result that is not
/// there. An error has no place yet.
using Expansion = base::Result<std::vector<Argument>> (*)(const WrittenArguments& call, Emitter& emitter);

Argument Constant(c10::IValue value);

/// The ints of an argument that has to be a list of constant ints; `what` names it in the error.
base::Result<std::vector<int64_t>> ConstantInts(const Argument& argument, std::string_view what);
base::Result<double> ConstantNumber(const Argument& argument, std::string_view what);
base::Result<bool> ConstantBool(const Argument& argument, std::string_view what);

}  // namespace culprit::graph::translate
