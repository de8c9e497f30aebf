// SPDX-License-Identifier: Apache-2.0
#include "check/run/synchronize.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/util/Exception.h>

#include <exception>
#include <string_view>

#include "check/model/thrown.h"
#include "compare/structure/tree.h"

namespace culprit::check {
namespace {

/// What c10's interface throws in place of a backend that has not implemented it.
constexpr std::string_view kNoStreams = "Backend doesn't support synchronizing streams";

void AddAccelerators(const c10::IValue& value, Devices& devices, int depth) {
  if (value.isTensor()) {
    const at::Tensor& tensor = value.toTensor();
    if (tensor.defined() && !tensor.device().is_cpu() && !tensor.device().is_meta())
      devices.insert(tensor.device());
    return;
  }
  if (depth > compare::kMaxDepth) return;
  for (const compare::TreeChild& child : compare::OpenNode(value).children)
    AddAccelerators(child.value, devices, depth + 1);
}

void Synchronize(const c10::Device& device) {
  if (!c10::impl::hasDeviceGuardImpl(device.type())) return;
  const c10::impl::DeviceGuardImplInterface* backend = c10::impl::getDeviceGuardImpl(device.type());
  try {
    backend->synchronizeStream(backend->getStream(device));
  } catch (const c10::Error& error) {
    if (error.msg().find(kNoStreams) == std::string::npos) throw;
  }
}

}  // namespace

void AddAccelerators(const c10::IValue& value, Devices& devices) {
  AddAccelerators(value, devices, 0);
}

Devices AcceleratorsOf(const std::vector<c10::IValue>& values) {
  Devices devices;
  for (const c10::IValue& value : values) AddAccelerators(value, devices);
  return devices;
}

void Synchronize(const Devices& devices) {
  std::exception_ptr first;
  for (const c10::Device& device : devices) {
    try {
      Synchronize(device);
    } catch (...) {
      if (first == nullptr) first = std::current_exception();
    }
  }
  if (first != nullptr) std::rethrow_exception(first);
}

bool CanCompute(const Devices& devices) {
  return !CatchThrown([&] {
    for (const c10::Device& device : devices) at::zeros({1}, at::TensorOptions(device)).add_(1);
    Synchronize(devices);
  });
}

}  // namespace culprit::check
