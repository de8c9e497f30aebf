// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "explain/explanation.h"
#include "tasks/wire/request_json.h"

namespace culprit::explain {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ExplainedBreak, code, name, reason, hint, file, line, function, source)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ExplainedGuard, text, is_about_module)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ExplainedSegment, name, operators, inputs, parameters, buffers, outputs,
                                   end, modes, guards, conditions, size_conditions, symbols, fixed_sizes,
                                   fallbacks, inlined_calls, capture_seconds, compile_seconds, guard_seconds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ExplainedSaved, name, why, bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ExplainedHalf, name, operators, inputs, outputs, code)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ExplainedJoint, name, reason, seconds, operators, tangents, fallbacks,
                                   forward, backward, saved, saved_bytes, partition)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Explanation, name, method, segments, joints, files, recaptures, as_written,
                                   log, failure)
}  // namespace culprit::explain
