// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/value_text.h"

#include <ATen/core/Dict.h>
#include <ATen/core/Formatting.h>
#include <ATen/core/List.h>
#include <ATen/core/class_type.h>
#include <ATen/core/jit_type.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <sstream>

#include "graph/tensors/tensor_copy.h"

namespace culprit::tests {
namespace {

using c10::IValue;

std::string Elements(const at::Tensor& tensor) {
  constexpr int64_t kShown = 8;
  const at::Tensor flat = tensor.detach().resolve_conj().resolve_neg().contiguous().view(-1);
  std::string text;
  for (int64_t i = 0; i < std::min(kShown, flat.numel()); ++i) {
    std::ostringstream element;
    element << flat[i].item();
    text += " " + element.str();
  }
  const std::string_view bytes(static_cast<const char*>(flat.data_ptr()), flat.nbytes());
  return fmt::format("{} #{:016x}", text, std::hash<std::string_view>()(bytes));
}

std::string Plain(const IValue& value) {
  if (value.isDouble())
    return fmt::format("{} ({:016x})", value.toDouble(), std::bit_cast<uint64_t>(value.toDouble()));
  if (value.isString()) return fmt::format("'{}'", value.toStringRef());
  std::ostringstream stream;
  stream << value;
  return stream.str();
}

}  // namespace

size_t ValueText::NumberOf(const IValue& container) {
  const auto found = std::find_if(containers_.begin(), containers_.end(),
                                  [&](const IValue& known) { return known.is(container); });
  if (found != containers_.end()) return found - containers_.begin();
  containers_.push_back(container);
  return containers_.size() - 1;
}

size_t ValueText::NumberOf(const c10::Storage& storage) {
  const auto found = std::find_if(storages_.begin(), storages_.end(), [&](const c10::Storage& known) {
    return known.unsafeGetStorageImpl() == storage.unsafeGetStorageImpl();
  });
  if (found != storages_.end()) return found - storages_.begin();
  storages_.push_back(storage);
  return storages_.size() - 1;
}

std::string ValueText::OfTensor(const at::Tensor& tensor) {
  if (!tensor.defined()) return "undefined tensor";
  if (!graph::IsPlain(tensor)) return Plain(tensor);
  return fmt::format(
      "{}[{}] strides {} on memory {}+{}{}{}{}{} ={}", c10::toString(tensor.scalar_type()),
      fmt::join(tensor.sizes(), ","), fmt::join(tensor.strides(), ","), NumberOf(tensor.storage()),
      tensor.storage_offset(), tensor.requires_grad() ? " requires_grad" : "",
      tensor.requires_grad() && !tensor.is_leaf() ? " computed" : "", tensor.is_conj() ? " conjugated" : "",
      tensor.is_neg() ? " negated" : "", Elements(tensor));
}

std::string ValueText::Contents(const IValue& value) {
  std::vector<std::string> parts;
  if (value.isList()) {
    for (const IValue& element : value.toListRef()) parts.push_back(Of(element));
    return fmt::format("[{}]", fmt::join(parts, ", "));
  }
  if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict())
      parts.push_back(fmt::format("{}: {}", Of(entry.key()), Of(entry.value())));
    return fmt::format("{{{}}}", fmt::join(parts, ", "));
  }
  const auto& object = value.toObjectRef();
  for (size_t i = 0; i < object.type()->numAttributes(); ++i)
    parts.push_back(fmt::format("{} = {}", object.type()->getAttributeName(i), Of(object.getSlot(i))));
  return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

std::string ValueText::OfContainer(const IValue& value) {
  const size_t number = NumberOf(value);
  const std::string name = fmt::format("{} {}", value.type()->annotation_str(), number);
  if (std::find(shown_.begin(), shown_.end(), number) != shown_.end()) return name;
  shown_.push_back(number);
  return fmt::format("{} {}", name, Contents(value));
}

std::string ValueText::Of(const IValue& value) {
  if (value.isTensor()) return OfTensor(value.toTensor());
  if (value.isList() || value.isGenericDict() || value.isObject()) return OfContainer(value);
  if (!value.isTuple()) return Plain(value);
  std::vector<std::string> parts;
  for (const IValue& element : value.toTupleRef().elements()) parts.push_back(Of(element));
  const auto& type = value.type()->expectRef<c10::TupleType>();
  return fmt::format("{}({})", type.name() ? type.name()->name() : "", fmt::join(parts, ", "));
}

}  // namespace culprit::tests
