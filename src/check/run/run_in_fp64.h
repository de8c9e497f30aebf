// SPDX-License-Identifier: Apache-2.0
//
// A run of a model in float64, as every check does it and `culprit run --fp64`: on the inputs cast to
// float64, with the random numbers that the model draws in its own precision, under the recorded settings
// apart from those that decide on precision (SettingsInFp64).
#pragma once

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "base/result.h"
#include "check/model/model.h"
#include "check/model/run_end.h"
#include "check/run/run_model.h"

namespace culprit::check {

/// The results of all calls. The inputs are left as they are, whatever `options` say about cloning. The error
/// is the reason, without an introduction: the model or its inputs cannot be cast, the run failed, or its
/// tensors would take more main memory than that at a time (tensor_meter.h).
base::Result<std::vector<Results>> RunInFp64(const Model& model, const std::vector<c10::IValue>& inputs,
                                             RunOptions options,
                                             int64_t memory_bytes = std::numeric_limits<int64_t>::max());

}  // namespace culprit::check
