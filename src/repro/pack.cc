// SPDX-License-Identifier: Apache-2.0
#include "repro/pack.h"

#include <ATen/ops/from_blob.h>
#include <fmt/format.h>

#include <charconv>

#include "graph/inputs/make_inputs.h"
#include "graph/tensors/tensor_copy.h"
#include "graph/text/script/script.h"
#include "repro/constant_bytes.h"
#include "repro/describe_inputs.h"
#include "repro/header/header.h"

namespace culprit::repro {
namespace {

using base::Diagnostic;
using base::Result;

/// As long as a hash, which the text form wants.
graph::StoredBytes Numbered(size_t index) {
  return {fmt::format("{:032x}", index)};
}

std::optional<size_t> NumberOf(std::string_view hash) {
  size_t index = 0;
  const auto [end, error] = std::from_chars(hash.data(), hash.data() + hash.size(), index, 16);
  if (error != std::errc() || end != hash.data() + hash.size()) return std::nullopt;
  return index;
}

std::vector<graph::StorageContents> PackConstants(const graph::Graph& graph, PackedRepro& packed) {
  std::vector<graph::StorageContents> contents;
  for (const graph::TensorConstant& constant : graph.constants()) {
    contents.emplace_back();
    if (!CanBeWritten(constant.tensor)) continue;
    const ConstantBytes bytes = BytesOfConstant(constant.tensor);
    contents.back() = Numbered(packed.storages.size());
    packed.storages.push_back({bytes.bytes, bytes.tensor.storage()});
  }
  return contents;
}

}  // namespace

Result<PackedRepro> Pack(const Repro& repro) {
  DescribedInputs described = CULPRIT_TRY(DescribeInputs(repro.graph, repro.inputs));
  PackedRepro packed;
  for (size_t i = 0; i < described.contents.size(); ++i) {
    graph::StorageSpec& storage = described.specs.storages[i];
    // Tensors of the device meta have no memory.
    if (described.contents[i].device().is_meta()) continue;
    storage.contents = Numbered(packed.storages.size());
    const auto* data = static_cast<const std::byte*>(described.contents[i].data());
    packed.storages.push_back({{data, static_cast<size_t>(storage.bytes)}, described.contents[i]});
  }
  graph::text::Script script{.graph = repro.graph, .inputs = std::move(described.specs)};
  script.constant_contents = PackConstants(repro.graph, packed);
  script.header = HeaderToJson(repro.header);
  packed.text = CULPRIT_TRY(graph::text::PrintScript(script));
  return packed;
}

Result<Repro> Unpack(std::string_view text, size_t storage_count,
                     const std::function<std::span<const std::byte>(size_t)>& storage) {
  const graph::LoadBytes load = [&](std::string_view hash, int64_t bytes) -> Result<at::Tensor> {
    const std::optional<size_t> index = NumberOf(hash);
    if (!index || *index >= storage_count)
      return Diagnostic{{}, fmt::format("there is no storage '{}'", hash)};
    const std::span<const std::byte> found = storage(*index);
    if (found.size() < static_cast<size_t>(bytes))
      return Diagnostic{{}, fmt::format("storage '{}' has {} bytes, not {}", hash, found.size(), bytes)};
    // Whoever asks promises not to write.
    return at::from_blob(const_cast<std::byte*>(found.data()), {bytes}, at::kByte);  // NOLINT
  };
  graph::text::Script script = CULPRIT_TRY(graph::text::ReadScript("request", text, {.load = load}));
  if (!script.inputs) return Diagnostic{{}, "the request does not say what its inputs are"};
  graph::inputs::MadeInputs made = CULPRIT_TRY(graph::inputs::MakeInputs(*script.inputs, {.load = load}));
  ParsedHeader header = CULPRIT_TRY(HeaderFromJson(script.header.value_or("{}")));
  return Repro{std::move(script.graph), std::move(made.values), std::move(header.header)};
}

}  // namespace culprit::repro
