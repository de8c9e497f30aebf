// SPDX-License-Identifier: Apache-2.0
//
// A program with other tensors and other calls, and everything else as it was.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "base/result.h"
#include "minify/program/program.h"

namespace culprit::minify {

struct Rewrite {
  /// By the name of the leaf (leaves.h).
  std::map<std::string, at::Tensor> tensors = {};
  /// Changes a node's operator and arguments, which are written with values of the old graph.
  std::function<void(graph::NodeId, graph::Node&)> change_node = [](graph::NodeId, graph::Node&) {};
};

Program Rewritten(const Program& program, const Rewrite& rewrite);

/// The program itself if it is valid and runs in eager; otherwise the reason why not. One with an operator
/// that trusts its arguments (trusting_operators.h) is not tried.
base::Result<Program> IfItRuns(Program program);
/// The same for a program in which all values have the shapes, dtypes and integers that they had.
base::Result<Program> IfItStillRuns(Program program);

}  // namespace culprit::minify
