// SPDX-License-Identifier: Apache-2.0
//
// What came out of a graph, for people and for machines: one row per output.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "check/one_run/eager_run.h"

namespace culprit::report {

/// If the run has distances, the rows also say how far the output is from float64.
std::string OutputsAsTable(const check::EagerRun& run);
/// Numbers that are not finite, which JSON lacks, are the strings "nan", "inf" and "-inf"; what is not known
/// is left out.
nlohmann::ordered_json OutputsAsJson(const check::EagerRun& run);

}  // namespace culprit::report
