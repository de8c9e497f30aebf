// SPDX-License-Identifier: Apache-2.0
//
// A run of a graph with a compiler, as `culprit run` shows it.
#pragma once

#include <string>

#include "check/one_run/compiled_run.h"
#include "isolate/query/outcome.h"

namespace culprit::report {

/// The table, the warnings, and the failure in one line.
std::string CompiledRunAsText(const check::CompiledRun& run);
std::string CompiledRunAsJson(const check::CompiledRun& run);

/// Of a child that died instead.
std::string DeathAsText(const isolate::Outcome& outcome, const check::Finding& finding);
std::string DeathAsJson(const isolate::Outcome& outcome, const check::Finding& finding);

}  // namespace culprit::report
