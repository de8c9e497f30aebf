// SPDX-License-Identifier: Apache-2.0
//
// A compiler with a bug in it, made from one without: to try out whatever deals with failures. Graphs that
// the fault is not for are compiled and called as if it were not there.
//
//   WithFaults(backend, {*ParseFault("tanh:nan"), *ParseFault("sin:shape")})
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "backend/backend.h"
#include "base/result.h"
#include "faults/fault.h"

namespace culprit::faults {

/// Hears of each thing that a fault in a pass spoils.
using OnSpoiled = std::function<void(const Fault& fault)>;

/// An error if the fault is in a pass, and the backend is not native itself.
base::Result<std::unique_ptr<backend::Backend>> WithFault(std::unique_ptr<backend::Backend> inner,
                                                          Fault fault, const OnSpoiled& on_spoiled = nullptr);
/// In any order.
base::Result<std::unique_ptr<backend::Backend>> WithFaults(std::unique_ptr<backend::Backend> inner,
                                                           std::vector<Fault> faults,
                                                           const OnSpoiled& on_spoiled = nullptr);

}  // namespace culprit::faults
