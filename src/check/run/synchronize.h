// SPDX-License-Identifier: Apache-2.0
//
// Waiting for accelerators. Their operators return before they are done, and what goes wrong in them is
// thrown later, by whatever happens to run then. So a run waits before its outcome is taken.
#pragma once

#include <ATen/core/ivalue.h>

#include <set>
#include <vector>

namespace culprit::check {

struct DeviceOrder {
  bool operator()(const c10::Device& a, const c10::Device& b) const {
    return std::pair(a.type(), a.index()) < std::pair(b.type(), b.index());
  }
};
using Devices = std::set<c10::Device, DeviceOrder>;

/// Adds the devices of all tensors in the value, unless operators there are done when they return.
void AddAccelerators(const c10::IValue& value, Devices& devices);

/// Of all of them.
Devices AcceleratorsOf(const std::vector<c10::IValue>& values);

/// Waits for the current stream of each device, and throws what went wrong there first. All are waited for
/// then too: what goes wrong on another one is not left to whoever waits next. A device whose backend knows
/// no streams has nothing to wait for.
void Synchronize(const Devices& devices);

/// Whether something can still be computed there: after some failures nothing can, as long as the process
/// lives.
bool CanCompute(const Devices& devices);

}  // namespace culprit::check
