// SPDX-License-Identifier: Apache-2.0
//
// Values => what a script says about inputs, and the memory that holds their contents.
#pragma once

#include <ATen/core/ivalue.h>
#include <c10/core/Storage.h>

#include <vector>

#include "base/result.h"
#include "graph/ir/graph.h"
#include "graph/tensors/input_spec.h"

namespace culprit::repro {

struct DescribedInputs {
  /// The contents of the storages are not filled in yet. A storage ends where the last input on it does.
  graph::InputSpecs specs;
  /// One per storage; not a copy.
  std::vector<c10::Storage> contents;
};

/// One value per placeholder. A value of a kind that no file can hold (an object, packed parameters, a
/// generator in the middle of its sequence ...) is an error that names the input.
base::Result<DescribedInputs> DescribeInputs(const graph::Graph& graph,
                                             const std::vector<c10::IValue>& inputs);

}  // namespace culprit::repro
