// SPDX-License-Identifier: Apache-2.0
//
// Moves the floating-point numbers of a storage by units in the last place, some up and some down.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>
#include <c10/core/Storage.h>

#include <cstdint>

namespace culprit::check {

struct Nudge {
  /// Decides which numbers go up: another pattern is another measurement.
  uint64_t pattern = 0;
  /// Leave integers alone: what computes these computes them exactly, as masks, counts and places. Not those
  /// so large that the dtype has no fractions beside them, 2^24 in Float.
  bool keep_integers = false;
  /// How many units in the last place.
  int units = 1;
};

/// Which way a number moves depends on its place only. Zeros, infinities and NaN stay. Storages on the CPU,
/// of a dtype that is real and floating; nothing happens to others. Gives how many numbers there are.
size_t NudgeStorage(const c10::Storage& storage, at::ScalarType dtype, const Nudge& nudge = {});

/// The same for the elements of a plain tensor, real or complex, and for no others of its storage, unless
/// elements of the tensor share memory.
size_t NudgeElements(const at::Tensor& tensor, const Nudge& nudge = {});

}  // namespace culprit::check
