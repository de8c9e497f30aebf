// SPDX-License-Identifier: Apache-2.0
//
// Which inputs a model has left alone. An input counts as written if an operator says so (the version of a
// tensor is counted up, also when the same numbers are written again), if its sizes or strides have changed,
// or if the bytes of its memory have, whoever wrote them: another input that shares the memory, or code that
// tells libtorch nothing. The memory of accelerators is not looked at.
#pragma once

#include <ATen/core/ivalue.h>

#include <optional>
#include <vector>

#include "graph/tensors/tensor_copy.h"

namespace culprit::check {

class InputWatch {
 public:
  /// `given` are about to be given to a model. They are the `originals` themselves, or clones of them
  /// (clone_inputs.h); if they are themselves, there is nothing to compare bytes with.
  InputWatch(const std::vector<c10::IValue>& originals, const std::vector<c10::IValue>& given);

  /// One per input; inputs that hold no tensors are never written.
  std::vector<bool> Unwritten() const;

 private:
  struct Watched {
    size_t input = 0;
    at::Tensor tensor;
    at::Tensor original;
    /// Nothing in inference mode, which does not count.
    std::optional<uint32_t> version;
    /// Of a tensor that is plain memory (graph::IsPlain).
    std::optional<graph::Geometry> geometry;
  };

  size_t count_;
  std::vector<Watched> watched_;
};

}  // namespace culprit::check
