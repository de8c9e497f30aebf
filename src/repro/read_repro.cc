// SPDX-License-Identifier: Apache-2.0
#include "repro/read_repro.h"

#include <memory>

#include "graph/draw_in_range.h"
#include "graph/make_inputs.h"
#include "graph/map_devices.h"
#include "graph/tensor_copy.h"
#include "graph/verify.h"
#include "store/store.h"

namespace culprit::repro {
namespace {

using base::Diagnostic;
using base::Result;

graph::LoadBytes BytesOfStore(const std::string& path) {
  Result<store::Store> opened = store::Store::Open(path);
  if (!opened.ok()) return nullptr;
  return [store = std::make_shared<store::Store>(*std::move(opened))](std::string_view hash,
                                                                      int64_t bytes) -> Result<at::Tensor> {
    const store::StoredStorage stored = CULPRIT_TRY(store->ReadStorage(std::string(hash), bytes));
    return graph::TensorOn(stored.storage, {{bytes}, {1}, 0, at::kByte});
  };
}

// What PyTorch names by hash is taken from the store like everything else, if it is there.
void UseHashes(graph::InputSpecs& specs, const graph::LoadBytes& load) {
  for (graph::StorageSpec& storage : specs.storages) {
    const bool unknown = std::holds_alternative<std::monostate>(storage.contents);
    if (unknown && storage.hash && load) storage.contents = graph::StoredBytes{*storage.hash};
  }
}

std::vector<std::string> RandomNames(const graph::text::Script& script, const graph::MadeInputs& made) {
  std::vector<std::string> names;
  for (const size_t index : made.random)
    names.push_back(script.graph.value(script.graph.placeholders()[index].value).name);
  names.insert(names.end(), script.random_constants.begin(), script.random_constants.end());
  return names;
}

}  // namespace

Result<ReadRepro> OpenRepro(const std::string& path, std::string_view text, const ReadOptions& options) {
  ReadRepro read;
  read.load = BytesOfStore(options.store.empty() ? StorePathOf(path) : options.store);
  const graph::text::ReadOptions script_options{
      .which = options.which, .for_cpu = options.device && options.device->is_cpu(), .load = read.load};
  read.script = CULPRIT_TRY(graph::text::ReadScript(path, text, script_options));
  CULPRIT_TRY(graph::Verify(read.script.graph));
  read.warnings = std::move(read.script.warnings);
  if (options.device) {
    read.script.graph = graph::MapDevices(read.script.graph, *options.device);
    if (read.script.inputs) read.script.inputs = graph::MapDevices(*read.script.inputs, *options.device);
  }
  if (!read.script.header) return read;
  Result<ParsedHeader> parsed = HeaderFromJson(*read.script.header);
  if (!parsed.ok()) return Diagnostic{{path}, parsed.error().message};
  read.header = std::move(parsed->header);
  for (std::string& warning : parsed->warnings) read.warnings.push_back({{path}, std::move(warning)});
  return read;
}

Result<LoadedRepro> LoadRepro(ReadRepro read, const ReadOptions& options) {
  graph::InputSpecs specs = read.script.inputs.value_or(graph::InputSpecs{});
  UseHashes(specs, read.load);
  const graph::MakeInputsOptions make{.seed = options.seed.value_or(read.header.run.seed), .load = read.load};
  graph::MadeInputs made = CULPRIT_TRY(graph::MakeInputs(specs, make));
  LoadedRepro loaded;
  loaded.random = RandomNames(read.script, made);
  const bool guess = !made.random.empty() && !graph::NonCpuDevice(read.script.graph);
  if (guess &&
      graph::DrawInRanges(specs, graph::FindInputRanges(read.script.graph, made.values), make.seed + 1))
    made = CULPRIT_TRY(graph::MakeInputs(specs, make));
  loaded.repro = {std::move(read.script.graph), std::move(made.values), std::move(read.header)};
  return loaded;
}

}  // namespace culprit::repro
