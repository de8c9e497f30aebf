// SPDX-License-Identifier: Apache-2.0
#include "graph/inputs/make_inputs.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <fmt/format.h>

#include "base/text.h"
#include "graph/inputs/draw_in_range.h"
#include "graph/passes/map_devices.h"
#include "graph/tensors/rebuild_tensors.h"
#include "graph/tensors/torch_error.h"

namespace culprit::graph::inputs {
namespace {

using base::Diagnostic;
using base::Result;

// Larger than any machine's memory, but far from overflowing when libtorch multiplies it.
constexpr int64_t kLargestStorage = int64_t{1} << 46;

class InputMaker {
 public:
  InputMaker(const InputSpecs& specs, const MakeInputsOptions& options)
      : specs_(specs), drawn_(specs), options_(options) {}

  Result<MadeInputs> Run() {
    TensorGroup group{.storages = specs_.storages};
    for (const InputSpec& input : specs_.inputs) {
      if (const auto record = AsRecord(input)) group.tensors.push_back(*record);
    }
    CULPRIT_TRY(CheckGroup(group));
    if (options_.draw) DrawUnknown(drawn_, {}, options_.seed);
    const std::vector<c10::Storage> storages = CULPRIT_TRY(MakeStorages());
    const std::vector<at::Tensor> tensors = CULPRIT_TRY(RebuildTensors(group, storages));
    MadeInputs made;
    auto tensor = tensors.begin();
    for (size_t i = 0; i < specs_.inputs.size(); ++i) {
      const bool is_tensor = AsRecord(specs_.inputs[i]).has_value();
      made.values.push_back(is_tensor ? c10::IValue(*tensor++) : CULPRIT_TRY(MakePlain(specs_.inputs[i])));
      if (IsRandom(specs_.inputs[i])) made.random.push_back(i);
    }
    return made;
  }

 private:
  static std::optional<TensorRecord> AsRecord(const InputSpec& input) {
    if (const auto* tensor = std::get_if<TensorSpec>(&input)) return *tensor;
    if (const auto* quantised = std::get_if<QuantisedPerTensor>(&input)) return *quantised;
    if (const auto* quantised = std::get_if<QuantisedPerChannel>(&input)) return *quantised;
    if (const auto* sparse = std::get_if<SparseCoo>(&input)) return *sparse;
    return std::nullopt;
  }

  Result<c10::IValue> MakePlain(const InputSpec& input) const {
    if (const auto* size = std::get_if<IntSpec>(&input)) return c10::IValue(size->value);
    if (const auto* constant = std::get_if<ConstantSpec>(&input)) return constant->value;
    if (const auto* generator = std::get_if<GeneratorSpec>(&input)) {
      return c10::IValue(at::detail::createCPUGenerator(generator->seed.value_or(options_.seed)));
    }
    return c10::IValue();
  }

  bool IsRandom(const InputSpec& input) const {
    bool random = false;
    ForEachTensor(input, [&](const TensorSpec& tensor) {
      random = random || IsUnknown(specs_.storages[tensor.storage]);
    });
    return random;
  }

  Result<std::vector<c10::Storage>> MakeStorages() const {
    const size_t count = drawn_.storages.size();
    const auto is_drawn = [&](size_t i) {
      return std::holds_alternative<SeededNumbers>(drawn_.storages[i].contents);
    };
    std::vector<std::optional<Result<at::Tensor>>> made(count);
    // Each has a seed of its own, so that several can be drawn at once.
    at::parallel_for(0, static_cast<int64_t>(count), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        if (is_drawn(i)) made[i] = MakeStorage(i);
      }
    });
    std::vector<c10::Storage> storages;
    for (size_t i = 0; i < count; ++i)
      storages.push_back(CULPRIT_TRY(is_drawn(i) ? *std::move(made[i]) : MakeStorage(i)).storage());
    return storages;
  }

  Result<at::Tensor> MakeStorage(size_t index) const {
    const StorageSpec& spec = drawn_.storages[index];
    if (spec.bytes > kLargestStorage) {
      return Diagnostic{
          {}, fmt::format("an input of {} is larger than any memory", base::HumanBytes(spec.bytes))};
    }
    at::Tensor bytes = at::empty({spec.bytes}, at::kByte);
    if (spec.bytes == 0 || (!options_.draw && IsUnknown(spec))) return bytes;
    // Into memory of its own, since graphs write to their inputs.
    bytes.copy_(CULPRIT_TRY(MakeContents(spec.contents, spec.bytes, options_.load)));
    return bytes;
  }

  const InputSpecs& specs_;
  // With contents everywhere.
  InputSpecs drawn_;
  const MakeInputsOptions& options_;
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

}  // namespace culprit::graph::inputs
