// SPDX-License-Identifier: Apache-2.0
//
// What a group of tensors is apart from the bytes in it: storages, and tensors that lie on them. Tensors that
// name the same storage share memory, and get shared memory again when they are rebuilt. Two storages with
// equal contents are two storages, although a store keeps their contents once: writing into one must not
// show in the other.
//
//   base = [0 1 2 3], view = base[1:3], other = [0 1 2 3]
//     =>  storages: 0 -> hash h, 16 bytes; 1 -> hash h, 16 bytes
//         tensors:  base on 0, view on 0 with offset 1, other on 1
//
// A plain tensor is a TensorSpec, as in the inputs of a script. Quantised and sparse tensors consist
// of plain ones and a few numbers.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "graph/tensors/input_spec.h"

namespace culprit::graph {

using TensorRecord = std::variant<TensorSpec, QuantisedPerTensor, QuantisedPerChannel, SparseCoo>;

struct TensorGroup {
  /// Those of the meta device have no contents and no hash.
  std::vector<StorageSpec> storages;
  std::vector<TensorRecord> tensors;
  bool operator==(const TensorGroup&) const = default;
};

}  // namespace culprit::graph
