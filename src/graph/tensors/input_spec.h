// SPDX-License-Identifier: Apache-2.0
//
// What a script says about the inputs of its graph: storages, and per placeholder a tensor over one of them,
// an integer, or something that cannot be written down. Tensors that name the same storage share memory.
#pragma once

#include <ATen/core/ivalue.h>
#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>
#include <c10/util/ArrayRef.h>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "graph/tensors/storage_contents.h"

namespace culprit::graph {

struct StorageSpec {
  /// The name of its contents in PyTorch's content store.
  std::optional<std::string> hash;
  int64_t bytes = 0;
  at::Device device = at::kCPU;
  std::optional<at::ScalarType> dtype_hint;
  StorageContents contents = {};
  bool operator==(const StorageSpec&) const = default;
};

struct TensorSpec {
  /// Index into InputSpecs::storages.
  size_t storage = 0;
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
  int64_t offset = 0;
  at::ScalarType dtype = at::kFloat;
  bool requires_grad = false;
  bool is_leaf = false;
  bool is_conjugated = false;
  bool is_negated = false;
  bool operator==(const TensorSpec&) const = default;
};

/// One scale and zero point for the whole tensor.
struct QuantisedPerTensor {
  TensorSpec tensor;
  double scale = 1;
  int64_t zero_point = 0;
  bool operator==(const QuantisedPerTensor&) const = default;
};

/// Scales and zero points are vectors along one axis. Zero points of a floating dtype make it libtorch's
/// scheme per_channel_affine_float_qparams.
struct QuantisedPerChannel {
  TensorSpec tensor;
  TensorSpec scales;
  TensorSpec zero_points;
  int64_t axis = 0;
  bool operator==(const QuantisedPerChannel&) const = default;
};

/// Sparse in coordinate form.
struct SparseCoo {
  TensorSpec indices;
  TensorSpec values;
  std::vector<int64_t> sizes;
  bool is_coalesced = false;
  bool requires_grad = false;
  bool is_leaf = false;
  bool operator==(const SparseCoo&) const = default;
};

/// A float, bool or string.
struct ConstantSpec {
  c10::IValue value;
  bool operator==(const ConstantSpec& other) const;
};

/// A size: its value, and the expression it had where it was recorded (documentation only).
struct IntSpec {
  int64_t value = 0;
  std::string expression;
  bool operator==(const IntSpec&) const = default;
};

struct GeneratorSpec {
  at::Device device = at::kCPU;
  /// That of the run, unless it has one of its own.
  std::optional<uint64_t> seed = std::nullopt;
  bool operator==(const GeneratorSpec&) const = default;
};

/// None, or something that could not be recorded and is None now.
struct AbsentSpec {
  enum class Reason : uint8_t { kConst, kUnsupported, kOpaque };
  Reason reason = Reason::kConst;
  std::string name;
  bool operator==(const AbsentSpec&) const = default;
};

using InputSpec = std::variant<TensorSpec, IntSpec, GeneratorSpec, AbsentSpec, SparseCoo, QuantisedPerTensor,
                               QuantisedPerChannel, ConstantSpec>;

struct InputSpecs {
  std::vector<StorageSpec> storages;
  /// One per placeholder, in order.
  std::vector<InputSpec> inputs;
  bool operator==(const InputSpecs&) const = default;
};

/// Calls `visit(const TensorSpec&)` for every tensor over a storage that the input consists of, in order.
template <typename Visitor>
void ForEachTensor(const InputSpec& input, Visitor&& visit) {
  if (const auto* tensor = std::get_if<TensorSpec>(&input)) visit(*tensor);
  if (const auto* quantised = std::get_if<QuantisedPerTensor>(&input)) visit(quantised->tensor);
  if (const auto* quantised = std::get_if<QuantisedPerChannel>(&input)) {
    visit(quantised->tensor);
    visit(quantised->scales);
    visit(quantised->zero_points);
  }
  if (const auto* sparse = std::get_if<SparseCoo>(&input)) {
    visit(sparse->indices);
    visit(sparse->values);
  }
}

/// How many elements of a storage a tensor that lies so on it reaches, from the storage's beginning on; 0 for
/// one without elements, nothing on overflow.
std::optional<int64_t> ReachedElements(c10::IntArrayRef sizes, c10::IntArrayRef strides, int64_t offset);

/// The bytes that the tensor reaches into its storage; nothing on overflow.
std::optional<int64_t> ReachOf(const TensorSpec& tensor);

/// As what the bytes of a storage are written or drawn: its hint, or the dtype of the first tensor on it,
/// made real. Bytes if there is neither.
at::ScalarType ElementTypeOf(const InputSpecs& specs, size_t storage);

std::vector<int64_t> ContiguousStrides(const std::vector<int64_t>& sizes);

}  // namespace culprit::graph
