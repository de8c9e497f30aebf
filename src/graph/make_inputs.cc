// SPDX-License-Identifier: Apache-2.0
#include "graph/make_inputs.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/_conj.h>
#include <ATen/ops/_empty_affine_quantized.h>
#include <ATen/ops/_empty_per_channel_affine_quantized.h>
#include <ATen/ops/_neg_view.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/sparse_coo_tensor.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>

#include "base/text.h"
#include "graph/map_devices.h"
#include "graph/torch_error.h"

namespace culprit::graph {
namespace {

using base::Diagnostic;
using base::Result;

// Larger than any machine's memory, but far from overflowing when libtorch multiplies it.
constexpr int64_t kLargestStorage = int64_t{1} << 46;

// The dtype that a storage's bytes are made up as: that of the first tensor on it.
at::ScalarType ElementType(const InputSpecs& specs, size_t storage) {
  if (specs.storages[storage].dtype_hint) return *specs.storages[storage].dtype_hint;
  std::optional<at::ScalarType> first;
  for (const InputSpec& input : specs.inputs) {
    ForEachTensor(input, [&](const TensorSpec& tensor) {
      if (tensor.storage == storage && !first) first = tensor.dtype;
    });
  }
  return first.value_or(at::kFloat);
}

class InputMaker {
 public:
  InputMaker(const InputSpecs& specs, const MakeInputsOptions& options)
      : specs_(specs), options_(options), generator_(at::detail::createCPUGenerator(options.seed)) {}

  Result<MadeInputs> Run() {
    for (size_t i = 0; i < specs_.storages.size(); ++i) storages_.push_back(CULPRIT_TRY(MakeStorage(i)));
    for (size_t i = 0; i < specs_.inputs.size(); ++i) {
      made_.values.push_back(CULPRIT_TRY(std::visit(*this, specs_.inputs[i])));
      bool random = false;
      ForEachTensor(specs_.inputs[i], [&](const TensorSpec& tensor) {
        random = random || IsUnknown(specs_.storages[tensor.storage]);
      });
      if (random) made_.random.push_back(i);
    }
    return std::move(made_);
  }

  Result<c10::IValue> operator()(const TensorSpec& spec) { return c10::IValue(MakeTensor(spec)); }
  Result<c10::IValue> operator()(const IntSpec& spec) { return c10::IValue(spec.value); }
  Result<c10::IValue> operator()(const GeneratorSpec& /*spec*/) {
    return c10::IValue(at::detail::createCPUGenerator(options_.seed));
  }
  Result<c10::IValue> operator()(const AbsentSpec& /*spec*/) { return c10::IValue(); }
  Result<c10::IValue> operator()(const ConstantSpec& spec) { return spec.value; }

  Result<c10::IValue> operator()(const SparseSpec& spec) {
    at::Tensor sparse = at::sparse_coo_tensor(MakeTensor(spec.indices), MakeTensor(spec.values), spec.sizes);
    sparse._coalesced_(spec.is_coalesced);
    if (spec.requires_grad) sparse.requires_grad_(true);
    return c10::IValue(sparse);
  }

  Result<c10::IValue> operator()(const QuantizedSpec& spec) {
    const at::ScalarType dtype = at::toQIntType(spec.integers.dtype);
    const TensorSpec& integers = spec.integers;
    at::Tensor tensor =
        spec.axis ? at::_empty_per_channel_affine_quantized(integers.sizes, at::tensor(spec.scales),
                                                            at::tensor(spec.zero_points), *spec.axis, dtype)
                  : at::_empty_affine_quantized(integers.sizes, dtype, spec.scales[0], spec.zero_points[0]);
    tensor.set_(storages_[integers.storage].storage(), integers.offset, integers.sizes, integers.strides);
    return c10::IValue(tensor);
  }

 private:
  static bool IsUnknown(const StorageSpec& spec) {
    return spec.bytes > 0 && std::holds_alternative<std::monostate>(spec.contents);
  }

  Result<at::Tensor> MakeStorage(size_t index) {
    const StorageSpec& spec = specs_.storages[index];
    if (spec.bytes > kLargestStorage) {
      return Diagnostic{
          {}, fmt::format("an input of {} is larger than any memory", base::HumanBytes(spec.bytes))};
    }
    if (IsUnknown(spec)) return RandomStorage(spec.bytes, ElementType(specs_, index));
    if (spec.bytes == 0) return at::empty({0}, at::kByte);
    // A copy of its own, since graphs write to their inputs.
    return CULPRIT_TRY(MakeContents(spec.contents, spec.bytes, options_.load)).clone();
  }

  at::Tensor RandomStorage(int64_t bytes, at::ScalarType dtype) {
    const auto item = static_cast<int64_t>(c10::elementSize(dtype));
    const int64_t count = (bytes + item - 1) / item;
    if (c10::isQIntType(dtype)) return at::zeros({bytes}, at::kByte);
    at::Tensor data = at::zeros({count}, dtype);
    if (c10::isFloatingType(dtype) || c10::isComplexType(dtype)) data.normal_(0, 1, generator_);
    if (dtype == at::kBool) data.bernoulli_(0.5, generator_);
    return data;
  }

  at::Tensor MakeTensor(const TensorSpec& spec) const {
    at::Tensor tensor = at::empty({0}, spec.dtype);
    tensor.set_(storages_[spec.storage].storage(), spec.offset, spec.sizes, spec.strides);
    if (spec.is_conjugated) tensor = at::_conj(tensor);
    if (spec.is_negated) tensor = at::_neg_view(tensor);
    const bool differentiable = c10::isFloatingType(spec.dtype) || c10::isComplexType(spec.dtype);
    if (!spec.requires_grad || !differentiable) return tensor;
    tensor.requires_grad_(true);
    // Something that has a history, over the same memory.
    return spec.is_leaf ? tensor : tensor.view_as(tensor);
  }

  const InputSpecs& specs_;
  const MakeInputsOptions& options_;
  at::Generator generator_;
  std::vector<at::Tensor> storages_;
  MadeInputs made_;
};

}  // namespace

Result<MadeInputs> MakeInputs(const InputSpecs& specs, const MakeInputsOptions& options) {
  if (const auto device = NonCpuDevice(specs))
    return Diagnostic{{}, fmt::format("an input is on {}, which this machine lacks", device->str())};
  try {
    return InputMaker(specs, options).Run();
  } catch (const std::exception& error) {
    return Diagnostic{{}, fmt::format("the inputs cannot be made: {}", TorchMessage(error))};
  }
}

}  // namespace culprit::graph
