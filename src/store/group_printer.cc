// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "store/content_hash.h"
#include "store/group_text.h"

namespace culprit::store {
namespace {

using graph::TensorSpec;

struct Flag {
  bool is_set = false;
  const char* name = nullptr;
};

std::string PrintFlags(std::initializer_list<Flag> flags) {
  std::vector<std::string_view> names;
  for (const Flag& flag : flags) {
    if (flag.is_set) names.emplace_back(flag.name);
  }
  return fmt::format("flags={}", fmt::join(names, ","));
}

class Printer {
 public:
  void operator()(const TensorSpec& tensor) { PrintTensor("plain", tensor); }

  void operator()(const graph::QuantisedPerTensor& record) {
    text_ += fmt::format("per_tensor scale={} zero_point={}\n", record.scale, record.zero_point);
    PrintTensor("part", record.tensor);
  }

  void operator()(const graph::QuantisedPerChannel& record) {
    text_ += fmt::format("per_channel axis={}\n", record.axis);
    for (const TensorSpec* part : {&record.tensor, &record.scales, &record.zero_points}) {
      PrintTensor("part", *part);
    }
  }

  void operator()(const graph::SparseCoo& record) {
    text_ += fmt::format("sparse sizes={} {}\n", fmt::join(record.sizes, ","),
                         PrintFlags({{record.is_coalesced, "coalesced"},
                                     {record.requires_grad, "requires_grad"},
                                     {record.is_leaf, "leaf"}}));
    for (const TensorSpec* part : {&record.indices, &record.values}) PrintTensor("part", *part);
  }

  void PrintStorage(const graph::StorageSpec& storage) {
    text_ += fmt::format("storage {} {} {} {}\n", storage.hash.value_or("-"), storage.bytes,
                         storage.device.str(), storage.dtype_hint ? c10::toString(*storage.dtype_hint) : "-");
  }

  std::string& text() { return text_; }

 private:
  void PrintTensor(std::string_view word, const TensorSpec& tensor) {
    text_ += fmt::format("{} {} storage={} offset={} sizes={} strides={} {}\n", word,
                         c10::toString(tensor.dtype), tensor.storage, tensor.offset,
                         fmt::join(tensor.sizes, ","), fmt::join(tensor.strides, ","),
                         PrintFlags({{tensor.requires_grad, "requires_grad"},
                                     {tensor.is_leaf, "leaf"},
                                     {tensor.is_conjugated, "conjugated"},
                                     {tensor.is_negated, "negated"}}));
  }

  std::string text_ = "culprit tensors 1\n";
};

}  // namespace

std::string PrintGroup(const graph::TensorGroup& group) {
  Printer printer;
  for (const graph::StorageSpec& storage : group.storages) printer.PrintStorage(storage);
  for (const graph::TensorRecord& record : group.tensors)
    std::visit([&](const auto& part) { printer(part); }, record);
  std::string& text = printer.text();
  text += fmt::format("end {}\n", ContentHash::Of(std::as_bytes(std::span(text))).ToString());
  return std::move(text);
}

}  // namespace culprit::store
