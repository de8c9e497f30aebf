// SPDX-License-Identifier: Apache-2.0
#include "repro/read_repro.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "graph/inputs/draw_in_range.h"
#include "graph/inputs/draw_inputs.h"
#include "graph/ir/verify.h"
#include "graph/passes/map_devices.h"
#include "graph/tensors/tensor_copy.h"
#include "repro/header/torch_run.h"
#include "repro/symbols_by_size.h"

namespace culprit::repro {
namespace {

using base::Diagnostic;
using base::Result;

// Every failure says which folder was looked into, and how to name another.
Diagnostic WithAdvice(Diagnostic error) {
  error.help = "put the folder with the data there, or name another with: --store DIR";
  return error;
}

graph::LoadBytes BytesOf(const Result<std::shared_ptr<const store::Store>>& store) {
  if (!store.ok()) {
    return [error = WithAdvice(store.error())](std::string_view /*hash*/,
                                               int64_t /*bytes*/) -> Result<at::Tensor> { return error; };
  }
  return [store = *store](std::string_view hash, int64_t bytes) -> Result<at::Tensor> {
    Result<store::StoredStorage> stored = store->ReadStorage(std::string(hash), bytes);
    if (!stored.ok()) return WithAdvice(std::move(stored).error());
    return graph::TensorOn(stored->storage, {{bytes}, {1}, 0, at::kByte});
  };
}

Result<std::shared_ptr<const store::Store>> OpenStore(const std::string& path) {
  return std::make_shared<const store::Store>(CULPRIT_TRY(store::Store::Open(path)));
}

// What PyTorch names by hash is taken from the store like everything else, if it is there. A folder that was
// named has to have it; the one beside the file may be another's.
void UseHashes(graph::InputSpecs& specs, const ReadRepro& read) {
  for (graph::StorageSpec& storage : specs.storages) {
    if (!graph::inputs::IsUnknown(storage) || !storage.hash || !read.store) continue;
    if (read.store_was_named || read.store->HasStorage(*storage.hash))
      storage.contents = graph::StoredBytes{*storage.hash};
  }
}

// What a file without a header says about its run by whom it was written.
Header HeaderFor(std::string_view text, const std::optional<TorchRun>& run) {
  Header header;
  if (!run) return header;
  header.backend = run->backend;
  header.accuracy = run->accuracy;
  if (!run->check_text.empty()) header.settings[kCheckTextSetting] = run->check_text;
  // PyTorch runs what it writes after AOT without gradients: the backward pass is a graph of its own, whose
  // operators often have no derivative, although its inputs say that they require gradients.
  header.run.grad = text.find("with torch.no_grad():") == std::string_view::npos;
  // AOTAutograd makes views of inputs itself, outside of the graph, and what it saves nobody else sees.
  header.compare.compare_aliasing = false;
  return header;
}

// PyTorch names the folder that it has saved the data in, which may have moved with the file.
std::string StoreFor(const std::string& path, const std::optional<TorchRun>& run) {
  namespace fs = std::filesystem;
  if (!run || run->save_dir.empty()) return StorePathOf(path);
  const fs::path beside = fs::path(path).parent_path() / fs::path(run->save_dir).filename();
  for (const fs::path& folder : {fs::path(run->save_dir), beside}) {
    std::error_code ignored;
    if (fs::is_directory(folder / "storages", ignored)) return folder;
  }
  return StorePathOf(path);
}

// A header says which constants have lost their data; numbers from a seed may also be what they always held.
std::vector<std::string> RandomNames(const ReadRepro& read, const graph::inputs::MadeInputs& made) {
  const graph::text::Script& script = read.script;
  std::vector<std::string> names;
  for (const size_t index : made.random)
    names.push_back(script.graph.value(script.graph.placeholders()[index].value).name);
  const std::vector<std::string>& lost = read.header.random;
  for (const std::string& name : script.random_constants) {
    if (!script.header || std::find(lost.begin(), lost.end(), name) != lost.end()) names.push_back(name);
  }
  return names;
}

}  // namespace

Result<ReadRepro> OpenRepro(const std::string& path, std::string_view text, const ReadOptions& options) {
  ReadRepro read;
  read.store_was_named = !options.store.empty();
  std::optional<TorchRun> run = ReadTorchRun(path, text, options.trust);
  const auto store = OpenStore(read.store_was_named ? options.store : StoreFor(path, run));
  if (store.ok()) read.store = *store;
  if (!store.ok() && read.store_was_named) return store.error();
  read.load = BytesOf(store);
  const graph::text::ReadOptions script_options{
      .which = options.which, .for_cpu = options.device && options.device->is_cpu(), .load = read.load};
  read.script = CULPRIT_TRY(graph::text::ReadScript(path, text, script_options));
  CULPRIT_TRY(graph::Verify(read.script.graph));
  read.warnings = std::move(read.script.warnings);
  if (options.device) {
    read.script.graph = graph::MapDevices(read.script.graph, *options.device);
    if (read.script.inputs) read.script.inputs = graph::MapDevices(*read.script.inputs, *options.device);
  }
  if (!read.script.header) {
    read.header = HeaderFor(text, run);
    if (!run) return read;
    std::ranges::move(run->warnings, std::back_inserter(read.warnings));
    if (run->has_symbols && read.script.inputs) SetSymbolsBySize(read.script.graph, *read.script.inputs);
    return read;
  }
  Result<ParsedHeader> parsed = HeaderFromJson(*read.script.header);
  if (!parsed.ok()) return Diagnostic{{path}, parsed.error().message};
  read.header = std::move(parsed->header);
  for (std::string& warning : parsed->warnings) read.warnings.push_back({{path}, std::move(warning)});
  return read;
}

Result<LoadedRepro> LoadRepro(ReadRepro read, const ReadOptions& options) {
  if (!read.script.missing_constants.empty()) {
    const graph::text::MissingConstant& missing = read.script.missing_constants.front();
    Diagnostic error = missing.reason;
    error.message = fmt::format("constant '{}': {}", missing.name, error.message);
    return error;
  }
  graph::InputSpecs specs = read.script.inputs.value_or(graph::InputSpecs{});
  UseHashes(specs, read);
  graph::inputs::MadeInputs made = CULPRIT_TRY(graph::inputs::DrawInputs(
      read.script.graph, specs, {.seed = options.seed.value_or(read.header.run.seed), .load = read.load}));
  LoadedRepro loaded;
  loaded.random = RandomNames(read, made);
  loaded.repro = {std::move(read.script.graph), std::move(made.values), std::move(read.header)};
  return loaded;
}

}  // namespace culprit::repro
