// SPDX-License-Identifier: Apache-2.0
//
// How much of a difference to float64 is nothing but the rounding of a short dtype. A tolerance of 1e-4 is
// right for float32; bfloat16 has 8 bits, so a graph that computes in it is off by more however good it is.
//
//   dtype      unit in the last place of 1   tolerance, 4 such units
//   float16    2^-10                         0.00390625
//   bfloat16   2^-7                          0.03125
#pragma once

#include <ATen/core/ivalue.h>
#include <c10/core/ScalarType.h>

#include <optional>
#include <vector>

#include "graph/ir/graph.h"
#include "repro/header/run_settings.h"

namespace culprit::check {

struct Rounding {
  at::ScalarType dtype = at::kHalf;
  double tolerance = 0;
};

/// Of the coarsest dtype that a run can meet: operators make a shorter dtype than they get only if an
/// argument, the default dtype or autocast says so, so these are looked at beside inputs and constants.
/// Nothing if float32 is the coarsest.
std::optional<Rounding> CoarseRounding(const graph::Graph& graph, const std::vector<c10::IValue>& inputs,
                                       const repro::RunSettings& settings);

}  // namespace culprit::check
