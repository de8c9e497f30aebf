// SPDX-License-Identifier: Apache-2.0
//
// Only what fails again, alone, in a fresh process, is a repro. Where the smallest program does not, because
// a compiler fails only sometimes or sees what earlier calls left, the step before it is taken, and so on.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "hunt/run/minify_repro.h"

namespace culprit::hunt {

/// repro.py becomes the last of the steps (files on disk) that can be verified, the original if no other, and
/// is what the report is about; `found` is what the search has arrived at. Nothing is verified if the user
/// wants to stop.
base::Status TakeBackUntilVerified(const MinifyRepro& job, const std::vector<std::string>& steps,
                                   const minify::Program& found, Oracle& oracle, Listener& listener,
                                   Report& report);

}  // namespace culprit::hunt
