// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graph/text/literal.h"
#include "graph/text/script.h"
#include "graph/text/string_literal.h"

namespace culprit::graph::text {
namespace {

std::string Tuple(const std::vector<int64_t>& values) {
  return fmt::format("({}{})", fmt::join(values, ", "), values.size() == 1 ? "," : "");
}

std::string DeviceText(at::Device device) {
  if (device.has_index())
    return fmt::format("device(type='{}', index={})", c10::DeviceTypeName(device.type(), true),
                       int(device.index()));
  return fmt::format("device(type='{}')", c10::DeviceTypeName(device.type(), true));
}

std::string StorageLine(size_t index, const StorageSpec& storage) {
  std::string text = fmt::format("    buf{} = reader.storage({}, {}", index,
                                 storage.hash ? StringToText(*storage.hash) : "None", storage.bytes);
  if (!storage.device.is_cpu() || storage.device.has_index())
    text += ", device=torch." + DeviceText(storage.device);
  if (storage.dtype_hint) text += fmt::format(", dtype_hint={}", NameOf(*storage.dtype_hint));
  return text + ")\n";
}

struct InputLine {
  std::string operator()(const TensorSpec& tensor) const {
    std::string text = fmt::format("reader.tensor(buf{}, {}", tensor.storage, Tuple(tensor.sizes));
    if (tensor.strides != ContiguousStrides(tensor.sizes)) text += ", " + Tuple(tensor.strides);
    if (tensor.offset != 0) text += fmt::format(", storage_offset={}", tensor.offset);
    if (tensor.dtype != at::kFloat) text += fmt::format(", dtype={}", NameOf(tensor.dtype));
    if (tensor.requires_grad) text += ", requires_grad=True";
    if (tensor.is_conjugated) text += ", conj=True";
    if (tensor.is_negated) text += ", neg=True";
    if (tensor.is_leaf) text += ", is_leaf=True";
    return text + ")";
  }
  std::string operator()(const IntSpec& spec) const {
    if (spec.expression.empty()) return fmt::format("reader.symint({})", spec.value);
    return fmt::format("reader.symint({}, expr={})", spec.value, StringToText(spec.expression));
  }
  std::string operator()(const GeneratorSpec& spec) const {
    const std::string index = spec.device.has_index() ? std::to_string(spec.device.index()) : "None";
    return fmt::format("reader.generator('{}', {})", c10::DeviceTypeName(spec.device.type(), true), index);
  }
  std::string operator()(const AbsentSpec& spec) const {
    const char* call = spec.reason == AbsentSpec::Reason::kConst         ? "const"
                       : spec.reason == AbsentSpec::Reason::kUnsupported ? "unsupported"
                                                                         : "opaque";
    return fmt::format("reader.{}({})", call, StringToText(spec.name));
  }
};

class StorageLines {
 public:
  explicit StorageLines(const std::vector<StorageSpec>& storages) : storages_(storages) {}

  // Those below `end` that are not written yet: all of them, so that their numbers stay what they are.
  std::string UpTo(size_t end) {
    std::string text;
    for (; written_ < end; ++written_) text += StorageLine(written_, storages_[written_]);
    return text;
  }

 private:
  const std::vector<StorageSpec>& storages_;
  size_t written_ = 0;
};

std::string LoadArgs(const Graph& graph, const InputSpecs& specs) {
  std::string text = "\ndef load_args(reader):\n";
  StorageLines storages(specs.storages);
  for (size_t i = 0; i < specs.inputs.size(); ++i) {
    if (const auto* tensor = std::get_if<TensorSpec>(&specs.inputs[i]))
      text += storages.UpTo(tensor->storage + 1);
    text += fmt::format("    {}  # {}\n", std::visit(InputLine{}, specs.inputs[i]),
                        graph.value(graph.placeholders()[i].value).name);
  }
  text += storages.UpTo(specs.storages.size());
  if (specs.inputs.empty() && specs.storages.empty()) text += "    pass\n";
  return text + "load_args._version = 0\n";
}

}  // namespace

base::Result<std::string> PrintScript(const Script& script) {
  std::string text = "import math\n\nimport torch\n\n\n" + CULPRIT_TRY(PrintGraph(script.graph)) + "\n";
  if (script.inputs) text += LoadArgs(script.graph, *script.inputs);
  return text + "\nmod = Repro()\n";
}

}  // namespace culprit::graph::text
