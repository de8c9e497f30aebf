// SPDX-License-Identifier: Apache-2.0
#include "repro/write_repro.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "graph/hoist_random.h"
#include "graph/input_ranges.h"
#include "graph/tensor_copy.h"
#include "graph/text/script.h"
#include "repro/choose_contents.h"
#include "repro/describe_inputs.h"
#include "repro/python_text.h"
#include "store/file_contents.h"
#include "store/temporary_file.h"

namespace culprit::repro {
namespace {

using base::Diagnostic;
using base::Done;
using base::Result;
using base::Status;
using graph::text::Script;

class ReproWriter {
 public:
  ReproWriter(const std::string& path, const Repro& repro, const WriteOptions& options)
      : path_(path), repro_(repro), options_(options), chooser_(options_, StorePathOf(path)) {
    script_.graph = repro.graph;
  }

  Result<WrittenRepro> Run() {
    CULPRIT_TRY(FillInputs());
    CULPRIT_TRY(FillConstants());
    Header header = repro_.header;
    header.random = random_;
    const auto& nodes = repro_.graph.nodes();
    if (std::none_of(nodes.begin(), nodes.end(), graph::DrawsRandomNumbers)) {
      header.run.seed = 0;
      header.run.generator_state.clear();
    }
    if (options_.stable_output) {
      header.written_by.reset();
      header.run.threads.reset();
      header.run.interop_threads.reset();
    }
    script_.header = "\n" + HeaderToJson(header);
    graph::text::ScriptFrame frame{.opening = Opening(), .main = std::string(PythonMain())};
    frame.definitions = PythonDefinitions(CULPRIT_TRY(PrintScript(script_, frame)));
    return WrittenRepro{CULPRIT_TRY(PrintScript(script_, frame)), random_};
  }

 private:
  Status FillInputs() {
    DescribedInputs inputs = CULPRIT_TRY(DescribeInputs(repro_.graph, repro_.inputs));
    script_.inputs = std::move(inputs.specs);
    graph::InputSpecs& specs = *script_.inputs;
    const std::vector<std::optional<graph::InputRange>> ranges = RangesByStorage();
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
      if (random) random_.push_back(NameOf(repro_.graph.placeholders()[i].value));
    }
    return Done{};
  }

  // Only numbers that are drawn need to be in range.
  std::vector<std::optional<graph::InputRange>> RangesByStorage() const {
    std::vector<std::optional<graph::InputRange>> by_storage(script_.inputs->storages.size());
    if (options_.data != WriteOptions::Data::kSeed) return by_storage;
    const auto ranges = graph::FindInputRanges(repro_.graph, repro_.inputs);
    for (size_t i = 0; i < ranges.size(); ++i) {
      if (const auto* tensor = std::get_if<graph::TensorSpec>(&script_.inputs->inputs[i]))
        by_storage[tensor->storage] = ranges[i];
    }
    return by_storage;
  }

  Status FillConstants() {
    for (const graph::TensorConstant& constant : repro_.graph.constants()) {
      graph::StorageContents& contents = script_.constant_contents.emplace_back();
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
      if (chooser_.is_random()) random_.push_back(NameOf(constant.value));
    }
    return Done{};
  }

  const std::string& NameOf(graph::ValueId id) const { return repro_.graph.value(id).name; }

  std::string Opening() const {
    const std::string file = std::filesystem::path(path_).filename();
    std::string text = fmt::format(
        "# A repro written by Culprit. Run it with one of\n#\n#   culprit run {}\n#   python3 {}\n", file,
        file);
    if (!random_.empty()) {
      text += fmt::format("#\n# The data of these was not kept; they hold random numbers: {}\n",
                          fmt::join(random_, ", "));
    }
    return text + "import json\nimport os\n";
  }

  std::string path_;
  const Repro& repro_;
  const WriteOptions& options_;
  ContentsChooser chooser_;
  Script script_;
  std::vector<std::string> random_;
};

Status WriteText(const std::string& path, const std::string& text) {
  const std::filesystem::path file(path);
  const std::string folder_path = file.has_parent_path() ? file.parent_path().string() : ".";
  const store::Folder folder = CULPRIT_TRY(store::Folder::Create(folder_path));
  store::TemporaryFile temporary =
      CULPRIT_TRY(store::TemporaryFile::Create(folder, store::TemporaryFile::Kind::kNamed));
  CULPRIT_TRY(temporary.Write(std::as_bytes(std::span(text)), path));
  CULPRIT_TRY(std::move(temporary).PublishOver(file.filename()));
  // Unlike data, a script is there to be edited.
  std::error_code ignored;
  std::filesystem::permissions(file, std::filesystem::perms::owner_write, std::filesystem::perm_options::add,
                               ignored);
  return Done{};
}

}  // namespace

std::string StorePathOf(const std::string& path) {
  return std::filesystem::path(path).parent_path() / "store";
}

Result<WrittenRepro> WriteRepro(const std::string& path, const Repro& repro, const WriteOptions& options) {
  Result<WrittenRepro> written = ReproWriter(path, repro, options).Run();
  if (!written.ok()) {
    CULPRIT_TRY(WriteText(path, fmt::format("# There is no repro: {}.\n", written.error().message)));
    return written;
  }
  CULPRIT_TRY(WriteText(path, written->text));
  return written;
}

}  // namespace culprit::repro
