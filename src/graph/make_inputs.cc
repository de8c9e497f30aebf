// SPDX-License-Identifier: Apache-2.0
#include "graph/make_inputs.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/_conj.h>
#include <ATen/ops/_neg_view.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>

#include "base/text.h"
#include "graph/torch_error.h"

namespace culprit::graph {
namespace {

using base::Diagnostic;
using base::Result;
using base::Status;

// Larger than any machine's memory, but far from overflowing when libtorch multiplies it.
constexpr int64_t kLargestStorage = int64_t{1} << 46;

// The dtype that a storage's bytes are made up as: that of the first tensor on it.
at::ScalarType ElementType(const InputSpecs& specs, size_t storage) {
  if (specs.storages[storage].dtype_hint) return *specs.storages[storage].dtype_hint;
  for (const InputSpec& input : specs.inputs) {
    const auto* tensor = std::get_if<TensorSpec>(&input);
    if (tensor != nullptr && tensor->storage == storage) return tensor->dtype;
  }
  return at::kFloat;
}

Status CheckDevice(at::Device device) {
  if (device.is_cpu()) return base::Done{};
  Diagnostic error{{}, fmt::format("an input is on {}, which this machine lacks", device.str())};
  error.help = "to run on the CPU instead, add: --device cpu";
  return error;
}

Result<at::Tensor> RandomStorage(const InputSpecs& specs, size_t index, at::Generator& generator) {
  const StorageSpec& spec = specs.storages[index];
  CULPRIT_TRY(CheckDevice(spec.device));
  const at::ScalarType dtype = ElementType(specs, index);
  if (spec.bytes > kLargestStorage)
    return Diagnostic{{},
                      fmt::format("an input of {} is larger than any memory", base::HumanBytes(spec.bytes))};
  const auto item = static_cast<int64_t>(c10::elementSize(dtype));
  const int64_t count = (spec.bytes + item - 1) / item;
  if (c10::isQIntType(dtype)) return at::zeros({spec.bytes}, at::kByte);
  at::Tensor data = at::zeros({count}, dtype);
  if (c10::isFloatingType(dtype) || c10::isComplexType(dtype)) data.normal_(0, 1, generator);
  if (dtype == at::kBool) data.bernoulli_(0.5, generator);
  return data;
}

at::Tensor MakeTensor(const TensorSpec& spec, const at::Tensor& storage) {
  at::Tensor tensor = at::empty({0}, spec.dtype);
  tensor.set_(storage.storage(), spec.offset, spec.sizes, spec.strides);
  if (spec.is_conjugated) tensor = at::_conj(tensor);
  if (spec.is_negated) tensor = at::_neg_view(tensor);
  const bool differentiable = c10::isFloatingType(spec.dtype) || c10::isComplexType(spec.dtype);
  if (spec.requires_grad && differentiable) tensor.requires_grad_(true);
  return tensor;
}

}  // namespace

Result<std::vector<c10::IValue>> MakeRandomInputs(const InputSpecs& specs, uint64_t seed) {
  at::Generator generator = at::detail::createCPUGenerator(seed);
  std::vector<at::Tensor> storages;
  std::vector<c10::IValue> inputs;
  try {
    for (size_t i = 0; i < specs.storages.size(); ++i) {
      storages.push_back(CULPRIT_TRY(RandomStorage(specs, i, generator)));
    }
    for (const InputSpec& input : specs.inputs) {
      if (const auto* tensor = std::get_if<TensorSpec>(&input)) {
        inputs.emplace_back(MakeTensor(*tensor, storages[tensor->storage]));
      } else if (const auto* size = std::get_if<IntSpec>(&input)) {
        inputs.emplace_back(size->value);
      } else if (const auto* spec = std::get_if<GeneratorSpec>(&input)) {
        CULPRIT_TRY(CheckDevice(spec->device));
        inputs.emplace_back(at::detail::createCPUGenerator(seed));
      } else {
        inputs.emplace_back();
      }
    }
  } catch (const std::exception& error) {
    return Diagnostic{{}, fmt::format("the inputs cannot be made: {}", TorchMessage(error))};
  }
  return inputs;
}

}  // namespace culprit::graph
