// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/ops/linspace.h>

#include <string>

#include "repro/repro.h"
#include "tests/lib/graph_builder.h"

namespace culprit::tests {

/// tanh(x * x) + x, a graph that every backend compiles, the example plug-in too; for one in which tanh has a
/// fault, which may be empty. The plug-in has no gradients.
inline repro::Repro FaultyRepro(const std::string& backend, const std::string& fault, int64_t numel = 64) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  const graph::ValueId square = g.Call("aten::mul.Tensor", {x, x});
  g.Return({g.Call("aten::add.Tensor", {g.Call("aten::tanh", {square}), x})});
  const bool has_gradients = backend.find('/') == std::string::npos;
  repro::Repro repro{g.graph(), {at::linspace(-1, 1, numel).requires_grad_(has_gradients)}};
  repro.header.backend = backend;
  if (!fault.empty()) repro.header.faults = {"tanh:" + fault};
  repro.header.accuracy = repro::Accuracy::kStrict;
  return repro;
}

}  // namespace culprit::tests
