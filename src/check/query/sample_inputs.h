// SPDX-License-Identifier: Apache-2.0
//
// Other inputs for the same graph: some failures show with some numbers only.
#pragma once

#include "base/result.h"
#include "repro/repro.h"

namespace culprit::check {

/// Sample 0 is the repro as it is. In the others the inputs that are no parameters hold new random numbers,
/// within what the operators that they feed allow.
base::Result<repro::Repro> WithSample(const repro::Repro& repro, uint64_t sample);

}  // namespace culprit::check
