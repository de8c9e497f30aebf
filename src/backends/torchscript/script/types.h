// SPDX-License-Identifier: Apache-2.0
//
// TorchScript's types for what graphs hold. Dtypes, layouts and memory formats are ints there too.
#pragma once

#include <ATen/core/jit_type.h>

#include "graph/operators/slot.h"
#include "graph/operators/value_kind.h"

namespace culprit::backends::torchscript {

c10::TypePtr TypeOf(graph::ValueKind kind);
c10::TypePtr TypeOf(const graph::Slot& slot);

}  // namespace culprit::backends::torchscript
