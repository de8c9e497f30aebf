// SPDX-License-Identifier: Apache-2.0
//
// A verdict on numbers (compare/verdict.h), for people and for machines.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "compare/verdict.h"

namespace culprit::cli {

/// A row per output, then a line per mismatch of structure, then one sentence.
std::string VerdictAsTable(const compare::Verdict& verdict);
/// Numbers that are not finite are the strings "nan", "inf" and "-inf".
nlohmann::ordered_json VerdictAsJson(const compare::Verdict& verdict);

}  // namespace culprit::cli
