// SPDX-License-Identifier: Apache-2.0
//
// What keeps a script from being run, said before anything is.
#pragma once

#include "base/result.h"
#include "graph/text/script/script.h"

namespace culprit::open {

/// Unknown inputs, devices that this machine lacks, buffers without data, inputs that could not be recorded.
base::Status CheckRunnable(const graph::text::Script& script, const base::Place& place);

}  // namespace culprit::open
