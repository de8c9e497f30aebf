// SPDX-License-Identifier: Apache-2.0
//
// Inputs that are as good as the given ones: every floating-point number is moved by one unit in the last
// place, some up and some down. How far the outputs move tells how much of an error is the model's nature.
//
//   1.0f, -3.0f   =>   1.0000001f, -2.9999998f
#pragma once

#include <ATen/core/ivalue.h>

#include <vector>

namespace culprit::check {

/// Clones (clone_inputs.h). Which way an element moves depends on its place in memory only, so elements that
/// are shared move once, and on the pattern (nudge.h). Zeros, infinities and NaN stay: they mean something
/// (padding, masks). So do tensors that are no plain memory, and memory that tensors of different dtypes
/// share.
std::vector<c10::IValue> NudgeInputs(const std::vector<c10::IValue>& inputs, uint64_t pattern = 0);

}  // namespace culprit::check
