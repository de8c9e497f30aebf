// SPDX-License-Identifier: Apache-2.0
//
// From a file to a repro that a compiler can be asked about, with what the command line says about it.
#pragma once

#include "base/result.h"
#include "cli/open_script.h"
#include "cli/query_options.h"
#include "repro/repro.h"

namespace culprit::cli {

/// The file is open. Whoever names a compiler wants to know whether it computes the
/// right numbers, unless the file says how to judge.
base::Result<repro::Repro> LoadForQuery(repro::ReadRepro read, const ScriptOptions& script,
                                        const QueryOptions& query, std::optional<uint64_t> seed);

}  // namespace culprit::cli
