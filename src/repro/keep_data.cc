// SPDX-License-Identifier: Apache-2.0
#include "repro/keep_data.h"

#include <algorithm>

#include "graph/hoist_random.h"
#include "graph/tensor_copy.h"
#include "repro/choose_contents.h"
#include "repro/describe_inputs.h"
#include "store/file_contents.h"

namespace culprit::repro {
namespace {

using base::Done;
using base::Result;
using base::Status;

class DataKeeper {
 public:
  DataKeeper(const Repro& repro, const WriteOptions& options, const std::string& store_path)
      : repro_(repro), options_(options), chooser_(options_, store_path) {}

  Result<KeptData> Run() {
    CULPRIT_TRY(KeepInputs());
    CULPRIT_TRY(KeepConstants());
    kept_.header = repro_.header;
    for (const std::string& name : repro_.header.random) {
      if (std::find(kept_.random.begin(), kept_.random.end(), name) == kept_.random.end())
        kept_.random.push_back(name);
    }
    kept_.header.random = kept_.random;
    const auto& nodes = repro_.graph.nodes();
    if (std::none_of(nodes.begin(), nodes.end(), graph::DrawsRandomNumbers)) {
      kept_.header.run.seed = 0;
      kept_.header.run.generator_state.clear();
    }
    if (options_.stable_output) {
      kept_.header.written_by.reset();
      kept_.header.run.threads.reset();
      kept_.header.run.interop_threads.reset();
    }
    return std::move(kept_);
  }

 private:
  Status KeepInputs() {
    DescribedInputs inputs = CULPRIT_TRY(DescribeInputs(repro_.graph, repro_.inputs));
    kept_.inputs = std::move(inputs.specs);
    graph::InputSpecs& specs = kept_.inputs;
    // Only numbers that are drawn need to be in range.
    std::vector<std::optional<graph::InputRange>> ranges(specs.storages.size());
    if (options_.data == WriteOptions::Data::kSeed) ranges = RangesByStorage(repro_, specs);
    std::vector<bool> lost(specs.storages.size(), options_.data == WriteOptions::Data::kNone);
    for (size_t i = 0; i < specs.storages.size() && options_.data != WriteOptions::Data::kNone; ++i) {
      graph::StorageSpec& storage = specs.storages[i];
      if (storage.bytes == 0) continue;
      const auto bytes = store::BytesOf(inputs.contents[i]).first(static_cast<size_t>(storage.bytes));
      storage.contents = CULPRIT_TRY(chooser_.Choose(bytes, ElementTypeOf(specs, i), ranges[i]));
      storage.dtype_hint.reset();
      lost[i] = chooser_.is_random();
    }
    for (size_t i = 0; i < specs.inputs.size(); ++i) {
      bool random = false;
      graph::ForEachTensor(specs.inputs[i], [&](const graph::TensorSpec& tensor) {
        random = random || (lost[tensor.storage] && specs.storages[tensor.storage].bytes > 0);
      });
      if (random) kept_.random.push_back(NameOf(repro_.graph.placeholders()[i].value));
    }
    return Done{};
  }

  Status KeepConstants() {
    for (const graph::TensorConstant& constant : repro_.graph.constants()) {
      graph::StorageContents& contents = kept_.constants.emplace_back();
      const bool plain = graph::IsPlain(constant.tensor) && constant.tensor.device().is_cpu();
      if (!plain || constant.tensor.numel() <= options_.inline_elements) continue;
      // What a text holds of a constant: from its first to its last element, without lazy bits.
      const at::Tensor tensor = constant.tensor.detach().resolve_conj().resolve_neg();
      const graph::Geometry geometry = graph::Geometry::Of(tensor);
      const at::ScalarType dtype =
          tensor.is_complex() ? c10::toRealValueType(tensor.scalar_type()) : tensor.scalar_type();
      const size_t first = geometry.offset * tensor.element_size();
      const auto bytes =
          store::BytesOf(tensor.storage()).subspan(first, graph::ReachedBytes(geometry) - first);
      contents = CULPRIT_TRY(chooser_.Choose(bytes, dtype));
      if (chooser_.is_random()) kept_.random.push_back(NameOf(constant.value));
    }
    return Done{};
  }

  const std::string& NameOf(graph::ValueId id) const { return repro_.graph.value(id).name; }

  const Repro& repro_;
  const WriteOptions& options_;
  ContentsChooser chooser_;
  KeptData kept_;
};

}  // namespace

Result<KeptData> KeepData(const Repro& repro, const WriteOptions& options, const std::string& store_path) {
  return DataKeeper(repro, options, store_path).Run();
}

std::vector<std::optional<graph::InputRange>> RangesByStorage(const Repro& repro,
                                                              const graph::InputSpecs& specs) {
  std::vector<std::optional<graph::InputRange>> by_storage(specs.storages.size());
  const auto ranges = graph::FindInputRanges(repro.graph, repro.inputs);
  for (size_t i = 0; i < ranges.size(); ++i) {
    if (const auto* tensor = std::get_if<graph::TensorSpec>(&specs.inputs[i]))
      by_storage[tensor->storage] = ranges[i];
  }
  return by_storage;
}

}  // namespace culprit::repro
