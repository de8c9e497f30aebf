// SPDX-License-Identifier: Apache-2.0
//
// One query: a graph is compiled with the backend of its repro, called as often as it takes, and compared
// with eager, all of it in this process. Whatever asks the question, live, while minifying or from a script,
// comes through here.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "backend/backend.h"
#include "backend/failure/failure_kinds.h"
#include "backends/table.h"
#include "base/result.h"
#include "check/verdict/same_two_models.h"
#include "faults/with_fault.h"
#include "repro/repro.h"

namespace culprit::check {

/// The backend that the header names, with the faults it names in the compiler itself. `log` hears of graphs
/// that are not compiled, `on_spoiled` of what faults in passes do.
base::Result<std::unique_ptr<backend::Backend>> OpenBackend(
    const repro::Header& header, const std::function<void(const std::string&)>& log = nullptr,
    const faults::OnSpoiled& on_spoiled = nullptr);

/// Kinds of failures that the header sets aside.
base::Result<backend::FailureKinds> IgnoredKinds(const repro::Header& header);

/// How the header wants results judged.
CheckOptions CheckOptionsOf(const repro::Header& header);

/// With header.accuracy off only whether eager and the compiled graph run counts. Parameters that the backend
/// freezes require no gradient. `announce` hears of the phases (run_model.h).
CheckResult RunQuery(const repro::Repro& repro, backend::Backend& backend,
                     const std::function<void(std::string_view)>& announce = nullptr);

/// The same with a reference that computes what the graph computes, and a backend that compiles this graph and no
/// other: of a compiler that draws random numbers of its own only whether it runs counts.
CheckResult RunQuery(const repro::Repro& repro, const Model& reference, backend::Backend& backend,
                     const std::function<void(std::string_view)>& announce = nullptr);

/// The same with the backend that the repro names. That the backend has not compiled the graph is a warning,
/// and so is a fault in a pass that had nothing to spoil.
base::Result<CheckResult> RunQuery(const repro::Repro& repro,
                                   const std::function<void(std::string_view)>& announce);

/// Compiles with that backend, and calls nothing. An error if the compiler throws.
base::Status OnlyCompile(const repro::Repro& repro);

}  // namespace culprit::check
