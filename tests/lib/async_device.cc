// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/async_device.h"

#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <c10/core/DeviceType.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include "tests/lib/async_device/work_queue.h"

namespace culprit::tests {
namespace {

constexpr c10::DeviceType kType = c10::DeviceType::PrivateUse1;

thread_local c10::DeviceIndex current_device = 0;

/// Each device has one stream.
struct Guard final : c10::impl::DeviceGuardImplInterface {
  c10::DeviceType type() const override { return kType; }
  c10::Device exchangeDevice(c10::Device device) const override {
    const c10::Device before = getDevice();
    current_device = device.index();
    return before;
  }
  c10::Device getDevice() const override { return {kType, current_device}; }
  void setDevice(c10::Device device) const override { current_device = device.index(); }
  void uncheckedSetDevice(c10::Device device) const noexcept override { current_device = device.index(); }
  c10::Stream getStream(c10::Device device) const noexcept override {
    return c10::Stream(c10::Stream::DEFAULT, device.has_index() ? device : getDevice());
  }
  c10::Stream getDefaultStream(c10::Device device) const override { return getStream(device); }
  c10::Stream exchangeStream(c10::Stream stream) const noexcept override { return stream; }
  c10::DeviceIndex deviceCount() const noexcept override { return AsyncDevice::kCount; }
  bool queryStream(const c10::Stream& stream) const override {
    return AsyncDevice::queued(stream.device_index()) == 0;
  }
  void synchronizeStream(const c10::Stream& stream) const override { QueueOf(stream.device_index()).Wait(); }
};
C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard);

/// Autograd asks for the accelerator of the process.
struct Hooks final : at::PrivateUse1HooksInterface {
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex /*index*/) const override { return true; }
};

const bool is_registered = [] {
  static Hooks hooks;
  at::RegisterPrivateUse1HooksInterface(&hooks);
  c10::register_privateuse1_backend("privateuseone");
  return true;
}();

}  // namespace

c10::Device AsyncDevice::device(int index) {
  return {kType, static_cast<c10::DeviceIndex>(index)};
}

void AsyncDevice::FailNext(std::string message, int index) {
  QueueOf(index).FailNext(std::move(message));
}

void AsyncDevice::BreakNext(std::string message, int index) {
  QueueOf(index).BreakNext(std::move(message));
}

void AsyncDevice::Reset() {
  for (int index = 0; index < kCount; ++index) QueueOf(index).Reset();
}

int64_t AsyncDevice::queued(int index) {
  return QueueOf(index).queued();
}

int64_t AsyncDevice::waits(int index) {
  return QueueOf(index).waits();
}

AsyncDevice::Hold::Hold(int index) : index_(index) {
  QueueOf(index_).Hold();
}

AsyncDevice::Hold::~Hold() {
  QueueOf(index_).Release();
}

}  // namespace culprit::tests
