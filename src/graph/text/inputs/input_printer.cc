// SPDX-License-Identifier: Apache-2.0
#include "graph/text/inputs/input_printer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graph/text/syntax/literal.h"
#include "graph/text/syntax/string_literal.h"
#include "graph/text/values/storage_expression.h"

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
  std::string text = fmt::format("reader.storage({}, {}", storage.hash ? StringToText(*storage.hash) : "None",
                                 storage.bytes);
  if (!storage.device.is_cpu() || storage.device.has_index())
    text += ", device=torch." + DeviceText(storage.device);
  if (storage.dtype_hint) text += fmt::format(", dtype_hint={}", NameOf(*storage.dtype_hint));
  text += ")";
  const bool known = !std::holds_alternative<std::monostate>(storage.contents);
  if (known) text = fmt::format("fill({}, {})", text, ContentsToText(storage.contents, storage.bytes));
  return fmt::format("    buf{} = {}\n", index, text);
}

// buf0, (2, 3), (1, 2), storage_offset=4, dtype=torch.int64
std::string Layout(const TensorSpec& tensor) {
  std::string text = fmt::format("buf{}, {}", tensor.storage, Tuple(tensor.sizes));
  if (tensor.strides != ContiguousStrides(tensor.sizes)) text += ", " + Tuple(tensor.strides);
  if (tensor.offset != 0) text += fmt::format(", storage_offset={}", tensor.offset);
  if (tensor.dtype != at::kFloat) text += fmt::format(", dtype={}", NameOf(tensor.dtype));
  return text;
}

std::string Integers(TensorSpec quantised) {
  quantised.dtype = c10::toUnderlying(quantised.dtype);
  return Layout(quantised);
}

struct InputLine {
  std::string operator()(const TensorSpec& tensor) const {
    std::string text = "reader.tensor(" + Layout(tensor);
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
    if (spec.seed) return fmt::format("put(reader, seeded({}))", static_cast<int64_t>(*spec.seed));
    const std::string index = spec.device.has_index() ? std::to_string(spec.device.index()) : "None";
    return fmt::format("reader.generator('{}', {})", c10::DeviceTypeName(spec.device.type(), true), index);
  }
  std::string operator()(const AbsentSpec& spec) const {
    const char* call = spec.reason == AbsentSpec::Reason::kConst         ? "const"
                       : spec.reason == AbsentSpec::Reason::kUnsupported ? "unsupported"
                                                                         : "opaque";
    return fmt::format("reader.{}({})", call, StringToText(spec.name));
  }
  std::string operator()(const SparseCoo& sparse) const {
    std::string text = fmt::format("sparse(reader, {}, piece({}), piece({})", Tuple(sparse.sizes),
                                   Layout(sparse.indices), Layout(sparse.values));
    if (sparse.is_coalesced) text += ", coalesced=True";
    if (sparse.requires_grad) text += ", requires_grad=True";
    if (!sparse.is_leaf) text += ", is_leaf=False";
    return text + ")";
  }
  std::string operator()(const QuantisedPerTensor& quantised) const {
    return fmt::format("quantized(reader, piece({}), {}, {})", Integers(quantised.tensor),
                       FloatToText(quantised.scale), quantised.zero_point);
  }
  std::string operator()(const QuantisedPerChannel& quantised) const {
    return fmt::format("quantized(reader, piece({}), piece({}), piece({}), axis={})",
                       Integers(quantised.tensor), Layout(quantised.scales), Layout(quantised.zero_points),
                       quantised.axis);
  }
  std::string operator()(const ConstantSpec& spec) const {
    return fmt::format("put(reader, {})", ConstantToText(spec.value));
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

}  // namespace

std::string PrintLoadArgs(const Graph& graph, const InputSpecs& specs) {
  std::string text = "\ndef load_args(reader):\n";
  StorageLines storages(specs.storages);
  for (size_t i = 0; i < specs.inputs.size(); ++i) {
    ForEachTensor(specs.inputs[i],
                  [&](const TensorSpec& tensor) { text += storages.UpTo(tensor.storage + 1); });
    text += fmt::format("    {}  # {}\n", std::visit(InputLine{}, specs.inputs[i]),
                        graph.value(graph.placeholders()[i].value).name);
  }
  text += storages.UpTo(specs.storages.size());
  if (specs.inputs.empty() && specs.storages.empty()) text += "    pass\n";
  return text + "load_args._version = 0\n";
}

}  // namespace culprit::graph::text
