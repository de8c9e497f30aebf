// SPDX-License-Identifier: Apache-2.0
//
// What decides how a search goes, beside the program and the answers. It is the first line of the trace, so
// that a search that is taken up again goes the same way.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "check/question/question.h"
#include "hunt/result/sources.h"
#include "minify/failure_check.h"
#include "minify/program/costs.h"

namespace culprit::hunt {

struct Plan {
  check::Expectation expected;
  /// By name, in order.
  std::vector<std::string> strategies = {};
  /// A program of the user that answers instead of a compiler; empty if there is none.
  std::string judge = {};
  minify::Costs costs{};
  /// Where operators come from, by name (sources.h).
  Sources sources = {};
  /// What the check says of the original.
  minify::Reply first = {};
};

/// Wrong numbers that are not far beyond the noise. A search for them asks much, since whether a smaller program
/// fails is nearly a matter of chance, and shows little.
bool IsMarginal(const Plan& plan);

/// The objects of the trace; one line each.
std::string PlanToJson(const Plan& plan);
base::Result<Plan> PlanFromJson(std::string_view line);

}  // namespace culprit::hunt
