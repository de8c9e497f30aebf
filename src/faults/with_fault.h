// SPDX-License-Identifier: Apache-2.0
//
// A compiler with a bug in it, made from one without: to try out whatever deals with failures. Graphs that
// the fault is not for are compiled and called as if it were not there.
//
//   WithFault(WithFault(backend, *ParseFault("tanh:nan")), *ParseFault("sin:shape"))
#pragma once

#include <memory>
#include <vector>

#include "backend/backend.h"
#include "faults/fault.h"

namespace culprit::faults {

std::unique_ptr<backend::Backend> WithFault(std::unique_ptr<backend::Backend> inner, Fault fault);
std::unique_ptr<backend::Backend> WithFaults(std::unique_ptr<backend::Backend> inner,
                                             const std::vector<Fault>& faults);

}  // namespace culprit::faults
