// SPDX-License-Identifier: Apache-2.0
#include "check/run/synchronize.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "check/run/function_model.h"
#include "check/run/run_model.h"
#include "tests/lib/values.h"

namespace culprit::check {
namespace {

/// An accelerator that only counts how often it is waited for.
struct FakeAccelerator final : c10::impl::DeviceGuardImplInterface {
  static constexpr c10::DeviceType kType = c10::DeviceType::PrivateUse1;
  static inline std::vector<c10::DeviceIndex> waited_for;
  static inline std::string error;
  static inline bool has_streams = true;

  c10::DeviceType type() const override { return kType; }
  c10::Device exchangeDevice(c10::Device) const override { return {kType, 0}; }
  c10::Device getDevice() const override { return {kType, 0}; }
  void setDevice(c10::Device) const override {}
  void uncheckedSetDevice(c10::Device) const noexcept override {}
  c10::Stream getStream(c10::Device device) const noexcept override {
    return c10::Stream(c10::Stream::DEFAULT, device);
  }
  c10::Stream exchangeStream(c10::Stream stream) const noexcept override { return stream; }
  c10::DeviceIndex deviceCount() const noexcept override { return 2; }
  void synchronizeStream(const c10::Stream& stream) const override {
    if (!has_streams) return DeviceGuardImplInterface::synchronizeStream(stream);
    waited_for.push_back(stream.device_index());
    TORCH_CHECK(error.empty(), error);
  }
};
C10_REGISTER_GUARD_IMPL(PrivateUse1, FakeAccelerator);

at::Tensor On(c10::DeviceIndex index) {
  const c10::Device device(FakeAccelerator::kType, index);
  const c10::Storage storage(c10::Storage::use_byte_size_t(), 4, c10::DataPtr(nullptr, device));
  return at::detail::make_tensor<c10::TensorImpl>(c10::Storage(storage),
                                                  c10::DispatchKeySet(c10::DispatchKey::PrivateUse1),
                                                  caffe2::TypeMeta::Make<float>());
}

class SynchronizeTest : public testing::Test {
 protected:
  SynchronizeTest() {
    FakeAccelerator::waited_for.clear();
    FakeAccelerator::error.clear();
    FakeAccelerator::has_streams = true;
  }
};

using DeviceIndices = std::vector<c10::DeviceIndex>;

TEST_F(SynchronizeTest, EveryAcceleratorThatAppearsIsWaitedForOnce) {
  Devices devices;
  AddAccelerators(tests::Tuple({On(1), at::ones({1}), 3, tests::List({On(0), On(1)})}), devices);
  Synchronize(devices);
  EXPECT_EQ(FakeAccelerator::waited_for, DeviceIndices({0, 1}));
}

TEST_F(SynchronizeTest, TheProcessorAndMetaTensorsAreNotWaitedFor) {
  Devices devices;
  AddAccelerators(tests::Tuple({at::ones({1}), at::empty({1}, at::kMeta), at::Tensor()}), devices);
  EXPECT_TRUE(devices.empty());
}

TEST_F(SynchronizeTest, ADeviceWithoutStreamsHasNothingToWaitFor) {
  FakeAccelerator::has_streams = false;
  EXPECT_NO_THROW(Synchronize({On(0).device()}));
}

TEST_F(SynchronizeTest, AllAreWaitedForAlsoWhenTheFirstFails) {
  FakeAccelerator::error = "broken";
  EXPECT_THROW(Synchronize({On(0).device(), On(1).device()}), c10::Error);
  EXPECT_EQ(FakeAccelerator::waited_for, DeviceIndices({0, 1}));
}

TEST_F(SynchronizeTest, ARunWaitsForTheDevicesOfItsOutputs) {
  const FunctionModel model = FunctionModel::Plain([](const Inputs&) { return On(1); });
  EXPECT_TRUE(RunModel(model, {}, {.only_forward = true}).ok());
  EXPECT_EQ(FakeAccelerator::waited_for, DeviceIndices({1}));
}

TEST_F(SynchronizeTest, ARunWaitsForTheDevicesOfItsInputsAndState) {
  const FunctionModel model = FunctionModel::Plain([](const Inputs&) { return 1; });
  EXPECT_TRUE(RunModel(model, {On(0)}, {.only_forward = true, .no_clone = true}).ok());
  // Before, after compiling, and after the call.
  EXPECT_EQ(FakeAccelerator::waited_for, DeviceIndices({0, 0, 0}));
}

TEST_F(SynchronizeTest, WhatWentWrongMeanwhileIsAFailureOfTheRun) {
  FakeAccelerator::error = "an illegal memory access was encountered";
  const FunctionModel model = FunctionModel::Plain([](const Inputs&) { return On(0); });
  const RunEnd outcome = RunModel(model, {}, {.only_forward = true});
  EXPECT_EQ(outcome.failure.value().ToString(), "synchronize: an illegal memory access was encountered");
}

}  // namespace
}  // namespace culprit::check
