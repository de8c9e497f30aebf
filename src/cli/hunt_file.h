// SPDX-License-Identifier: Apache-2.0
//
// What `hunt` and `minify` do: the job (hunt/hunt.h), in a process that this one watches, and its result as
// text.
#pragma once

#include "hunt/request/hunt_request.h"

namespace culprit::cli {

/// Gives the exit code.
int HuntSupervised(hunt::HuntRequest request, bool json);

}  // namespace culprit::cli
