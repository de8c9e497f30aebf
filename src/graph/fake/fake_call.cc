// SPDX-License-Identifier: Apache-2.0
#include "graph/fake/fake_call.h"

#include <ATen/core/Generator.h>
#include <ATen/core/List.h>
#include <c10/util/Exception.h>

#include "graph/fake/tensors/tensor.h"

namespace culprit::graph::fake {
namespace {

/// In one storage. Fakes may be larger than the machine.
constexpr size_t kMostZeros = size_t{4} << 30;

}  // namespace

void FakeCall::Run(c10::ArrayRef<c10::IValue> arguments, torch::jit::Stack& stack) {
  for (const uint8_t position : plan_.written) CheckWritable(arguments[position]);
  const size_t first = stack.size();
  for (const c10::IValue& argument : arguments) stack.push_back(StandInFor(argument));
  MoveDevices(stack, first);
  const auto key = stand_in_ == StandIn::kMeta ? c10::DispatchKey::Meta : c10::DispatchKey::CPU;
  op_.redispatchBoxed(c10::DispatchKeySet(key), &stack);
  if (!plan_.written.empty()) TakeOverChanges();
  for (size_t i = first; i < stack.size(); ++i) stack[i] = FakeFor(stack[i]);
}

void FakeCall::CheckWritable(const c10::IValue& argument) const {
  if (argument.isTensor()) {
    TORCH_CHECK(!argument.toTensor().defined() || World::IsFake(argument.toTensor()), op_.operator_name(),
                " writes into a tensor that is not fake");
  } else if (argument.isList()) {
    for (const c10::IValue& element : argument.toListRef()) CheckWritable(element);
  }
}

void FakeCall::MoveDevices(torch::jit::Stack& stack, size_t first_argument) const {
  for (const uint8_t position : plan_.devices) {
    c10::IValue& device = stack[first_argument + position];
    TORCH_CHECK_NOT_IMPLEMENTED(device.isNone() || device.toDevice().is_cpu(), op_.operator_name(),
                                " wants the device ", device, ", but fake tensors are on the CPU");
    if (stand_in_ == StandIn::kMeta) device = at::Device(at::kMeta);
  }
}

c10::IValue FakeCall::StandInFor(const c10::IValue& value) {
  if (value.isTensor()) return StandInFor(value.toTensor());
  if (value.isStorage()) return StandInFor(value.toStorage());
  // Drawing for a run on zeros would change what the program draws later.
  if (value.isGenerator() && stand_in_ == StandIn::kZeros) return value.toGenerator().clone();
  if (!value.isList()) return value;
  const c10::List<c10::IValue> list = value.toList();
  if (!list.elementType()->isSubtypeOf(*c10::OptionalType::ofTensor())) return value;
  c10::List<c10::IValue> mapped(list.elementType());
  mapped.reserve(list.size());
  for (const c10::IValue& element : value.toListRef()) mapped.push_back(StandInFor(element));
  return mapped;
}

at::Tensor FakeCall::StandInFor(const at::Tensor& fake) {
  if (!fake.defined()) return fake;
  for (const Tensors& known : tensors_) {
    if (known.fake.is_same(fake)) return known.stand_in;
  }
  TORCH_CHECK_NOT_IMPLEMENTED(fake.is_cpu() && fake.layout() == at::kStrided && !fake.is_quantized(),
                              op_.operator_name(), " on a ", fake.toString(), " is not computed on fakes");
  at::Tensor stand_in = TensorLike(fake, StandInFor(fake.storage()));
  tensors_.push_back({fake, stand_in});
  return stand_in;
}

c10::Storage FakeCall::StandInFor(const c10::Storage& fake) {
  for (const Storages& known : storages_) {
    if (known.fake.unsafeGetStorageImpl() == fake.unsafeGetStorageImpl()) return known.stand_in;
  }
  const size_t bytes = fake.nbytes();
  TORCH_CHECK_NOT_IMPLEMENTED(stand_in_ == StandIn::kMeta || bytes <= kMostZeros, op_.operator_name(),
                              " has no Meta kernel, and would have to run on ", bytes, " bytes of zeros");
  const bool resizable = fake.resizable();
  storages_.push_back(
      {fake, stand_in_ == StandIn::kMeta ? MetaStorage(bytes, resizable) : ZeroStorage(bytes, resizable)});
  return storages_.back().stand_in;
}

c10::IValue FakeCall::FakeFor(const c10::IValue& result) {
  if (result.isTensor()) return FakeFor(result.toTensor());
  if (!result.isTensorList()) return result;
  c10::List<at::Tensor> mapped;
  mapped.reserve(result.toTensorList().size());
  for (const c10::IValue& element : result.toListRef()) mapped.push_back(FakeFor(element.toTensor()));
  return mapped;
}

at::Tensor FakeCall::FakeFor(const at::Tensor& result) {
  if (!result.defined()) return result;
  for (const Tensors& known : tensors_) {
    if (known.stand_in.is_same(result)) return world_.FakeOf(known.fake);
  }
  TORCH_CHECK_NOT_IMPLEMENTED(result.layout() == at::kStrided && !result.is_quantized(), op_.operator_name(),
                              " gives a ", result.toString(), ", which cannot be fake");
  return TensorLike(result, FakeFor(result.storage()));
}

c10::Storage FakeCall::FakeFor(const c10::Storage& result) {
  for (const Storages& known : storages_) {
    if (known.stand_in.unsafeGetStorageImpl() == result.unsafeGetStorageImpl()) {
      return world_.FakeOf(known.fake);
    }
  }
  // Later results may lie on it too.
  storages_.push_back({FakeStorage(result.nbytes(), /*resizable=*/true), result});
  return storages_.back().fake;
}

void FakeCall::TakeOverChanges() {
  for (const Storages& pair : storages_) {
    if (pair.fake.nbytes() != pair.stand_in.nbytes()) pair.fake.set_nbytes(pair.stand_in.nbytes());
  }
  for (const Tensors& pair : tensors_) {
    if (!World::IsFake(pair.fake)) continue;
    const c10::Storage storage = FakeFor(pair.stand_in.storage());
    if (!pair.fake.storage().is_alias_of(storage)) {
      pair.fake.unsafeGetTensorImpl()->set_storage_keep_dtype(storage);
    }
    CopyGeometry(pair.stand_in, pair.fake);
  }
}

}  // namespace culprit::graph::fake
