// SPDX-License-Identifier: Apache-2.0
#include "model/files/pickle_calls.h"

#include <ATen/core/Dict.h>
#include <ATen/core/jit_type.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/text.h"
#include "graph/tensors/rebuild_tensors.h"

namespace culprit::model {
namespace {

using base::Diagnostic;
using base::Result;
using c10::IValue;

struct StorageClass {
  std::string_view name;
  at::ScalarType dtype;
};

constexpr StorageClass kStorageClasses[] = {
    {"torch.FloatStorage", at::kFloat},
    {"torch.DoubleStorage", at::kDouble},
    {"torch.HalfStorage", at::kHalf},
    {"torch.BFloat16Storage", at::kBFloat16},
    {"torch.LongStorage", at::kLong},
    {"torch.IntStorage", at::kInt},
    {"torch.ShortStorage", at::kShort},
    {"torch.CharStorage", at::kChar},
    {"torch.ByteStorage", at::kByte},
    {"torch.BoolStorage", at::kBool},
    {"torch.ComplexFloatStorage", at::kComplexFloat},
    {"torch.ComplexDoubleStorage", at::kComplexDouble},
};

Diagnostic Error(const std::string& path, std::string_view message) {
  return {{path}, fmt::format("its contents cannot be read: {}", message)};
}

bool IsTensor(const PickleItem& item) {
  return item.IsValue() && item.value().isTensor();
}

bool IsTrue(const PickleItem& item) {
  return item.IsValue() && item.value().isBool() && item.value().toBool();
}

std::optional<std::vector<int64_t>> Ints(const PickleItem& item) {
  std::vector<int64_t> ints;
  if (!item.IsValue() || !item.value().isTuple()) return std::nullopt;
  for (const IValue& element : item.value().toTupleRef().elements()) {
    if (!element.isInt()) return std::nullopt;
    ints.push_back(element.toInt());
  }
  return ints;
}

Result<PickleItem> MakeTensor(const std::string& path, const std::vector<PickleItem>& arguments) {
  const auto wrong = [&] { return Error(path, "a tensor has other arguments than PyTorch gives it"); };
  if (arguments.size() < 4) return wrong();
  const auto* storage = arguments[0].storage();
  const auto sizes = Ints(arguments[2]), strides = Ints(arguments[3]);
  const bool right =
      storage != nullptr && arguments[1].IsValue() && arguments[1].value().isInt() && sizes && strides;
  if (!right) return wrong();
  const bool requires_grad = arguments.size() > 4 && IsTrue(arguments[4]);
  const graph::StorageSpec bytes{.bytes = static_cast<int64_t>(storage->storage.nbytes())};
  const graph::TensorSpec tensor{.sizes = *sizes,
                                 .strides = *strides,
                                 .offset = arguments[1].value().toInt(),
                                 .dtype = storage->dtype,
                                 .requires_grad = requires_grad,
                                 .is_leaf = true};
  const graph::TensorGroup group{.storages = {bytes}, .tensors = {tensor}};
  const auto status = graph::CheckGroup(group);
  if (!status.ok()) return Error(path, status.error().message);
  Result<std::vector<at::Tensor>> made = graph::RebuildTensors(group, {storage->storage});
  if (!made.ok()) return Error(path, made.error().message);
  return PickleItem::Value(made->front());
}

}  // namespace

std::vector<PickleItem> PickleItem::Elements() const {
  if (const auto* items = std::get_if<std::vector<PickleItem>>(&content_)) return *items;
  std::vector<PickleItem> elements;
  if (!IsValue() || !value().isTuple()) return elements;
  for (const IValue& element : value().toTupleRef().elements()) {
    elements.push_back(Value(element));
    // At most as large as the tuple, and as little to be changed.
    *elements.back().state_ = {.extent = extent(), .is_complete = true};
  }
  return elements;
}

Result<PickleItem> CallPickled(const std::string& path, const PickleItem& function,
                               const PickleItem& arguments) {
  if (function.global() == nullptr) return Error(path, "something is called that is no function");
  const std::string& name = *function.global();
  const std::vector<PickleItem> elements = arguments.Elements();
  if (name == "torch._utils._rebuild_tensor_v2" || name == "torch._utils._rebuild_tensor")
    return MakeTensor(path, elements);
  if (name == "torch._utils._rebuild_parameter" && elements.size() >= 2 && IsTensor(elements[0]))
    return PickleItem::Value(elements[0].value().toTensor().detach().requires_grad_(IsTrue(elements[1])));
  if (name == "collections.OrderedDict" && elements.empty())
    return PickleItem::Value(c10::impl::GenericDict(c10::AnyType::get(), c10::AnyType::get()));
  const bool changes_type_only = name == "torch.Size" || name.starts_with("torch.jit._pickle.");
  if (changes_type_only && !elements.empty() && elements[0].IsValue()) return elements[0];
  return Error(path, fmt::format("'{}' is neither a tensor nor a container", base::Printable(name)));
}

Result<PickleItem> PersistentStorage(const std::string& path, const PickleItem& reference,
                                     const LoadStorage& load) {
  const std::vector<PickleItem> parts = reference.Elements();
  const bool right = parts.size() >= 3 && parts[0].IsValue() && parts[0].value().isString() &&
                     parts[0].value().toStringRef() == "storage" && parts[1].global() != nullptr &&
                     parts[2].IsValue() && parts[2].value().isString();
  if (!right) return Error(path, "a reference means no storage");
  const auto* known = std::find_if(std::begin(kStorageClasses), std::end(kStorageClasses),
                                   [&](const StorageClass& row) { return row.name == *parts[1].global(); });
  if (known == std::end(kStorageClasses))
    return Error(
        path, fmt::format("'{}' is no kind of storage that is known", base::Printable(*parts[1].global())));
  const int64_t count =
      parts.size() > 4 && parts[4].IsValue() && parts[4].value().isInt() ? parts[4].value().toInt() : 0;
  if (count < 0 || count > INT64_MAX / 16)
    return Error(path, fmt::format("a storage has {} elements", count));
  c10::Storage storage = CULPRIT_TRY(
      load(parts[2].value().toStringRef(), static_cast<uint64_t>(count) * c10::elementSize(known->dtype)));
  return PickleItem::Storage({std::move(storage), known->dtype});
}

}  // namespace culprit::model
