// SPDX-License-Identifier: Apache-2.0
//
// Inputs from the annotations of forward, for files that say nothing else about them:
//
//   def forward(self, arg0_1: "f32[2, 3][3, 1]cpu", arg1_1: "i64[4]", arg2_1: "Sym(5)"):
//
// dtype as FX abbreviates it, sizes, strides (contiguous without), device (the CPU without).
#pragma once

#include <optional>

#include "base/result.h"
#include "graph/tensors/input_spec.h"
#include "graph/text/syntax/outline.h"

namespace culprit::graph::text {

/// Nothing unless all parameters are described: a symbol in a size needs a value (`s0 = 4` above the class).
base::Result<std::optional<InputSpecs>> AnnotatedInputs(const Source& source, const ScriptOutline& outline);

}  // namespace culprit::graph::text
