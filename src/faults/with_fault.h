// SPDX-License-Identifier: Apache-2.0
//
// A compiler with a bug in it, made from one without: to try out whatever deals with failures. Graphs that
// the fault is not for are compiled and called as if it were not there.
//
//   WithFaults(backend, {*ParseFault("tanh:nan"), *ParseFault("sin:shape")})
#pragma once

#include <memory>
#include <vector>

#include "backend/backend.h"
#include "base/result.h"
#include "faults/fault.h"

namespace culprit::faults {

/// An error if the fault is in a pass, and the backend is not native itself.
base::Result<std::unique_ptr<backend::Backend>> WithFault(std::unique_ptr<backend::Backend> inner,
                                                          Fault fault);
/// In any order.
base::Result<std::unique_ptr<backend::Backend>> WithFaults(std::unique_ptr<backend::Backend> inner,
                                                           std::vector<Fault> faults);

}  // namespace culprit::faults
