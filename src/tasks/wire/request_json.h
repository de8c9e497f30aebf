// SPDX-License-Identifier: Apache-2.0
//
// Requests on the wire, and the errors that answer them.
#pragma once

#include "base/diagnostic.h"
#include "explain/capture_model.h"
#include "open/compiler_request.h"
#include "open/file_request.h"
#include "open/judge_request.h"
#include "tasks/wire/optional_json.h"

namespace culprit::base {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Place, file, line, column)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Diagnostic, place, message, source_line, notes, help, cause)
}  // namespace culprit::base

namespace culprit::open {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FileRequest, file, contents, which, device, store, libraries,
                                   allow_file_operators)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CompilerRequest, backend, faults, trust, freeze, ignored, timeout_seconds,
                                   memory_mib, cpu_seconds, output_kib)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(JudgeRequest, seed, accuracy, tolerance, calls, autocast, only_forward)
}  // namespace culprit::open

namespace culprit::explain {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CallRequest, method, inputs, disabled, train)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CaptureRequest, file, is_piped, call, libraries, allow_file_operators,
                                   seed, fullgraph, graphs, partition, log_instructions)
}  // namespace culprit::explain
