// SPDX-License-Identifier: Apache-2.0
//
// A verdict on numbers (compare/verdict/verdict.h), for people and for machines.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "check/one_run/judge_run.h"

namespace culprit::report {

/// A row for each value that is off, of many the first ones, then a line per mismatch of structure, the
/// counts of the others, and one sentence. Without a compiler values that are ok have a row, too, unless they
/// are inputs that nobody wrote into. Of a graph that differs from itself the table shows two runs of it.
std::string VerdictAsTable(const check::Judgement& judgement);
/// Numbers that are not finite are the strings "nan", "inf" and "-inf".
nlohmann::ordered_json VerdictAsJson(const check::Judgement& judgement);

}  // namespace culprit::report
