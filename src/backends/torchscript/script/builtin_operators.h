// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "graph/operators/operator.h"

namespace culprit::backends::torchscript {

/// What TorchScript calls a builtin (graph/operators/builtins.h): "aten::floordiv" for python::floordiv.int.
/// It computes the same, except that integers wrap around on overflow.
std::string_view TorchScriptName(const graph::Operator& builtin);

}  // namespace culprit::backends::torchscript
