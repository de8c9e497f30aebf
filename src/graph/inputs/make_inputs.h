// SPDX-License-Identifier: Apache-2.0
//
// The inputs of a graph, as a script describes them: with the contents that it names, and with seeded random
// numbers where it names none.
#pragma once

#include <ATen/core/ivalue.h>

#include <vector>

#include "base/result.h"
#include "graph/ir/graph.h"
#include "graph/tensors/input_spec.h"

namespace culprit::graph::inputs {

struct MadeInputs {
  /// One value per spec. Tensors over one storage share memory.
  std::vector<c10::IValue> values;
  /// Which of them (as indices) hold random numbers because their contents are unknown.
  std::vector<size_t> random;
};

struct MakeInputsOptions {
  /// The same seed gives the same random numbers.
  uint64_t seed = 0;
  /// For contents that are in a store.
  LoadBytes load = nullptr;
  /// False for who looks at sizes only: memory of unknown contents is left as it is.
  bool draw = true;
};

/// Where contents are unknown, floating and complex storages hold standard normal numbers, bool ones coin
/// flips, and integers zeros, which are valid indices everywhere. Devices other than the CPU are an error;
/// map them first (graph/passes/map_devices.h). So are contents that a store lacks.
base::Result<MadeInputs> MakeInputs(const InputSpecs& specs, const MakeInputsOptions& options = {});

}  // namespace culprit::graph::inputs
