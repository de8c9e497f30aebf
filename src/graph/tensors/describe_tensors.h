// SPDX-License-Identifier: Apache-2.0
//
// Tensors => what they are, and the storages with their bytes. The opposite is rebuild_tensors.h.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "base/result.h"
#include "graph/tensors/tensor_group.h"

namespace culprit::graph {

struct DescribedTensors {
  /// The storages have no hashes yet.
  TensorGroup group;
  /// One per storage of the group; on the CPU, or on the meta device.
  std::vector<c10::Storage> contents;
};

/// The bytes are not copied, except from devices other than the CPU. Tensors that are no plain memory (sparse
/// in compressed form, MKL-DNN's, undefined ones), and packed dtypes of less than a byte are errors.
base::Result<DescribedTensors> DescribeTensors(const std::vector<at::Tensor>& tensors);

}  // namespace culprit::graph
