// SPDX-License-Identifier: Apache-2.0
//
// Inputs for a graph whose data is not at hand: tensors as the script describes them, filled with seeded
// random numbers.
#pragma once

#include <ATen/core/ivalue.h>

#include <vector>

#include "base/result.h"
#include "graph/graph.h"
#include "graph/input_spec.h"

namespace culprit::graph {

/// One value per spec. Floating and complex storages hold standard normal numbers, bool ones coin flips, and
/// integers zeros, which are valid indices everywhere. Tensors over one storage share memory. The same seed
/// gives the same numbers. Devices other than the CPU are an error; map them first (graph/map_devices.h).
base::Result<std::vector<c10::IValue>> MakeRandomInputs(const InputSpecs& specs, uint64_t seed);

}  // namespace culprit::graph
