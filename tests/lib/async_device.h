// SPDX-License-Identifier: Apache-2.0
//
// An accelerator for tests, in main memory: two devices of libtorch's type PrivateUse1, privateuseone:0 and
// privateuseone:1, each with one queue and one thread that works on it. As on CUDA, operators put their work
// into the queue of the device and return at once, and what fails there is thrown by whatever waits for the
// device next.
//
//   const at::Tensor x = at::ones({3}).to(AsyncDevice::device());
//   AsyncDevice::FailNext("illegal memory access");
//   const at::Tensor y = x.add(1);   returns
//   y.cpu();                         throws c10::Error "illegal memory access"; the next call does not
//
// Common operators are queued: arithmetic, relu, matrix products, sums, filling, copies within a device and
// to it. All others wait, compute on the CPU and copy the results back. Copies to the CPU wait too. Gradients
// work as anywhere.
//
// Who links it has the devices. They are this program's only ones of their type, so nothing else can register
// PrivateUse1.
#pragma once

#include <c10/core/Device.h>

#include <cstdint>
#include <string>

namespace culprit::tests {

class AsyncDevice {
 public:
  static constexpr int kCount = 2;

  static c10::Device device(int index = 0);

  /// The next operator that computes something on the device will fail there. Copies do not compute.
  static void FailNext(std::string message, int index = 0);

  /// As FailNext, and from then on everything fails that computes or waits there, or copies to it, as after
  /// an assertion in a kernel of CUDA's.
  static void BreakNext(std::string message, int index = 0);

  /// Waits until all devices are done, and forgets what failed and what was to fail. Throws nothing.
  static void Reset();

  /// Pieces of work that are not done yet.
  static int64_t queued(int index = 0);

  /// How often somebody has waited for the device.
  static int64_t waits(int index = 0);

  /// The device does nothing as long as this lives, and whoever waits for it hangs.
  class Hold {
   public:
    explicit Hold(int index = 0);
    ~Hold();
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    int index_;
  };
};

}  // namespace culprit::tests
