// SPDX-License-Identifier: Apache-2.0
#include "backends/server/outputs_in.h"

#include <c10/core/CPUAllocator.h>
#include <fmt/format.h>

#include "graph/tensors/rebuild_tensors.h"
#include "graph/text/syntax/literal.h"

namespace culprit::backends::server {
namespace {

using base::Result;
using graph::TensorGroup;
using nlohmann::json;

base::Diagnostic NotAnAnswer(std::string what) {
  return {{}, fmt::format("the server's answer is no answer: {}", what)};
}

/// Over a part of received memory, which lives as long as the storage.
Result<c10::Storage> StorageIn(const ServerMessage& answer, const json& place) {
  const size_t index = place.at(0), offset = place.at(1), bytes = place.at(2);
  if (bytes == 0) return c10::Storage(c10::Storage::use_byte_size_t(), 0, c10::GetCPUAllocator(), false);
  if (index >= answer.memory.size()) return NotAnAnswer("a storage without memory");
  const std::shared_ptr<isolate::SharedMemory>& memory = answer.memory[index];
  if (offset > memory->size() || bytes > memory->size() - offset)
    return NotAnAnswer("a storage outside of its memory");
  auto* keeper = new std::shared_ptr<isolate::SharedMemory>(memory);
  c10::DataPtr data(
      memory->data() + offset, keeper,
      [](void* kept) { delete static_cast<std::shared_ptr<isolate::SharedMemory>*>(kept); }, at::kCPU);
  return c10::Storage(c10::Storage::use_byte_size_t(), bytes, std::move(data), nullptr, false);
}

Result<graph::TensorSpec> SpecOf(const json& output, size_t storages) {
  graph::TensorSpec spec{.storage = output.at("storage"),
                         .sizes = output.at("sizes"),
                         .strides = output.at("strides"),
                         .offset = output.at("offset"),
                         .is_leaf = true,
                         .is_conjugated = output.value("conjugated", false),
                         .is_negated = output.value("negated", false)};
  const auto dtype = graph::text::DtypeFromName("torch." + output.at("dtype").get<std::string>());
  if (!dtype || spec.storage >= storages) return NotAnAnswer("a tensor of no dtype or storage");
  spec.dtype = *dtype;
  return spec;
}

Result<c10::IValue> PlainOutput(const json& output) {
  if (output.is_null()) return c10::IValue();
  if (output.is_boolean()) return c10::IValue(output.get<bool>());
  if (output.is_number_integer()) return c10::IValue(output.get<int64_t>());
  if (output.is_object() && output.contains("float")) {
    const std::string text = output.at("float");
    return c10::IValue(std::strtod(text.c_str(), nullptr));
  }
  return NotAnAnswer("an output that is no tensor and no number");
}

Result<std::vector<c10::IValue>> Read(const ServerMessage& answer, std::vector<c10::Storage> storages) {
  for (const json& place : answer.content.at("storages"))
    storages.push_back(CULPRIT_TRY(StorageIn(answer, place)));
  TensorGroup group;
  for (const c10::Storage& storage : storages)
    group.storages.push_back({.bytes = static_cast<int64_t>(storage.nbytes())});
  std::vector<c10::IValue> outputs;
  std::vector<size_t> tensors;
  for (const json& output : answer.content.at("outputs")) {
    if (output.is_object() && output.contains("storage")) {
      group.tensors.emplace_back(CULPRIT_TRY(SpecOf(output, storages.size())));
      tensors.push_back(outputs.size());
      outputs.emplace_back();
    } else {
      outputs.push_back(CULPRIT_TRY(PlainOutput(output)));
    }
  }
  CULPRIT_TRY(graph::CheckGroup(group));
  const std::vector<at::Tensor> rebuilt = CULPRIT_TRY(graph::RebuildTensors(group, storages));
  for (size_t i = 0; i < tensors.size(); ++i) outputs[tensors[i]] = rebuilt[i];
  return outputs;
}

}  // namespace

Result<std::vector<c10::IValue>> ReadOutputs(const ServerMessage& answer,
                                             const std::vector<c10::Storage>& inputs) {
  try {
    return Read(answer, inputs);
  } catch (const json::exception& error) {
    return NotAnAnswer(error.what());
  }
}

}  // namespace culprit::backends::server
