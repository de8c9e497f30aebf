// SPDX-License-Identifier: Apache-2.0
#include "autograd/functional/memory.h"

#include <ATen/MemoryOverlap.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "autograd/functional/untraceable.h"
#include "base/internal_error.h"
#include "graph/tensors/map_tensors.h"

namespace culprit::autograd {
namespace {

using c10::IValue;

/// The same sizes and strides.
bool HaveSameSizesAndStrides(const at::Tensor& a, const at::Tensor& b) {
  return a.sizes() == b.sizes() && a.strides() == b.strides();
}

bool AreOne(const at::Tensor& a, const at::Tensor& b) {
  return HaveSameSizesAndStrides(a, b) && a.storage_offset() == b.storage_offset() &&
         a.dtype() == b.dtype() && a.is_conj() == b.is_conj() && a.is_neg() == b.is_neg();
}

/// How many elements there are from the first to the last in memory.
int64_t SpanOf(const at::Tensor& tensor) {
  if (tensor.numel() == 0) return 0;
  int64_t span = 1;
  for (int64_t i = 0; i < tensor.dim(); ++i) span += (tensor.size(i) - 1) * tensor.stride(i);
  return span;
}

/// Views of other numbers than those in memory, and what makes the ones in memory of them.
struct Reading {
  std::string_view view;
  const char* inverse;
};
constexpr Reading kReadings[] = {
    {"aten::_conj", "aten::conj_physical"},
    {"aten::_neg_view", "aten::neg"},
    {"aten::view_as_complex", "aten::view_as_real"},
    {"aten::view_as_real", "aten::view_as_complex"},
};

const Reading* ReadingOf(const graph::Operator& op) {
  const auto found = std::ranges::find(kReadings, op.name(), &Reading::view);
  return found == std::end(kReadings) ? nullptr : found;
}

/// Views into which a value is put by an operator of the same arguments.
struct Scattered {
  std::string_view view;
  const char* scatter;
};
constexpr Scattered kScattered[] = {
    {"aten::diagonal", "aten::diagonal_scatter"},
    {"aten::select.int", "aten::select_scatter"},
    {"aten::slice.Tensor", "aten::slice_scatter"},
};

}  // namespace

bool IsDense(const at::Tensor& tensor) {
  return tensor.unsafeGetTensorImpl()->is_non_overlapping_and_dense();
}

void RefuseOtherOffset(const graph::Operator& op, const IValue& argument, const IValue& current) {
  if (op.name().find("as_strided") == std::string::npos) return;
  if (argument.toTensor().storage_offset() != current.toTensor().storage_offset())
    throw Untraceable(op.qualified_name() + " counts from another beginning after a write");
}

at::Tensor TwinOf(const at::Tensor& fake) {
  return at::Tensor(fake.unsafeGetTensorImpl()->shallow_copy_and_detach(c10::VariableVersion(0), true));
}

Memory::Storage* Memory::Find(const at::Tensor& fake) {
  const auto found = storages_.find(fake.storage().unsafeGetStorageImpl());
  return found == storages_.end() ? nullptr : &found->second;
}

const Memory::Storage* Memory::Find(const at::Tensor& fake) const {
  return const_cast<Memory*>(this)->Find(fake);
}

std::optional<size_t> Memory::IndexOf(const Storage& storage, const at::Tensor& fake) {
  const auto found =
      std::ranges::find_if(storage.tensors, [&](const Tensor& tensor) { return AreOne(tensor.place, fake); });
  if (found == storage.tensors.end()) return std::nullopt;
  return static_cast<size_t>(found - storage.tensors.begin());
}

Memory::Storage& Memory::Begin(const at::Tensor& fake, const at::Tensor& current) {
  Storage& storage = storages_[fake.storage().unsafeGetStorageImpl()];
  storage.tensors.push_back({TwinOf(fake), current, storage.version, std::nullopt});
  ++storage.bases;
  return storage;
}

void Memory::AddInput(const at::Tensor& fake, const at::Tensor& current) {
  Begin(fake, current).is_of_input = true;
}

std::optional<Memory::View> Memory::ViewFrom(const Storage& storage, const graph::Operator& op,
                                             c10::ArrayRef<IValue> arguments,
                                             std::optional<size_t> element) const {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].isTensor() || !graph::fake::World::IsFake(arguments[i].toTensor())) continue;
    const at::Tensor& argument = arguments[i].toTensor();
    if (Find(argument) != &storage) continue;
    const std::optional<size_t> parent = IndexOf(storage, argument);
    if (parent) return View{*parent, &op, arguments.vec(), i, element};
  }
  return std::nullopt;
}

void Memory::Define(const at::Tensor& result, const at::Tensor& current, const graph::Operator& op,
                    c10::ArrayRef<IValue> arguments, std::optional<size_t> element) {
  Storage* storage = Find(result);
  if (storage == nullptr) {
    Begin(result, current);
    return;
  }
  if (const std::optional<size_t> index = IndexOf(*storage, result)) {
    storage->tensors[*index].current = current;
    storage->tensors[*index].version = storage->version;
    return;
  }
  storage->tensors.push_back(
      {TwinOf(result), current, storage->version, ViewFrom(*storage, op, arguments, element)});
}

bool Memory::IsCurrent(const at::Tensor& fake) const {
  const Storage* storage = Find(fake);
  if (storage == nullptr) return false;
  const std::optional<size_t> index = IndexOf(*storage, fake);
  return index && storage->tensors[*index].version == storage->version;
}

at::Tensor Memory::Current(const at::Tensor& fake) {
  if (!graph::fake::World::IsFake(fake)) return fake;
  Storage* storage = Find(fake);
  CULPRIT_CHECK(storage != nullptr, "a fake of sizes {} comes from nowhere", c10::str(fake.sizes()));
  const std::optional<size_t> index = IndexOf(*storage, fake);
  if (!index) throw Untraceable("a tensor is used that no operator has made");
  const at::Tensor& current = Refresh(*storage, *index);
  // Something that libtorch says of a tensor when it has made it.
  if (fake.unsafeGetTensorImpl()->is_wrapped_number())
    current.unsafeGetTensorImpl()->set_wrapped_number(true);
  return current;
}

IValue Memory::Current(const IValue& value) {
  return graph::MapTensors(value, [this](const at::Tensor& tensor) { return Current(tensor); });
}

const at::Tensor& Memory::Refresh(Storage& storage, size_t index) {
  if (storage.tensors[index].version != storage.version) {
    at::Tensor current = MakeAgain(storage, storage.tensors[index]);
    storage.tensors[index].current = std::move(current);
    storage.tensors[index].version = storage.version;
  }
  return storage.tensors[index].current;
}

at::Tensor Memory::MakeAgain(Storage& storage, const Tensor& tensor) {
  if (!tensor.view)
    throw Untraceable(storage.bases > 1 ? "memory that inputs share is written"
                                        : "memory is written that a tensor of unknown origin shares");
  const View view = *tensor.view;
  torch::jit::Stack arguments = view.arguments;
  for (size_t i = 0; i < arguments.size(); ++i) {
    arguments[i] = i == view.parent_argument ? IValue(Refresh(storage, view.parent)) : Current(arguments[i]);
  }
  RefuseOtherOffset(*view.op, storage.tensors[view.parent].place, arguments[view.parent_argument]);
  const IValue result = graph_.Emit(*view.op, arguments).front();
  return view.element ? result.toTensorList().get(*view.element) : result.toTensor();
}

void Memory::Write(const at::Tensor& fake, const at::Tensor& value, Written how) {
  Storage* storage = Find(fake);
  CULPRIT_CHECK(storage != nullptr, "a fake of sizes {} comes from nowhere", c10::str(fake.sizes()));
  const std::optional<size_t> index = IndexOf(*storage, fake);
  if (!index) throw Untraceable("a tensor is written that no operator has made");
  if (storage->bases > 1) throw Untraceable("memory that inputs share is written");
  if (at::has_internal_overlap(fake) == at::MemOverlap::Yes)
    throw Untraceable("a tensor that overlaps itself is written");
  WriteAt(*storage, *index, value);
  storage->written = std::max(storage->written, how);
}

/// From a view upwards to the base: through views of other numbers by their inverse, through all others at
/// once.
void Memory::WriteAt(Storage& storage, size_t index, at::Tensor value) {
  const size_t target = index;
  const at::Tensor written = value;
  for (;;) {
    size_t whole = index;
    while (storage.tensors[whole].view && ReadingOf(*storage.tensors[whole].view->op) == nullptr)
      whole = storage.tensors[whole].view->parent;
    value = PutInto(storage, whole, index, value);
    if (!storage.tensors[whole].view) {
      index = whole;
      break;
    }
    const View& view = *storage.tensors[whole].view;
    value = graph_.Emit(ReadingOf(*view.op)->inverse, {value});
    index = view.parent;
  }
  ++storage.version;
  storage.tensors[index].current = value;
  storage.tensors[index].version = storage.version;
  Tensor& tensor = storage.tensors[target];
  if (tensor.version == storage.version || !HaveSameSizesAndStrides(written, tensor.place) ||
      written.is_conj() != tensor.place.is_conj() || written.is_neg() != tensor.place.is_neg())
    return;
  tensor.current = written;
  tensor.version = storage.version;
}

/// From view to view as far as there are operators for that, whose arguments say where a part is whatever the
/// sizes are; the rest of the way by places in memory.
at::Tensor Memory::PutInto(Storage& storage, size_t whole, size_t part, const at::Tensor& value) {
  const at::Tensor place = storage.tensors[whole].place;
  const at::Tensor part_place = storage.tensors[part].place;
  if (part_place.dtype() != place.dtype())
    throw Untraceable("a tensor is written through a view of another dtype");
  if (whole == part && HaveSameSizesAndStrides(value, place)) return value;
  if (!IsDense(place)) throw Untraceable("a tensor with gaps in memory is written");
  const bool covers = part_place.numel() == place.numel() && IsDense(part_place) &&
                      part_place.storage_offset() == place.storage_offset();
  if (covers && HaveSameSizesAndStrides(value, part_place))
    return graph_.Emit("aten::as_strided", {value, place.sizes(), place.strides(), IValue()});
  if (whole != part) {
    const View view = *storage.tensors[part].view;
    if (const char* scatter = ScatterFor(view)) {
      torch::jit::Stack arguments = view.arguments;
      arguments[0] = Refresh(storage, view.parent);
      arguments.insert(arguments.begin() + 1, value);
      return PutInto(storage, whole, view.parent, graph_.Emit(scatter, arguments));
    }
  }
  return PutByStrides(storage, whole, part_place, value);
}

/// Scatters lie where their argument does, and count from the beginning of that memory.
at::Tensor Memory::PutByStrides(Storage& storage, size_t whole, const at::Tensor& part_place,
                                const at::Tensor& value) {
  const at::Tensor place = storage.tensors[whole].place;
  const int64_t distance = part_place.storage_offset() - place.storage_offset();
  if (distance < 0 || distance + SpanOf(part_place) > place.numel())
    throw Untraceable("memory is written that no tensor of the graph has");
  at::Tensor current = Refresh(storage, whole);
  IValue offset;
  if (distance != 0) {
    if (storage.is_of_input || current.storage_offset() != 0)
      current = graph_.Emit("aten::clone", {current, IValue()});
    offset = distance;
  }
  return graph_.Emit("aten::as_strided_scatter",
                     {current, value, part_place.sizes(), part_place.strides(), offset});
}

const char* Memory::ScatterFor(const View& view) {
  const auto found = std::ranges::find(kScattered, view.op->qualified_name(), &Scattered::view);
  return found == std::end(kScattered) || view.element ? nullptr : found->scatter;
}

Written Memory::WrittenInto(const at::Tensor& fake) const {
  const Storage* storage = Find(fake);
  return storage == nullptr ? Written::kNot : storage->written;
}

}  // namespace culprit::autograd
