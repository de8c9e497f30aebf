// SPDX-License-Identifier: Apache-2.0
#include "repro/keep_data.h"

#include <algorithm>

#include "graph/inputs/draw_in_range.h"
#include "graph/inputs/find_ranges.h"
#include "graph/passes/hoist_random.h"
#include "graph/passes/map_devices.h"
#include "repro/choose_contents.h"
#include "repro/constant_bytes.h"
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
    DrawLost();
    kept_.header = repro_.header;
    for (const std::string& name : repro_.header.random) {
      if (std::find(kept_.random.begin(), kept_.random.end(), name) == kept_.random.end())
        kept_.random.push_back(name);
    }
    kept_.header.random = kept_.random;
    const auto& nodes = repro_.graph.nodes();
    if (std::none_of(nodes.begin(), nodes.end(), graph::DrawsRandomNumbers))
      kept_.header.run.generator_state.clear();
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
    for (size_t i = 0; i < specs.storages.size(); ++i) {
      graph::StorageSpec& storage = specs.storages[i];
      storage.dtype_hint.reset();
      if (storage.bytes == 0) continue;
      const auto bytes = store::BytesOf(inputs.contents[i]).first(static_cast<size_t>(storage.bytes));
      storage.contents = CULPRIT_TRY(chooser_.Choose(bytes, graph::ElementTypeOf(specs, i)));
    }
    for (size_t i = 0; i < specs.inputs.size(); ++i) {
      bool random = false;
      graph::ForEachTensor(specs.inputs[i], [&](const graph::TensorSpec& tensor) {
        random = random || graph::inputs::IsUnknown(specs.storages[tensor.storage]);
      });
      if (random) kept_.random.push_back(NameOf(repro_.graph.placeholders()[i].value));
    }
    return Done{};
  }

  Status KeepConstants() {
    const auto& constants = repro_.graph.constants();
    kept_.constants.resize(constants.size());
    for (size_t i = 0; i < constants.size(); ++i) {
      // What cannot be written is refused by whoever writes it.
      if (!CanBeWritten(constants[i].tensor) || constants[i].tensor.numel() == 0) continue;
      const ConstantBytes constant = BytesOfConstant(constants[i].tensor);
      const graph::StorageContents contents = CULPRIT_TRY(chooser_.Choose(constant.bytes, constant.dtype));
      const bool is_named = std::holds_alternative<graph::StoredBytes>(contents) ||
                            std::holds_alternative<graph::SeededNumbers>(contents);
      if (is_named) kept_.constants[i] = contents;
      if (std::holds_alternative<std::monostate>(contents)) lost_constants_.push_back(i);
    }
    for (const size_t i : lost_constants_) kept_.random.push_back(NameOf(constants[i].value));
    return Done{};
  }

  // Numbers in place of those that were not kept, as the operators want them.
  void DrawLost() {
    if (kept_.random.empty()) return;
    graph::inputs::FoundRanges ranges;
    if (!graph::NonCpuDevice(repro_.graph)) ranges = graph::inputs::FindRanges(repro_.graph, repro_.inputs);
    const uint64_t seed = repro_.header.run.seed;
    graph::inputs::DrawUnknown(kept_.inputs, ranges.inputs, seed);
    ranges.constants.resize(repro_.graph.constants().size());
    for (const size_t i : lost_constants_) {
      const ConstantBytes constant = BytesOfConstant(repro_.graph.constants()[i].tensor);
      const auto count = static_cast<int64_t>(constant.bytes.size() / c10::elementSize(constant.dtype));
      kept_.constants[i] = graph::inputs::DrawInRange(ranges.constants[i], constant.dtype, count,
                                                      seed + 1 + kept_.inputs.storages.size() + i);
    }
  }

  const std::string& NameOf(graph::ValueId id) const { return repro_.graph.value(id).name; }

  const Repro& repro_;
  const WriteOptions& options_;
  ContentsChooser chooser_;
  KeptData kept_;
  // Indices of constants whose bytes are not kept.
  std::vector<size_t> lost_constants_;
};

}  // namespace

Result<KeptData> KeepData(const Repro& repro, const WriteOptions& options, const std::string& store_path) {
  return DataKeeper(repro, options, store_path).Run();
}

}  // namespace culprit::repro
