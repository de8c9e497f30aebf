// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "graph/operators/operator.h"

namespace culprit::repro {

/// A builtin (graph/operators/builtins.h) as an expression: "Add(s0, 1)", "FloorDivide(s0, 2)", "x.size(0)".
std::string CppBuiltin(const graph::Operator& builtin, const std::vector<std::string>& arguments);

}  // namespace culprit::repro
